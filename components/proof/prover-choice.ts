/**
 * Which prover makes a member's proofs; kept on the device, in a cookie, because the answer decides what the pages that
 * make proofs may do: an own prover has to stand in their policy, and threads need them isolated (proxy.ts).
 */
export type ProverChoice =
  /** The installation's prover: paid. */
  | { readonly kind: "server" }
  /** This browser: nothing leaves it, free. */
  | { readonly kind: "browser" }
  /** A prover of the member's own. */
  | { readonly kind: "own"; readonly origin: string };

export const serverProver: ProverChoice = { kind: "server" };

/** Name of the cookie. */
export const proverCookie = "parley-prover";
/** A year: it holds nothing about a person but, at most, the address of a server of theirs. */
const KEEP_SECONDS = 365 * 24 * 60 * 60;
/** Pages that make proofs; only these are isolated, and only these may call an own prover. */
const proofPages =
  /^\/(sign-in|auth\/callback|topics\/new|topics\/[^/]+\/join|invite\/[^/]+|phone\/[^/]+|actions\/example)\/?$/;

/** Whether the page at this path makes proofs. */
export function makesProofs(pathname: string): boolean {
  return proofPages.test(pathname);
}

/**
 * The origin of a prover of one's own as a page may call it: https, or http on this very machine. Null when it is
 * neither, or more than an address.
 */
export function proverOrigin(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed.length > 253 + "https://:65535/".length || !URL.canParse(trimmed)) return null;
  const { protocol, hostname, origin, username, password, search, hash, pathname } = new URL(trimmed);
  if (username || password || search || hash || pathname !== "/") return null;
  const isHere = hostname === "localhost" || hostname === "127.0.0.1";
  // A policy is a list: what could stand for more than one host, or end the list, has no place in it.
  if (!/^[a-z0-9.-]+$/.test(hostname)) return null;
  return protocol === "https:" || (protocol === "http:" && isHere) ? origin : null;
}

/** The choice in a cookie's value; the server's prover for anything else. */
export function readProverChoice(value: string | undefined): ProverChoice {
  if (value === "browser") return { kind: "browser" };
  const own = value?.startsWith("own:") ? proverOrigin(decoded(value.slice("own:".length))) : null;
  return own === null ? serverProver : { kind: "own", origin: own };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** The cookie's value for a choice. */
export function writeProverChoice(choice: ProverChoice): string {
  return choice.kind === "own" ? `own:${encodeURIComponent(choice.origin)}` : choice.kind;
}

/** The choice kept in this browser. */
export function keptProverChoice(): ProverChoice {
  const entry = document.cookie.split("; ").find((one) => one.startsWith(`${proverCookie}=`));
  return readProverChoice(entry?.slice(proverCookie.length + 1));
}

/** Keeps a choice in this browser; pages loaded from now on follow it. */
export function keepProverChoice(choice: ProverChoice): void {
  const secure = window.location.protocol === "https:" ? "; secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we serve
  document.cookie = `${proverCookie}=${writeProverChoice(choice)}; path=/; max-age=${KEEP_SECONDS}; samesite=strict${secure}`;
}

/** The choice this document came with; what it may do was decided by it. */
const arrivedWith = typeof document === "undefined" ? serverProver : keptProverChoice();

/**
 * Whether a page has to be loaded anew before a run: an own prover must stand in its policy, and threads need it
 * isolated. Once only: a browser that cannot isolate pages proves on one thread.
 */
export function mustReload({ prover }: { readonly prover: ProverChoice }): boolean {
  if (prover.kind === "server") return false;
  if (prover.kind === "browser" && (globalThis.crossOriginIsolated || navigator.hardwareConcurrency < 2))
    return false;
  const [arrival] = performance.getEntriesByType("navigation");
  const asked = arrival ? makesProofs(new URL(arrival.name).pathname) : false;
  return !asked || writeProverChoice(arrivedWith) !== writeProverChoice(prover);
}

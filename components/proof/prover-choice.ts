/**
 * Which prover makes a user's proofs. A cookie keeps it on the device, because the server needs it for pages that make
 * proofs: their CSP must allow the user's own prover, and threads need isolated pages (proxy.ts).
 */
export type ProverChoice =
  /** The installation's prover, which is paid. */
  | { readonly kind: "server" }
  /** This browser: free, and no inputs leave it. */
  | { readonly kind: "browser" }
  | { readonly kind: "own"; readonly origin: string };

export const serverProver: ProverChoice = { kind: "server" };

export const proverCookie = "parley-prover";
/** A year. At most, the cookie tells the address of the user's own server. */
const MAX_AGE_SECONDS = 365 * 24 * 60 * 60;
/** Pages that make proofs; only these are isolated, and only these may call the user's own prover. */
const PROOF_PAGES =
  /^\/(sign-in|auth\/callback|topics\/new|topics\/[^/]+\/join|invite\/[^/]+|phone\/[^/]+|actions\/example)\/?$/;

/** Whether the page at this path makes proofs. */
export function makesProofs(pathname: string): boolean {
  return PROOF_PAGES.test(pathname);
}

/** Returns the origin of the user's own prover: https, or http on this machine. Null for anything else. */
export function proverOrigin(text: string): string | null {
  const trimmed = text.trim();
  if (trimmed.length > 253 + "https://:65535/".length || !URL.canParse(trimmed)) return null;
  const { protocol, hostname, origin, username, password, search, hash, pathname } = new URL(trimmed);
  if (username || password || search || hash || pathname !== "/") return null;
  const isHere = hostname === "localhost" || hostname === "127.0.0.1";
  // The origin becomes part of the CSP, so it must not contain wildcards or separators.
  if (!/^[a-z0-9.-]+$/.test(hostname)) return null;
  return protocol === "https:" || (protocol === "http:" && isHere) ? origin : null;
}

/** Parses the cookie's value; anything invalid means the installation's prover. */
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

/** Returns the cookie's value for a choice. */
export function writeProverChoice(choice: ProverChoice): string {
  return choice.kind === "own" ? `own:${encodeURIComponent(choice.origin)}` : choice.kind;
}

/** Returns the choice stored in this browser. */
export function keptProverChoice(): ProverChoice {
  const entry = document.cookie.split("; ").find((one) => one.startsWith(`${proverCookie}=`));
  return readProverChoice(entry?.slice(proverCookie.length + 1));
}

/** Stores a choice in this browser; it takes effect with the next page load. */
export function keepProverChoice(choice: ProverChoice): void {
  const secure = window.location.protocol === "https:" ? "; secure" : "";
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser we serve
  document.cookie = `${proverCookie}=${writeProverChoice(choice)}; path=/; max-age=${MAX_AGE_SECONDS}; samesite=strict${secure}`;
}

/** The choice at page load, which decided this document's CSP and isolation. */
const loadedWith = typeof document === "undefined" ? serverProver : keptProverChoice();

/** Whether the page must reload, once, so that its CSP allows the user's own prover or it gets isolated for threads. */
export function mustReload({ prover }: { readonly prover: ProverChoice }): boolean {
  if (prover.kind === "server") return false;
  if (prover.kind === "browser" && (globalThis.crossOriginIsolated || navigator.hardwareConcurrency < 2))
    return false;
  const [navigation] = performance.getEntriesByType("navigation");
  const wasProofPage = navigation ? makesProofs(new URL(navigation.name).pathname) : false;
  return !wasProofPage || writeProverChoice(loadedWith) !== writeProverChoice(prover);
}

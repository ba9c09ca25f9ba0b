/**
 * What a token proves, read from its text without the circuit's tables: the README's rules 1 to 3 in plain code. The
 * harness holds the circuit against it. It looks from the end, as the circuit must, since only the end is signed over
 * whole blocks; for text that is JSON, `JSON.parse` is held against it in turn.
 */

/** What can be proven of a token. Texts are bytes written as latin1. */
export interface Statement {
  email: string;
  domain: string;
  nonce: string | null;
  iat: number;
  audience: string;
  /** Byte positions of the keys' opening quotes in the payload. */
  positions: { email: number; verified: number; nonce: number; iat: number; audience: number };
}

/** Why nothing can be proven. */
export interface Refusal {
  refused: string;
}

const MAX = { email: 128, domain: 64, nonce: 64, audience: 96 };
/** Brackets, the outermost included. */
const MAX_DEPTH = 6;

/** What a byte is to the outermost object. */
type Role = "string" | "quote" | "outside" | "hidden";

/**
 * The bytes of a payload's text, or null when a character is not base64url's.
 *
 * Two things that no issuer signs are read as the circuit reads them (it cannot tell them apart from the end of the
 * header and the space after the text): a `.` is a character of value zero, and zero bits or bytes may follow the text.
 * Any other unused bit becomes a byte after the final brace.
 */
export function decodeBase64url(text: string): Buffer | null {
  if (!/^[A-Za-z0-9_.-]*$/.test(text)) return null;
  const whole = text.replaceAll(".", "A").padEnd(4 * Math.ceil(text.length / 4), "A");
  const bytes = Buffer.from(whole, "base64url");
  const end = bytes.findLastIndex((byte) => byte !== 0);
  return bytes.subarray(0, end + 1);
}

/** Depth and role of every byte, read from the end; bytes left of what cannot be read are hidden. */
function rolesOf(text: string): { roles: Role[]; depths: number[] } {
  const roles: Role[] = Array.from(text, () => "hidden");
  const depths: number[] = Array.from(text, () => 0);
  let depth = 0;
  let inString = false;
  for (let i = text.length - 1; i >= 0; i--) {
    const char = text.charAt(i);
    if (char === "\0" || (i === text.length - 1 && char !== "}")) break;
    depths[i] = depth;
    if (inString) {
      const isOpening = char === '"' && text.charAt(i - 1) !== "\\";
      roles[i] = isOpening ? "quote" : "string";
      // What a string follows: a bracket that opens, or something that is no bracket, quote or backslash.
      if (isOpening && /["\]}\0]/.test(text.charAt(i - 1))) break;
      if (isOpening) inString = false;
      continue;
    }
    if (char === "\\") break;
    roles[i] = char === '"' ? "quote" : "outside";
    if (char === '"') inString = true;
    if (char === "}" || char === "]") depth++;
    if (depth > MAX_DEPTH) break;
    if (char === "{" || char === "[") depth--;
    if (depth === 0) break;
  }
  return { roles, depths };
}

/** Reads claims of one payload. */
class Payload {
  readonly #text: string;
  readonly #roles: Role[];
  readonly #depths: number[];

  constructor(text: string) {
    this.#text = text;
    const { roles, depths } = rolesOf(text);
    this.#roles = roles;
    this.#depths = depths;
  }

  /** Position of a key of the outermost object, and of the byte after its colon. */
  key(name: string): { at: number; value: number } | null {
    const written = `"${name}":`;
    for (let at = this.#text.indexOf(written); at >= 0; at = this.#text.indexOf(written, at + 1)) {
      const roles = this.#roles.slice(at, at + written.length);
      const isKey =
        /[{,]/.test(this.#text.charAt(at - 1)) &&
        this.#depths[at] === 1 &&
        roles[0] === "quote" &&
        roles.slice(1, -2).every((role) => role === "string") &&
        roles.at(-2) === "quote" &&
        roles.at(-1) === "outside" &&
        this.#roles[at - 1] === "outside";
      if (isKey) return { at, value: at + written.length };
    }
    return null;
  }

  /** The text of a string without quotes that begins at `value`, or null. */
  string(value: number): string | null {
    if (this.#text.charAt(value) !== '"' || this.#roles[value] !== "quote") return null;
    const end = this.#text.indexOf('"', value + 1);
    const isOne = end > 0 && this.#roles[end] === "quote";
    return isOne ? this.#text.slice(value + 1, end) : null;
  }

  /** Whether one of these texts stands at `value`, with nothing after it but the next key or the end. */
  isOneOf(value: number, texts: readonly string[]): boolean {
    return texts.some((text) => this.#text.startsWith(text, value) && this.#endsAt(value + text.length));
  }

  /** The ten digits at `value`. */
  seconds(value: number): number | null {
    const digits = /^\d{10}/.exec(this.#text.slice(value))?.[0];
    return digits !== undefined && this.#endsAt(value + 10) ? Number(digits) : null;
  }

  #endsAt(at: number): boolean {
    if (at === this.#text.length - 1) return true;
    return this.#text.charAt(at) === "," && this.#roles[at] === "outside" && this.#roles[at + 1] === "quote";
  }
}

function addressOf(email: string | null): { email: string; domain: string } | null {
  if (email === null || email.length > MAX.email || !/^[!#-[\]-~]+@[a-z0-9.-]+$/.test(email)) return null;
  const [local = "", domain = "", ...rest] = email.split("@");
  return local !== "" && rest.length === 0 && domain.length <= MAX.domain ? { email, domain } : null;
}

/**
 * What the payload of a token proves for a provider.
 *
 * @param encoded the base64url text of the payload.
 * @param sight from which byte on the payload is decoded, when it must be shown that there is no nonce.
 */
export function readPayload(
  encoded: string,
  provider: 0 | 1,
  sight: (positions: number[]) => number,
): Statement | Refusal {
  const bytes = decodeBase64url(encoded);
  if (bytes === null) return { refused: "not base64url" };
  const text = bytes.toString("latin1");
  const payload = new Payload(text);
  const email = payload.key("email");
  const iat = payload.key("iat");
  const audience = payload.key("aud");
  const verified = payload.key(provider === 0 ? "email_verified" : "xms_edov");
  if (!email || !iat || !audience || !verified) return { refused: "a claim is missing" };
  const words = provider === 0 ? ["true"] : ["true", "1", '"1"', '"true"'];
  if (!payload.isOneOf(verified.value, words)) return { refused: "not verified" };
  const address = addressOf(payload.string(email.value));
  if (!address) return { refused: "no such address" };
  const seconds = payload.seconds(iat.value);
  if (seconds === null) return { refused: "no such time" };
  const client = payload.string(audience.value);
  if (client === null || client === "" || client.length > MAX.audience || client.includes("\\")) {
    return { refused: "no such audience" };
  }
  const needed = [email.at, iat.at, audience.at, verified.at];
  const nonce = payload.key("nonce");
  const value = nonce && payload.string(nonce.value);
  const positions = { email: email.at, iat: iat.at, audience: audience.at, verified: verified.at, nonce: 0 };
  const found = { ...address, iat: seconds, audience: client };
  if (nonce && value && value.length <= MAX.nonce) {
    return { ...found, nonce: value, positions: { ...positions, nonce: nonce.at } };
  }
  if (text.includes('"nonce":', sight(needed))) return { refused: "a nonce that cannot be shown" };
  return { ...found, nonce: null, positions };
}

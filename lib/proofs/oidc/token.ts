import { base64url } from "jose";
import { z } from "zod";
import { ProofInputError } from "../errors";

/** Maximum characters of a token to parse; provable ones are far shorter. */
const TOKEN_MAX = 8192;

const headerSchema = z.object({ alg: z.string(), kid: z.string().optional() });

/** A member of the token's claims object at depth 1, by position in the decoded payload. */
export type ClaimSpan = {
  key: string;
  /** Index of the opening quote of the key. */
  keyIndex: number;
  /** The value as written, for example `"a@b.c"` with its quotes, or `true`. */
  raw: string;
};

/** A parsed token. Nothing is verified; see `buildOidcInputs`. */
export type ParsedToken = ReturnType<typeof parseToken>;

const malformed = (message: string) => new ProofInputError("TOKEN_MALFORMED", "jwt", message);

/** Decodes strict base64url: no padding, no other characters, unused trailing bits zero (RFC 4648, 3.5). */
function decodePart(part: string, name: string): Uint8Array {
  if (!/^[A-Za-z0-9_-]+$/.test(part)) throw malformed(`the token's ${name} is not base64url`);
  const notCanonical = malformed(`the token's ${name} is not canonical base64url`);
  let bytes: Uint8Array;
  try {
    bytes = base64url.decode(part);
  } catch {
    throw notCanonical;
  }
  if (base64url.encode(bytes) !== part) throw notCanonical;
  return bytes;
}

/** Parses JSON. Drops the parser's error, which quotes its input. */
function parseJson(bytes: Uint8Array, name: string): unknown {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw malformed(`the token's ${name} is not JSON`);
  }
}

/**
 * Locates the members of a JSON object at depth 1. `json` is valid JSON, so only strings, brackets and commas matter.
 * Spaces around a key or value stay part of `raw`, so that no rule matches them.
 */
function scanMembers(json: Uint8Array): ClaimSpan[] {
  // One character per byte, so that positions in the text equal positions in the bytes.
  const text = Array.from(json, (byte) => String.fromCharCode(byte)).join("");
  const spans: ClaimSpan[] = [];
  let depth = 0;
  let open: { key: string; keyIndex: number; valueFrom: number } | null = null;
  let expectKey = false;
  const close = (end: number) => {
    if (open) spans.push({ key: open.key, keyIndex: open.keyIndex, raw: text.slice(open.valueFrom, end) });
    open = null;
  };
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === '"') {
      let end = i + 1;
      while (text[end] !== '"') end += text[end] === "\\" ? 2 : 1;
      if (expectKey) {
        // The circuit matches `"key":` right after `{` or `,`. Any other spacing gets an unmatchable raw value.
        const tight = /[{,]/.test(text[i - 1] ?? "") && text[end + 1] === ":";
        open = { key: text.slice(i + 1, end), keyIndex: i, valueFrom: tight ? end + 2 : end + 1 };
        expectKey = false;
      }
      i = end;
    } else if (char === "{" || char === "[") {
      depth++;
      if (depth === 1) expectKey = true;
    } else if (char === "}" || char === "]") {
      if (depth === 1) close(i);
      depth--;
    } else if (char === "," && depth === 1) {
      close(i);
      expectKey = true;
    }
  }
  return spans;
}

/** Returns the deepest nesting of brackets in JSON, or in a tail of it that begins outside strings. */
export function maxDepth(json: Uint8Array): number {
  const outside = new TextDecoder("latin1").decode(json).replace(/"(?:[^"\\]|\\.)*"/gs, "");
  let depth = 0;
  let deepest = 0;
  for (const char of outside) {
    if (char === "{" || char === "[") deepest = Math.max(deepest, ++depth);
    else if (char === "}" || char === "]") depth--;
  }
  return deepest;
}

/**
 * Parses a compact JWS and locates its claims.
 * @throws ProofInputError TOKEN_MALFORMED; the message never quotes the token.
 */
export function parseToken(jwt: string) {
  if (jwt.length > TOKEN_MAX) throw malformed(`the token is longer than ${TOKEN_MAX} characters`);
  const [header, payload, signature, ...rest] = jwt.split(".");
  if (!header || !payload || !signature || rest.length > 0)
    throw malformed("the token does not have three parts");
  const parsedHeader = headerSchema.safeParse(parseJson(decodePart(header, "header"), "header"));
  if (!parsedHeader.success) throw malformed("the token's header lacks alg or has a kid that is not text");
  const body = decodePart(payload, "payload");
  const json = parseJson(body, "payload");
  if (typeof json !== "object" || json === null || Array.isArray(json) || body.at(-1) !== 0x7d) {
    throw malformed("the token's payload is not a JSON object without surrounding space");
  }
  return {
    alg: parsedHeader.data.alg,
    kid: parsedHeader.data.kid ?? null,
    /** ASCII bytes of `header.payload`, which the signature covers. */
    signed: new TextEncoder().encode(`${header}.${payload}`),
    /** Decoded payload, JSON. */
    payload: body,
    /** Index in `signed` of the first payload character. */
    payloadFrom: header.length + 1,
    claims: scanMembers(body),
    signature: decodePart(signature, "signature"),
  };
}

/** Returns the claim with this name; null if absent. @throws ProofInputError CLAIM_INVALID if it occurs twice. */
export function claim(token: ParsedToken, key: string): ClaimSpan | null {
  const found = token.claims.filter((span) => span.key === key);
  if (found.length > 1)
    throw new ProofInputError("CLAIM_INVALID", key, `the token has the claim ${key} twice`);
  return found[0] ?? null;
}

/** Returns the text of a JSON string; undefined with quotes, backslashes, control or non-ASCII characters. */
export function plainText(raw: string): string | undefined {
  return /^"([\x20\x21\x23-\x5b\x5d-\x7e]*)"$/.exec(raw)?.[1];
}

/**
 * Returns a claim that is text without quotes, backslashes, control or non-ASCII characters; null if absent.
 * @throws ProofInputError CLAIM_INVALID naming the claim.
 */
export function textClaim(token: ParsedToken, key: string): { text: string; span: ClaimSpan } | null {
  const span = claim(token, key);
  if (!span) return null;
  const text = plainText(span.raw);
  if (text === undefined) {
    throw new ProofInputError("CLAIM_INVALID", key, `the claim ${key} is not text the circuit can read`);
  }
  return { text, span };
}

/**
 * Returns a claim that is a number of seconds with ten digits (years 2001 to 2286); null if absent.
 * @throws ProofInputError CLAIM_INVALID naming the claim.
 */
export function secondsClaim(token: ParsedToken, key: string): { seconds: number; span: ClaimSpan } | null {
  const span = claim(token, key);
  if (!span) return null;
  if (!/^[1-9][0-9]{9}$/.test(span.raw)) {
    throw new ProofInputError("CLAIM_INVALID", key, `the claim ${key} is not seconds with ten digits`);
  }
  return { seconds: Number(span.raw), span };
}

import { checkPrimeSync, createHash, createPrivateKey, createSign, type KeyObject } from "node:crypto";

/** An RSA-2048 issuer key with e = 65537. */
export interface IssuerKey {
  privateKey: KeyObject;
  modulus: bigint;
  /** The private exponent, for signing what no issuer signs. */
  exponent: bigint;
}

const E = 65537n;

/** 1024 bits from a public seed, the two highest set; then the next prime p with gcd(p - 1, e) = 1. */
function primeFrom(seed: string): bigint {
  const digests = [0, 1, 2, 3].map((i) => createHash("sha256").update(`${seed}:${i}`).digest("hex"));
  let prime = BigInt(`0x${digests.join("")}`) | (3n << 1022n) | 1n;
  while ((prime - 1n) % E === 0n || !checkPrimeSync(prime)) prime += 2n;
  return prime;
}

function inverse(value: bigint, modulus: bigint): bigint {
  let [r, next, t, nextT] = [modulus, value % modulus, 0n, 1n];
  while (next !== 0n) {
    const quotient = r / next;
    [r, next, t, nextT] = [next, r - quotient * next, nextT, t - quotient * nextT];
  }
  return ((t % modulus) + modulus) % modulus;
}

const keys = new Map<string, IssuerKey>();

/** What the usual issuer key is made from. */
export const ISSUER_SEED = "parley test issuer";

/** The primes of a seed's key. */
export function primesOf(seed: string): { p: bigint; q: bigint } {
  return { p: primeFrom(`${seed}:p`), q: primeFrom(`${seed}:q`) };
}

/**
 * An issuer key made from a public seed: the same everywhere, and worth nothing.
 * p and q are the primes that follow sha256("<seed>:p:0") ‖ … ‖ sha256("<seed>:p:3"), and likewise ":q:".
 */
export function issuerKey(seed = ISSUER_SEED): IssuerKey {
  const known = keys.get(seed);
  if (known) return known;
  const { p, q } = primesOf(seed);
  const d = inverse(E, (p - 1n) * (q - 1n));
  const field = (value: bigint) => {
    const digits = value.toString(16);
    return Buffer.from(digits.padStart(digits.length + (digits.length % 2), "0"), "hex").toString(
      "base64url",
    );
  };
  const [n, e] = [field(p * q), field(E)];
  const [dp, dq, qi] = [field(d % (p - 1n)), field(d % (q - 1n)), field(inverse(q, p))];
  const jwk = { kty: "RSA", n, e, d: field(d), p: field(p), q: field(q), dp, dq, qi };
  const key = { privateKey: createPrivateKey({ key: jwk, format: "jwk" }), modulus: p * q, exponent: d };
  keys.set(seed, key);
  return key;
}

/** An RS256 token whose payload is any text, as an issuer that may be malicious input's mouthpiece signs it. */
export interface Token {
  signed: Uint8Array;
  payload: string;
  payloadStart: number;
  signature: bigint;
  modulus: bigint;
}

/** Signs `payload` as it stands. `kid` sets the header's length. */
export function signToken(key: IssuerKey, payload: string, kid = "k1"): Token {
  const header = Buffer.from(`{"alg":"RS256","kid":"${kid}","typ":"JWT"}`).toString("base64url");
  return signData(key, `${header}.${Buffer.from(payload).toString("base64url")}`, payload, header.length + 1);
}

/** Signs any text as header and payload. */
export function signData(key: IssuerKey, data: string, payload: string, payloadStart: number): Token {
  const signature = createSign("RSA-SHA256").update(data).sign(key.privateKey);
  return {
    signed: Buffer.from(data),
    payload,
    payloadStart,
    signature: BigInt(`0x${signature.toString("hex")}`),
    modulus: key.modulus,
  };
}

/** base^exponent modulo `modulus`. */
export function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let [result, square] = [1n, base % modulus];
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

/** EMSA-PKCS1-v1_5 of a SHA-256 digest for 2048 bits (RFC 8017, 9.2), as a number. */
export function encodedMessage(digest: Uint8Array): bigint {
  const prefix = "3031300d060960864801650304020105000420";
  return BigInt(`0x01${"ff".repeat(202)}00${prefix}${Buffer.from(digest).toString("hex")}`);
}

/** The signature of a digest that need not be any text's. */
export function signDigest(key: IssuerKey, digest: Uint8Array): bigint {
  return power(encodedMessage(digest), key.exponent, key.modulus);
}

/** What varies between the tokens of the tests. */
export interface Claims {
  email?: string;
  verified?: string;
  nonce?: string;
  iat?: string;
  /** The value as written, quotes included; default the client's. */
  audience?: string;
  filler?: string;
}

/** The client that tokens are made for, as long as provider_a's are. */
export const CLIENT = "123456789012-abcdefghijklmnopqrstuvwxyz012345.apps.example.com";

/** A payload in provider_a's claim order. */
export function payloadA(claims: Claims = {}): string {
  const { email = "ada@example.org", verified = '"email_verified":true', nonce, iat = "1760000000" } = claims;
  const { audience = `"${CLIENT}"`, filler = "" } = claims;
  return [
    '{"iss":"https://accounts.example"',
    `"azp":"${CLIENT}","aud":${audience},"sub":"1234567890","hd":"example.org"`,
    `"email":"${email}"`,
    verified,
    ...(nonce === undefined ? [] : [`"nonce":"${nonce}"`]),
    `"name":"Ada ${filler}","picture":"https://pictures.example/a\\\\b\\"c"`,
    `"iat":${iat},"exp":1760003600}`,
  ].join(",");
}

/** A payload in provider_b's claim order: aud first, iat long before the address, xms_edov last. */
export function payloadB(claims: Claims = {}): string {
  const { email = "ada@example.org", verified = '"xms_edov":true', nonce, iat = "1760000000" } = claims;
  const { audience = '"01234567-89ab-cdef-0123-456789abcdef"', filler = "" } = claims;
  return [
    `{"aud":${audience},"iss":"https://login.example/v2.0","iat":${iat},"nbf":1760000000,"exp":1760003600`,
    `"email":"${email}","name":"Ada ${filler}"`,
    ...(nonce === undefined ? [] : [`"nonce":"${nonce}"`]),
    `"groups":["a","b"],"preferred_username":"ada","ver":"2.0",${verified}}`,
  ].join(",");
}

import { createSign, generateKeyPairSync, type KeyObject } from "node:crypto";

/** An RSA-2048 issuer key, made once per process. */
export interface IssuerKey {
  privateKey: KeyObject;
  modulus: bigint;
}

/** A fresh RSA-2048 key with e = 65537. */
export function issuerKey(): IssuerKey {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const { n = "" } = publicKey.export({ format: "jwk" });
  return { privateKey, modulus: BigInt(`0x${Buffer.from(n, "base64url").toString("hex")}`) };
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

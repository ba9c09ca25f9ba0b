import { base64url, CompactSign, exportJWK, generateKeyPair } from "jose";
import { type Jwk, jwkSchema } from "../trust/jwks";

/** Test helper: an issuer that signs exactly the JSON it is given, so that any claim order can be tried. */
export type TestIssuer = {
  kid: string;
  jwk: Jwk;
  sign(payload: string | Record<string, unknown>, header?: Record<string, unknown>): Promise<string>;
};

export async function testIssuer(kid: string, modulusLength = 2048): Promise<TestIssuer> {
  const { publicKey, privateKey } = await generateKeyPair("RS256", { modulusLength, extractable: true });
  const jwk = jwkSchema.parse({ ...(await exportJWK(publicKey)), kid, use: "sig", alg: "RS256" });
  return {
    kid,
    jwk,
    sign: (payload, header = {}) =>
      new CompactSign(
        new TextEncoder().encode(typeof payload === "string" ? payload : JSON.stringify(payload)),
      )
        .setProtectedHeader({ alg: "RS256", typ: "JWT", kid, ...header })
        .sign(privateKey),
  };
}

/** A token with any header and payload and a signature that is not one. */
export function unsignedToken(header: unknown, payload: string): string {
  const part = (text: string) => base64url.encode(new TextEncoder().encode(text));
  return `${part(JSON.stringify(header))}.${part(payload)}.${base64url.encode(new Uint8Array(256).fill(1))}`;
}

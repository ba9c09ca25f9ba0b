import { createPrivateKey, randomBytes } from "node:crypto";
import { importJWK, SignJWT } from "jose";

/** An API key of Coinbase's developer platform: an id, and an Ed25519 (base64 of 64 bytes) or EC key (PEM). */
export interface FacilitatorKey {
  id: string;
  secret: string;
}

/** Headers for a facilitator's endpoints, as x402's client expects them. */
export type FacilitatorAuth = () => Promise<
  Record<"verify" | "settle" | "supported", Record<string, string>>
>;

const methods = { verify: "POST", settle: "POST", supported: "GET" } as const;
/** Each token serves one request. */
const lifeSeconds = 120;

/**
 * Authenticates each request to a facilitator with a token made for it alone (docs.cdp.coinbase.com, "JWT
 * authentication": EdDSA or ES256 over method, host and path).
 * @param url the facilitator's
 * @throws Error if the secret is neither kind of key; its text never contains the secret
 */
export function facilitatorAuth(url: string, { id, secret }: FacilitatorKey): FacilitatorAuth {
  const signer = readSecret(secret);
  const token = async (name: keyof typeof methods) => {
    const { host, pathname } = new URL(`${url}/${name}`);
    const { alg, key } = await signer;
    return await new SignJWT({ uris: [`${methods[name]} ${host}${pathname}`] })
      .setProtectedHeader({ alg, kid: id, typ: "JWT", nonce: randomBytes(16).toString("hex") })
      .setIssuer("cdp")
      .setSubject(id)
      .setIssuedAt()
      .setNotBefore("0s")
      .setExpirationTime(`${lifeSeconds}s`)
      .sign(key);
  };
  const bearer = async (name: keyof typeof methods) => ({ Authorization: `Bearer ${await token(name)}` });
  return async () => {
    const [verify, settle, supported] = await Promise.all([
      bearer("verify"),
      bearer("settle"),
      bearer("supported"),
    ]);
    return { verify, settle, supported };
  };
}

/** Reads both forms of keys. @throws Error without the secret in its text */
export async function readSecret(secret: string) {
  try {
    if (secret.includes("-----BEGIN")) {
      const jwk = createPrivateKey(secret.replaceAll("\\n", "\n")).export({ format: "jwk" });
      return { alg: "ES256", key: await importJWK(jwk, "ES256") };
    }
    const bytes = Buffer.from(secret, "base64");
    if (bytes.length !== 64) throw new Error("length");
    const [d, x] = [bytes.subarray(0, 32), bytes.subarray(32)].map((part) => part.toString("base64url"));
    return { alg: "EdDSA", key: await importJWK({ kty: "OKP", crv: "Ed25519", d, x }, "EdDSA") };
  } catch {
    throw new Error("CDP_API_KEY_SECRET is neither an Ed25519 key in base64 nor an EC key in PEM");
  }
}

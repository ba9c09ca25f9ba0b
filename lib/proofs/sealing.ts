import { CompactEncrypt, type CryptoKey, compactDecrypt, exportJWK, generateKeyPair, importJWK } from "jose";
import { z } from "zod";

/**
 * Inputs on their way to whoever proves: a compact JWE (RFC 7516), key agreement ECDH-ES on X25519 (RFC 8037), content
 * AES-256-GCM. Every message has its own ephemeral key, so that only the holder of the recipient's private key reads it.
 */
const alg = "ECDH-ES";
const enc = "A256GCM";

/** What is sealed belongs to one purpose, e.g. a circuit id; it is authenticated and not secret. */
const headerSchema = z.looseObject({ purpose: z.string() });
/** An X25519 public key as `teePublicKey` shows it: 32 bytes in base64url. */
export const sealingPublicKeySchema = z
  .string()
  .regex(/^[A-Za-z0-9_-]{43}$/, "must be an X25519 public key in base64url");

/** What was sent was not sealed for this key and purpose. */
class SealError extends Error {
  override name = "SealError";
}

export interface SealingKey {
  /** 32 bytes in base64url: the x of the JWK, as `teePublicKey` shows it. */
  publicKey: string;
  privateKey: CryptoKey;
}

/** A new key pair. @param extractable whether the private key can be exported; only for a tool that prints one */
export async function createSealingKey(extractable = false): Promise<SealingKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { crv: "X25519", extractable });
  const { x } = await exportJWK(publicKey);
  return { publicKey: sealingPublicKeySchema.parse(x), privateKey };
}

/**
 * Encrypts a JSON value for the holder of a public key.
 * @throws ZodError when `publicKey` is none
 */
export async function seal(publicKey: string, purpose: string, value: unknown): Promise<string> {
  const key = await importJWK({ kty: "OKP", crv: "X25519", x: sealingPublicKeySchema.parse(publicKey) }, alg);
  return await new CompactEncrypt(new TextEncoder().encode(JSON.stringify(value)))
    .setProtectedHeader({ alg, enc, purpose })
    .encrypt(key);
}

/**
 * Decrypts what `seal` made for this key and purpose.
 * @throws SealError, which tells nothing of the contents
 */
export async function unseal(privateKey: CryptoKey, purpose: string, sealed: string): Promise<unknown> {
  let text: string;
  try {
    const { plaintext, protectedHeader } = await compactDecrypt(sealed, privateKey, {
      keyManagementAlgorithms: [alg],
      contentEncryptionAlgorithms: [enc],
    });
    if (headerSchema.parse(protectedHeader).purpose !== purpose) throw new SealError();
    text = new TextDecoder("utf-8", { fatal: true }).decode(plaintext);
  } catch {
    throw new SealError("not sealed for this key and purpose");
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new SealError("what was sealed is not JSON");
  }
}

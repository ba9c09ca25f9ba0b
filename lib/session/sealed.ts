import { CompactEncrypt, compactDecrypt } from "jose";

/** Seals a value for one client: JSON under AES-256-GCM, as a compact JWE (RFC 7516). @param key 32 bytes */
export async function seal(key: Uint8Array, value: unknown): Promise<string> {
  return await new CompactEncrypt(new TextEncoder().encode(JSON.stringify(value)))
    .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
    .encrypt(key);
}

/** Opens what `seal` sealed, unchecked. @throws JOSEError for another key or a changed text */
export async function openSealed(key: Uint8Array, sealed: string): Promise<unknown> {
  const { plaintext } = await compactDecrypt(sealed, key, {
    keyManagementAlgorithms: ["dir"],
    contentEncryptionAlgorithms: ["A256GCM"],
  });
  return JSON.parse(new TextDecoder().decode(plaintext));
}

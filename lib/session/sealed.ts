import { CompactEncrypt, compactDecrypt } from "jose";

/** What is kept for one client only: JSON under AES-256-GCM, as a compact JWE (RFC 7516). @param key 32 bytes */
export async function seal(key: Uint8Array, value: unknown): Promise<string> {
  return await new CompactEncrypt(new TextEncoder().encode(JSON.stringify(value)))
    .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
    .encrypt(key);
}

/** What `seal` sealed, unchecked. @throws JOSEError for another key or a changed text */
export async function openSealed(key: Uint8Array, sealed: string): Promise<unknown> {
  const { plaintext } = await compactDecrypt(sealed, key, {
    keyManagementAlgorithms: ["dir"],
    contentEncryptionAlgorithms: ["A256GCM"],
  });
  return JSON.parse(new TextDecoder().decode(plaintext));
}

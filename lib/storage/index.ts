/** Where uploads lie: a folder of this machine, or a bucket that speaks S3. Keys are `{env}/{folder}/{userId}/{uuid}/{name}`. */
export interface Storage {
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /** @returns how many of them existed */
  remove(keys: readonly string[]): Promise<number>;
  /** An address that takes one PUT of exactly this type and size. */
  uploadUrl(
    key: string,
    upload: { readonly contentType: string; readonly size: number; readonly expiresInSeconds: number },
  ): Promise<string>;
  publicUrl(key: string): string;
  /** The key a public address of ours stands for; null for any other address. */
  keyOf(url: string): string | null;
}

import type { UploadType } from "@/lib/contract/limits";

/** How long others may keep a file without asking again: a picture that was taken down is gone after a minute. */
export const uploadCaching = "public, max-age=60, must-revalidate";

/**
 * Where uploads lie: a folder of this machine (disk.ts), or a bucket that speaks S3 (s3.ts). Keys are
 * `{env}/{folder}/{userId}/{uuid}/{name}` (keys.ts); every other key is refused with an exception.
 */
export interface Storage {
  /** First part of every key: which installation a file belongs to, where several share a bucket. */
  readonly env: string;
  /** Stores a file whole, or not at all. */
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /** The file, or null when there is none. @throws Error for one that is larger than any upload may be */
  read(key: string): Promise<Uint8Array | null>;
  /** Puts a file where nobody reads it, at no address that anybody is told; nothing happens when it is there already. */
  withhold(key: string): Promise<void>;
  /** Brings a withheld file back to where it was; nothing happens when it is there already. */
  restore(key: string): Promise<void>;
  /** Withheld ones too. @returns how many of them existed */
  remove(keys: readonly string[]): Promise<number>;
  /** An address that takes one PUT of exactly this type and size. */
  uploadUrl(key: string, upload: UploadGrant): Promise<string>;
  /** The absolute address everybody reads the file at; answers of the API and columns hold this form. */
  publicUrl(key: string): string;
  /**
   * The same address as it stands in the HTML of posts, in a form that sanitising keeps: by path where this site
   * serves the file, so that a post's text does not depend on the site's name.
   */
  htmlUrl(key: string): string;
  /** The key that an address of ours stands for, absolute or as in HTML; null for any other text. */
  keyOf(url: string): string | null;
  /** What this process serves and takes itself; null where the bucket does. */
  readonly local: LocalFiles | null;
}

/** What an upload address allows. */
interface UploadGrant {
  readonly contentType: UploadType;
  /** Bytes, exactly. */
  readonly size: number;
  readonly expiresInSeconds: number;
}

/** The part of a storage that stands behind `/uploads/`. */
export interface LocalFiles {
  /** A file to send; null when there is none. */
  open(key: string): Promise<StoredFile | null>;
  /** What an upload address allows; null when we did not sign it, or not any more. */
  readUploadUrl(
    url: string,
  ): { readonly key: string; readonly contentType: string; readonly size: number } | null;
}

export interface StoredFile {
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
  readonly body: ReadableStream<Uint8Array>;
}

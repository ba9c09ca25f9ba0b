import type { UploadType } from "@/lib/contract/limits";

/** Cache-Control of uploads: a removed image disappears from caches within a minute. */
export const uploadCaching = "public, max-age=60, must-revalidate";

/** Stores uploads in a folder (disk.ts) or an S3-compatible bucket (s3.ts); every method throws for other keys. */
export interface Storage {
  /** First part of every key: tells apart installations that share a bucket. */
  readonly env: string;
  /** Stores a file atomically. */
  put(key: string, bytes: Uint8Array, contentType: string): Promise<void>;
  /** Returns the file; null if there is none. @throws Error for a file above the upload limit */
  read(key: string): Promise<Uint8Array | null>;
  /** Returns the file where `withhold` moved it; null if there is none. */
  readWithheld(key: string): Promise<Uint8Array | null>;
  /** Returns the keys of all files of this installation that are not withheld. For backups: it reads every name. */
  keys(): AsyncIterable<string>;
  /** Moves a file to a place without a public URL. Does nothing if it is withheld already. */
  withhold(key: string): Promise<void>;
  /** Moves a withheld file back. Does nothing if it is not withheld. */
  restore(key: string): Promise<void>;
  /** Deletes files, including withheld ones. @returns how many of them existed */
  remove(keys: readonly string[]): Promise<number>;
  /** Returns a URL that accepts one PUT of exactly this type and size. */
  uploadUrl(key: string, upload: UploadGrant): Promise<string>;
  /** Returns the file's absolute public URL, the form in API responses and database columns. */
  publicUrl(key: string): string;
  /**
   * Returns the file's URL for the HTML of posts, in a form that sanitizing keeps: a path if this site serves the file,
   * so that posts do not depend on the site's origin.
   */
  htmlUrl(key: string): string;
  /** Returns the key of one of our URLs, absolute or as in HTML; null for any other text. */
  keyOf(url: string): string | null;
  /** Files that this process serves and receives itself; null if the bucket does. */
  readonly local: LocalFiles | null;
}

/** What an upload URL allows. */
interface UploadGrant {
  readonly contentType: UploadType;
  /** Bytes, exactly. */
  readonly size: number;
  readonly expiresInSeconds: number;
}

/** The part of a storage behind `/uploads/`. */
export interface LocalFiles {
  /** Opens a file to send; null if there is none. */
  open(key: string): Promise<StoredFile | null>;
  /** Returns what an upload URL allows; null if it is expired or we did not sign it. */
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

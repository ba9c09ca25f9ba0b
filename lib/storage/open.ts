import { hkdfSync } from "node:crypto";
import { diskStorage, sweepPartialFiles } from "./disk";
import type { Storage } from "./index";
import { s3Storage } from "./s3";
import { parseStorageUrl } from "./settings";

export interface StorageOptions {
  /** As STORAGE_URL (settings.ts). */
  readonly url: string;
  /** Folder of uploads where the URL is `disk`. */
  readonly folder: string;
  /** First part of every key. */
  readonly env: string;
  /** Origin of this site. */
  readonly appUrl: string;
  /** A key for upload addresses is derived from it. */
  readonly secret: Uint8Array;
  readonly now: () => Date;
}

/**
 * Opens the storage a URL names. Touches neither folder nor bucket.
 * @throws Error for a URL that names none
 */
export function openStorage({ url, folder, env, appUrl, secret, now }: StorageOptions): Storage {
  const bucket = parseStorageUrl(url);
  if (bucket) return s3Storage(bucket, env);
  const key = new Uint8Array(hkdfSync("sha256", secret, "", "parley upload addresses", 32));
  // Whoever wrote these for an hour is gone. Nothing waits for it, and a next start tries again.
  void sweepPartialFiles(folder, new Date(Date.now() - 3_600_000)).catch(() => undefined);
  return diskStorage({ folder, env, appUrl, secret: key, now });
}

import { hkdfSync } from "node:crypto";
import { parseStorageUrl } from "@/lib/settings/storage-url";
import { diskStorage, sweepPartialFiles } from "./disk";
import type { Storage } from "./index";
import { s3Storage } from "./s3";

interface StorageOptions {
  /** STORAGE_URL (settings.ts). */
  readonly url: string;
  /** Folder of uploads if the URL is `disk`. */
  readonly folder: string;
  /** First part of every key. */
  readonly env: string;
  /** Origin of this site. */
  readonly appUrl: string;
  /** Secret to derive the key of upload URLs from. */
  readonly secret: Uint8Array;
  readonly now: () => Date;
}

/** Opens the storage of a URL; accesses neither folder nor bucket. @throws Error for an invalid URL */
export function openStorage({ url, folder, env, appUrl, secret, now }: StorageOptions): Storage {
  const bucket = parseStorageUrl(url);
  if (bucket) return s3Storage(bucket, env);
  const key = new Uint8Array(hkdfSync("sha256", secret, "", "parley upload addresses", 32));
  // A file that is incomplete after an hour was left by a crash. The next start retries a failed sweep.
  void sweepPartialFiles(folder, new Date(Date.now() - 3_600_000)).catch(() => undefined);
  return diskStorage({ folder, env, appUrl, secret: key, now });
}

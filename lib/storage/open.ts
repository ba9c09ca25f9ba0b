import { hkdfSync } from "node:crypto";
import type { RotatingSecrets } from "@/lib/settings/keys";
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
  /** Secrets to derive the keys of upload URLs from. */
  readonly secrets: RotatingSecrets;
  readonly now: () => Date;
}

/** Opens the storage of a URL; accesses neither folder nor bucket. @throws Error for an invalid URL */
export function openStorage({ url, folder, env, appUrl, secrets, now }: StorageOptions): Storage {
  const bucket = parseStorageUrl(url);
  if (bucket) return s3Storage(bucket, env);
  const keyOf = (secret: Uint8Array) =>
    new Uint8Array(hkdfSync("sha256", secret, "", "parley upload addresses", 32));
  const [current, ...others] = secrets;
  // A file that is incomplete after an hour was left by a crash. The next start retries a failed sweep.
  void sweepPartialFiles(folder, new Date(Date.now() - 3_600_000)).catch(() => undefined);
  return diskStorage({ folder, env, appUrl, secrets: [keyOf(current), ...others.map(keyOf)], now });
}

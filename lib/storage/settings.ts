/** A bucket and how to reach it. */
export interface BucketSettings {
  /** Address of the bucket, without a slash at its end. */
  readonly endpoint: string;
  /** Where everybody reads its objects, without a slash at its end. */
  readonly publicUrl: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
}

const form = "disk or s3+https://<key id>:<secret>@<host>/<bucket>?region=<region>&public=<https address>";

/**
 * Reads STORAGE_URL: `disk` (null), or a bucket. Key id and secret are percent-encoded, as in any URL; the region is
 * `auto` unless given (what R2 expects); the public address is that of the bucket unless given.
 * @throws Error that says what is wrong and never repeats the value, which holds a secret
 */
export function parseStorageUrl(text: string): BucketSettings | null {
  if (text === "disk") return null;
  const address = /^s3\+(https?:\/\/.+)$/.exec(text)?.[1];
  if (address === undefined || !URL.canParse(address)) throw new Error(`must be ${form}`);
  const url = new URL(address);
  const bucket = url.pathname.replace(/\/+$/, "");
  if (!url.username || !url.password || !/^\/[A-Za-z0-9._-]+$/.test(bucket))
    throw new Error(`must be ${form}`);
  const endpoint = `${url.origin}${bucket}`;
  const publicUrl = (url.searchParams.get("public") ?? endpoint).replace(/\/+$/, "");
  // Readers' browsers load images over https only (components/shell/csp.ts).
  if (!URL.canParse(publicUrl) || new URL(publicUrl).protocol !== "https:") {
    throw new Error("must name an https address as public: browsers load images from nowhere else");
  }
  return {
    endpoint,
    publicUrl,
    accessKeyId: decodeURIComponent(url.username),
    secretAccessKey: decodeURIComponent(url.password),
    region: url.searchParams.get("region") ?? "auto",
  };
}

/**
 * What the addresses of uploads in a bucket begin with, up to a slash; null when this site serves them. Its origin would not
 * do: other people's buckets may have the same.
 */
export function bucketPrefix(storageUrl: string | undefined): string | null {
  const bucket = parseStorageUrl(storageUrl || "disk");
  return bucket && new URL(`${bucket.publicUrl}/`).href;
}

/** Origins that browsers send uploads to besides this site. */
export function uploadOrigins(storageUrl: string | undefined): readonly string[] {
  const bucket = parseStorageUrl(storageUrl || "disk");
  return bucket ? [new URL(bucket.endpoint).origin] : [];
}

/** A bucket and how to reach it. */
export interface BucketSettings {
  /** URL of the bucket, without a trailing slash. */
  readonly endpoint: string;
  /** Public base URL of its objects, without a trailing slash. */
  readonly publicUrl: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
}

/** The form of STORAGE_URL. */
export const STORAGE_FORM =
  "disk or s3+https://<key id>:<secret>@<host>/<bucket>?region=<region>&public=<https address>";

/**
 * Parses STORAGE_URL: `disk` (null), or a bucket. Key id and secret are percent-encoded. The region defaults to `auto`
 * (for R2), the public URL to that of the bucket.
 * @throws Error whose message never contains the value, which includes a secret
 */
export function parseStorageUrl(text: string): BucketSettings | null {
  if (text === "disk") return null;
  const address = /^s3\+(https?:\/\/.+)$/.exec(text)?.[1];
  if (address === undefined || !URL.canParse(address)) throw new Error(`must be ${STORAGE_FORM}`);
  const url = new URL(address);
  const bucket = url.pathname.replace(/\/+$/, "");
  if (!url.username || !url.password || !/^\/[A-Za-z0-9._-]+$/.test(bucket))
    throw new Error(`must be ${STORAGE_FORM}`);
  const endpoint = `${url.origin}${bucket}`;
  const publicUrl = (url.searchParams.get("public") ?? endpoint).replace(/\/+$/, "");
  // The content security policy allows images over https only (lib/http/page-policy.ts).
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
 * Returns the common prefix of upload URLs in a bucket, including its last slash; null if this site serves them. The
 * origin is not enough: other buckets may share it.
 */
export function bucketPrefix(storageUrl: string | undefined): string | null {
  const bucket = parseStorageUrl(storageUrl || "disk");
  return bucket && new URL(`${bucket.publicUrl}/`).href;
}

/** Returns the origins other than this site that browsers send uploads to. */
export function uploadOrigins(storageUrl: string | undefined): readonly string[] {
  const bucket = parseStorageUrl(storageUrl || "disk");
  return bucket ? [new URL(bucket.endpoint).origin] : [];
}

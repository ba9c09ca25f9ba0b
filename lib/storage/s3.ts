import { createHmac } from "node:crypto";
import { AwsV4Signer } from "aws4fetch";
import { LIMITS } from "@/lib/contract/limits";
import type { BucketSettings } from "@/lib/settings/storage-url";
import { type Storage, uploadCaching } from "./index";
import { assertKey, keyUnder, parseKey } from "./keys";

/** Timeout of one request to the bucket. */
const timeoutMs = 30_000;

/** Stores uploads in an S3-compatible bucket (AWS, R2, MinIO). Clients PUT there and read from its public URL. */
export function s3Storage(bucket: BucketSettings, env: string): Storage {
  const { endpoint, publicUrl: publicBase, accessKeyId, secretAccessKey, region } = bucket;
  const base = new URL(publicBase);
  const objectUrl = (key: string) => `${endpoint}/${assertKey(key)}`;
  /** Readers of the bucket cannot guess this URL. */
  const withheldUrl = (key: string) => {
    const name = createHmac("sha256", secretAccessKey)
      .update(`parley withheld\0${assertKey(key)}`)
      .digest("hex");
    return `${endpoint}/withheld/${name}`;
  };

  /** Signs a request of ours or, with `query`, a URL for a client (AWS Signature Version 4). */
  async function signed(method: string, url: string, headers: Record<string, string>, query: boolean) {
    const signer = new AwsV4Signer({
      method,
      url,
      headers,
      accessKeyId,
      secretAccessKey,
      region,
      service: "s3",
      signQuery: query,
      // Also signs type and length, which an upload URL must restrict.
      allHeaders: query,
    });
    return await signer.sign();
  }

  async function request(
    method: string,
    address: string,
    body?: Uint8Array,
    contentType?: string,
  ): Promise<Response> {
    const { url, headers } = await signed(
      method,
      address,
      contentType ? { "content-type": contentType, "cache-control": uploadCaching } : {},
      false,
    );
    const payload = body && Buffer.from(body);
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(url, { method, headers, body: payload, redirect: "error", signal });
    if (response.ok || response.status === 404) return response;
    await response.body?.cancel();
    throw new Error(`the bucket answered ${method} with ${response.status}`);
  }

  async function put(address: string, bytes: Uint8Array, contentType: string): Promise<void> {
    const { status } = await request("PUT", address, bytes, contentType);
    if (status === 404) throw new Error("the bucket does not exist");
  }

  async function read(address: string): Promise<Uint8Array | null> {
    const response = await request("GET", address);
    if (response.status === 404 || !response.body) return null;
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body) {
      size += chunk.length;
      if (size > LIMITS.upload.bytes) throw new Error("an object in the bucket exceeds the upload limit");
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  /** Lists a thousand keys at a time (ListObjectsV2), each page from where the last one ended. */
  async function* list(prefix: string): AsyncGenerator<string> {
    for (let last = ""; ; ) {
      const query = new URLSearchParams({
        "list-type": "2",
        "encoding-type": "url",
        prefix,
        "start-after": last,
      });
      const page = await (await request("GET", `${endpoint}?${query}`)).text();
      const names = [...page.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, name = ""]) =>
        decodeURIComponent(name),
      );
      yield* names;
      last = names.at(-1) ?? "";
      if (last === "" || !page.includes("<IsTruncated>true</IsTruncated>")) return;
    }
  }

  async function move(key: string, from: string, to: string): Promise<void> {
    const bytes = await read(from);
    if (!bytes) return;
    await put(to, bytes, parseKey(key)?.contentType ?? "");
    await request("DELETE", from);
  }

  return {
    env,
    local: null,
    put: (key, bytes, contentType) => put(objectUrl(key), bytes, contentType),
    read: (key) => read(objectUrl(key)),
    readWithheld: (key) => read(withheldUrl(key)),
    async *keys() {
      for await (const name of list(`${env}/`)) if (parseKey(name)) yield name;
    },
    withhold: (key) => move(key, objectUrl(key), withheldUrl(key)),
    restore: (key) => move(key, withheldUrl(key), objectUrl(key)),
    async remove(keys) {
      let removed = 0;
      for (const address of keys.flatMap((key) => [objectUrl(key), withheldUrl(key)])) {
        // DELETE answers 204 whether the object existed or not.
        const head = await request("HEAD", address);
        if (head.status === 404) continue;
        await request("DELETE", address);
        removed += 1;
      }
      return removed;
    },
    async uploadUrl(key, { contentType, size, expiresInSeconds }) {
      const address = `${objectUrl(key)}?X-Amz-Expires=${expiresInSeconds}`;
      const headers = { "content-type": contentType, "content-length": String(size) };
      return (await signed("PUT", address, headers, true)).url.href;
    },
    publicUrl: (key) => `${publicBase}/${assertKey(key)}`,
    htmlUrl: (key) => `${publicBase}/${assertKey(key)}`,
    keyOf(url) {
      const key = keyUnder(base, url);
      return key && parseKey(key)?.env === env ? key : null;
    },
  };
}

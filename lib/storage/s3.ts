import { createHmac } from "node:crypto";
import { AwsV4Signer } from "aws4fetch";
import { LIMITS } from "@/lib/contract/limits";
import { type Storage, uploadCaching } from "./index";
import { assertKey, keyUnder, parseKey } from "./keys";
import type { BucketSettings } from "./settings";

/** Longest wait for the bucket. */
const timeoutMs = 30_000;

/** Uploads in a bucket that speaks S3 (AWS, R2, MinIO): clients PUT there, and read from its public address. */
export function s3Storage(bucket: BucketSettings, env: string): Storage {
  const { endpoint, publicUrl: publicBase, accessKeyId, secretAccessKey, region } = bucket;
  const base = new URL(publicBase);
  const objectUrl = (key: string) => `${endpoint}/${assertKey(key)}`;
  /** Readers of the bucket cannot guess it, and nobody is told. */
  const withheldUrl = (key: string) => {
    const name = createHmac("sha256", secretAccessKey)
      .update(`parley withheld\0${assertKey(key)}`)
      .digest("hex");
    return `${endpoint}/withheld/${name}`;
  };

  /** Signs a request of ours or, with `query`, an address for somebody else's (AWS Signature Version 4). */
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
      // Type and length belong to what an upload address allows; without this they stay unsigned.
      allHeaders: query,
    });
    return await signer.sign();
  }

  async function ask(
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
    const { status } = await ask("PUT", address, bytes, contentType);
    if (status === 404) throw new Error("the bucket does not exist");
  }

  async function read(address: string): Promise<Uint8Array | null> {
    const response = await ask("GET", address);
    if (response.status === 404 || !response.body) return null;
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body) {
      size += chunk.length;
      if (size > LIMITS.upload.bytes)
        throw new Error("an object of the bucket is larger than an upload may be");
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  async function move(key: string, from: string, to: string): Promise<void> {
    const bytes = await read(from);
    if (!bytes) return;
    await put(to, bytes, parseKey(key)?.contentType ?? "");
    await ask("DELETE", from);
  }

  return {
    env,
    local: null,
    put: (key, bytes, contentType) => put(objectUrl(key), bytes, contentType),
    read: (key) => read(objectUrl(key)),
    withhold: (key) => move(key, objectUrl(key), withheldUrl(key)),
    restore: (key) => move(key, withheldUrl(key), objectUrl(key)),
    async remove(keys) {
      let removed = 0;
      for (const address of keys.flatMap((key) => [objectUrl(key), withheldUrl(key)])) {
        // DELETE answers 204 whether there was something or not.
        const head = await ask("HEAD", address);
        if (head.status === 404) continue;
        await ask("DELETE", address);
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

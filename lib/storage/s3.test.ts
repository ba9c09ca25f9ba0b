import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type BucketSettings,
  bucketPrefix,
  parseStorageUrl,
  uploadOrigins,
} from "@/lib/settings/storage-url";
import { newKey } from "./keys";
import { s3Storage } from "./s3";
import { type StubBucket, startStubBucket } from "./testing/stub-bucket";

const credentials = {
  accessKeyId: "AKIDEXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
};
let stub: StubBucket;
let bucket: BucketSettings;
beforeAll(async () => {
  stub = await startStubBucket({ ...credentials, region: "auto", name: "parley" });
  bucket = { ...credentials, region: "auto", endpoint: stub.url, publicUrl: "https://cdn.example/p" };
});
afterAll(() => stub.close());

const storage = (changes: Partial<BucketSettings> = {}) => s3Storage({ ...bucket, ...changes }, "test");
const aKey = () => newKey({ env: "test", purpose: "post", userId: "u_1", contentType: "image/png" });
const bytes = new Uint8Array([1, 2, 3, 4]);
const put = async (url: string, body: Uint8Array, type: string) =>
  (await fetch(url, { method: "PUT", headers: { "content-type": type }, body: Buffer.from(body) })).status;

describe("a bucket, at a stub that checks signatures", () => {
  it("stores, reads and removes", async () => {
    const key = aKey();
    expect(await storage().read(key)).toBeNull();
    await storage().put(key, bytes, "image/png");
    expect(stub.objects.get(key)).toMatchObject({ contentType: "image/png" });
    expect(Buffer.from((await storage().read(key)) ?? []).equals(bytes)).toBe(true);
    expect(await storage().remove([key, aKey()])).toBe(1);
    expect(stub.objects.has(key)).toBe(false);
  });

  it("security F4: withholds where no reader of the bucket finds it, and brings it back", async () => {
    const key = aKey();
    await storage().put(key, bytes, "image/png");
    expect(stub.objects.get(key)).toBeDefined();
    // Twice is as good as once.
    for (let time = 0; time < 2; time += 1) await storage().withhold(key);
    expect(stub.objects.has(key)).toBe(false);
    const hidden = [...stub.objects.keys()].filter((name) => /^withheld\/[0-9a-f]{64}$/.test(name));
    expect(hidden).toHaveLength(1);
    for (let time = 0; time < 2; time += 1) await storage().restore(key);
    expect(Buffer.from((await storage().read(key)) ?? []).equals(bytes)).toBe(true);
    await storage().withhold(key);
    expect(await storage().remove([key])).toBe(1);
    expect(stub.objects.has(hidden[0] ?? "")).toBe(false);
  });

  it("lists its keys page by page, without withheld ones and those of others", async () => {
    stub.objects.clear();
    const keys = Array.from({ length: 5 }, aKey).sort();
    for (const key of keys) await storage().put(key, bytes, "image/png");
    stub.objects.set("test/not-ours.txt", { contentType: "text/plain", bytes: Buffer.alloc(1) });
    await s3Storage(bucket, "other").put(aKey().replace("test/", "other/"), bytes, "image/png");
    const [withheld = "", ...rest] = keys;
    await storage().withhold(withheld);
    const listed: string[] = [];
    for await (const key of storage().keys()) listed.push(key);
    expect(listed).toEqual(rest);
    expect(Buffer.from((await storage().readWithheld(withheld)) ?? []).equals(bytes)).toBe(true);
    expect(await storage().readWithheld(rest[0] ?? "")).toBeNull();
  });

  it("is refused with another secret", async () => {
    const other = storage({ secretAccessKey: "another" });
    await expect(other.put(aKey(), bytes, "image/png")).rejects.toThrow("the bucket answered PUT with 403");
    await expect(other.read(aKey())).rejects.toThrow("403");
    await expect(other.remove([aKey()])).rejects.toThrow("403");
  });

  it("does not read what is larger than an upload", async () => {
    const key = aKey();
    stub.objects.set(key, { contentType: "image/png", bytes: Buffer.alloc(10_000_001) });
    await expect(storage().read(key)).rejects.toThrow("exceeds the upload limit");
  });
});

describe("a presigned upload address", () => {
  const grant = { contentType: "image/png", size: 4, expiresInSeconds: 600 } as const;

  it("takes exactly the type and size it was signed for", async () => {
    const key = aKey();
    const url = await storage().uploadUrl(key, grant);
    expect(new URL(url).searchParams.get("X-Amz-Expires")).toBe("600");
    expect(new URL(url).searchParams.get("X-Amz-SignedHeaders")).toBe("content-length;content-type;host");
    expect(await put(url, new Uint8Array(5), "image/png")).toBe(403);
    expect(await put(url, bytes, "text/html")).toBe(403);
    expect(stub.objects.has(key)).toBe(false);
    expect(await put(url, bytes, "image/png")).toBe(200);
    expect(stub.objects.get(key)?.bytes).toEqual(Buffer.from(bytes));
  });

  it("takes no other key, no other signature and nothing after its time", async () => {
    const key = aKey();
    const url = await storage().uploadUrl(key, grant);
    expect(await put(url.replace("/u_1/", "/u_2/"), bytes, "image/png")).toBe(403);
    const forged = new URL(url);
    forged.searchParams.set("X-Amz-Signature", "0".repeat(64));
    expect(await put(forged.href, bytes, "image/png")).toBe(403);
    const longer = new URL(url);
    longer.searchParams.set("X-Amz-Expires", "604800");
    expect(await put(longer.href, bytes, "image/png")).toBe(403);
    stub.aheadSeconds = 601;
    expect(await put(url, bytes, "image/png")).toBe(403);
    stub.aheadSeconds = 0;
    expect(stub.objects.has(key)).toBe(false);
  });
});

describe("addresses of a bucket", () => {
  it("are under its public address, in HTML too", () => {
    const key = aKey();
    const url = `https://cdn.example/p/${key}`;
    expect(storage().publicUrl(key)).toBe(url);
    expect(storage().htmlUrl(key)).toBe(url);
    expect(storage().keyOf(url)).toBe(key);
    expect(storage().keyOf(`/uploads/${key}`)).toBeNull();
    expect(storage().keyOf(`https://cdn.example/q/${key}`)).toBeNull();
    expect(s3Storage(bucket, "other").keyOf(url)).toBeNull();
    expect(storage().local).toBeNull();
  });
});

describe("STORAGE_URL", () => {
  const good = "s3+https://id:se%2Fcret@acc.r2.example/parley?region=eu-1&public=https://cdn.example/p/";

  it("names a bucket", () => {
    expect(parseStorageUrl("disk")).toBeNull();
    expect(parseStorageUrl(good)).toEqual({
      endpoint: "https://acc.r2.example/parley",
      publicUrl: "https://cdn.example/p",
      accessKeyId: "id",
      secretAccessKey: "se/cret",
      region: "eu-1",
    });
    expect(parseStorageUrl("s3+https://id:secret@h.example/b")).toMatchObject({
      publicUrl: "https://h.example/b",
      region: "auto",
    });
    expect(uploadOrigins(good)).toEqual(["https://acc.r2.example"]);
    expect(uploadOrigins(undefined)).toEqual([]);
    expect(bucketPrefix(good)).toBe("https://cdn.example/p/");
    expect(bucketPrefix("s3+https://id:secret@h.example/b")).toBe("https://h.example/b/");
    expect(bucketPrefix(undefined)).toBeNull();
  });

  it.each([
    "",
    "/var/uploads",
    "s3://id:hush@h.example/b",
    "s3+https://h.example/b",
    "s3+https://id@h.example/b",
    "s3+https://id:hush@h.example/",
    "s3+https://id:hush@h.example/b/c",
    "s3+http://id:hush@h.example/b",
    "s3+https://id:hush@h.example/b?public=http://cdn.example",
    "s3+https://id:hush@h.example/b?public=cdn.example",
  ])("%s is refused, and its secret not repeated", (text) => {
    expect(() => parseStorageUrl(text)).toThrow(/^must /);
    expect(() => parseStorageUrl(text)).not.toThrow("hush");
  });
});

import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { diskStorage, sweepPartialFiles } from "./disk";
import { newKey, parseKey } from "./keys";

const appUrl = "https://parley.example";
const uuid = "0b8f2b5e-9a3c-4a50-8b1f-0c2d5a4f7e61";
const userId = "u_1";
let folder: string;
let clock = Date.parse("2026-01-01T00:00:00Z");
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "parley-disk-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const storage = () =>
  diskStorage({
    folder,
    env: "test",
    appUrl,
    secrets: [new Uint8Array(32).fill(7)],
    now: () => new Date(clock),
  });
const aKey = () => newKey({ env: "test", purpose: "post", userId, contentType: "image/png" });

describe("keys", () => {
  it("security F12: name a file by nothing that its client called it", () => {
    const key = aKey();
    const id = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}";
    expect(key).toMatch(new RegExp(`^test/posts/${userId}/${id}/${id}\\.png$`));
    expect(parseKey(key)).toEqual({ env: "test", purpose: "post", userId, contentType: "image/png" });
  });

  it.each([
    `test/posts/${userId}/${uuid}/../${uuid}/a.png`,
    `test/posts/../posts/${userId}/${uuid}/a.png`,
    `test/posts/${userId}/${uuid}/.png`,
    `test/posts/${userId}/${uuid}/a.svg`,
    `test/posts/${userId}/${uuid}/a.png/`,
    `test/posts/${userId}/${uuid}/a.png\n`,
    `test/posts/${userId}/${uuid}/a%2e.png`,
    `/test/posts/${userId}/${uuid}/a.png`,
    `test/secrets/${userId}/${uuid}/a.png`,
    `test/posts//${uuid}/a.png`,
    "secrets.json",
    "",
  ])("%j is none, and no file is opened for it", async (key) => {
    expect(parseKey(key)).toBeNull();
    await expect(storage().put(key, new Uint8Array(1), "image/png")).rejects.toThrow("not a storage key");
    await expect(storage().read(key)).rejects.toThrow("not a storage key");
    await expect(storage().remove([key])).rejects.toThrow("not a storage key");
  });
});

describe("addresses", () => {
  const key = `test/posts/${userId}/${uuid}/a.png`;

  it.each([
    `${appUrl}/uploads/${key}`,
    `/uploads/${key}`,
    `HTTPS://PARLEY.example:443/uploads/${key}?x=1#y`,
    `${appUrl}/uploads/./${key}`,
    `${appUrl}/api/../uploads/${key}`,
    `${appUrl}\\uploads\\${key}`,
  ])("%s is ours", (url) => {
    expect(storage().keyOf(url)).toBe(key);
  });

  it.each([
    `http://parley.example/uploads/${key}`,
    `https://parley.example:444/uploads/${key}`,
    `https://parley.example.evil.example/uploads/${key}`,
    `https://user:pass@parley.example/uploads/${key}`,
    `//evil.example/uploads/${key}`,
    `/uploads//${key}`,
    `/uploads/${key.replaceAll("/", "%2f")}`,
    `/uploads/other/posts/${userId}/${uuid}/a.png`,
    `/uploads/../secrets.json`,
    `uploads/${key}`,
    "data:image/png;base64,AAAA",
    "javascript:alert(1)",
    "",
  ])("%s is not", (url) => {
    expect(storage().keyOf(url)).toBeNull();
  });

  it("come back as what they were made from", () => {
    expect(storage().keyOf(storage().publicUrl(key))).toBe(key);
    expect(storage().keyOf(storage().htmlUrl(key))).toBe(key);
    expect(storage().publicUrl(key)).toBe(`${appUrl}/uploads/${key}`);
    expect(storage().htmlUrl(key)).toBe(`/uploads/${key}`);
  });
});

describe("files", () => {
  it("are there whole, once, and gone with their folder", async () => {
    const key = aKey();
    const bytes = new Uint8Array(200_000).map((_, i) => i % 251);
    expect(await storage().read(key)).toBeNull();
    expect(await storage().local?.open(key)).toBeNull();
    await storage().put(key, bytes, "image/png");
    expect(Buffer.from((await storage().read(key)) ?? []).equals(bytes)).toBe(true);
    const file = await storage().local?.open(key);
    expect(file).toMatchObject({ contentType: "image/png", size: bytes.length });
    expect(Buffer.from(await new Response(file?.body).arrayBuffer()).equals(bytes)).toBe(true);
    expect(await readdir(path.join(folder, ".partial"))).toEqual([]);
    expect(await storage().remove([key, key])).toBe(1);
    expect(await readdir(path.join(folder, "test/posts", userId))).toEqual([]);
  });

  it("half written ones are swept when they are old", async () => {
    const aside = path.join(folder, ".partial");
    await mkdir(aside, { recursive: true });
    for (const name of ["old", "new"]) await writeFile(path.join(aside, name), "x");
    await utimes(path.join(aside, "old"), 1, 1);
    await sweepPartialFiles(folder, new Date(Date.now() - 60_000));
    expect(await readdir(aside)).toEqual(["new"]);
    await sweepPartialFiles(path.join(folder, "nowhere"), new Date());
  });
});

describe("upload addresses", () => {
  const grant = { contentType: "image/png", size: 1234, expiresInSeconds: 600 } as const;
  const read = (url: string) => storage().local?.readUploadUrl(url);

  it("say what they allow, until they end", async () => {
    const key = aKey();
    const url = await storage().uploadUrl(key, grant);
    expect(read(url)).toEqual({ key, contentType: "image/png", size: 1234 });
    clock += 599_000;
    expect(read(url)).not.toBeNull();
    clock += 1_000;
    expect(read(url)).toBeNull();
  });

  it("hold for nothing else", async () => {
    const url = new URL(await storage().uploadUrl(aKey(), grant));
    const changed = (name: string, value: string) => {
      const other = new URL(url);
      other.searchParams.set(name, value);
      return other.href;
    };
    expect(read(url.href)).not.toBeNull();
    expect(read(changed("type", "image/gif"))).toBeNull();
    expect(read(changed("size", "1235"))).toBeNull();
    expect(read(changed("size", "01234"))).not.toBeNull(); // the same number
    expect(read(changed("expires", "99999999999"))).toBeNull();
    expect(read(changed("signature", "0".repeat(64)))).toBeNull();
    expect(read(changed("signature", "x"))).toBeNull();
    expect(read(url.href.replace("/u_1/", "/u_2/"))).toBeNull();
    expect(read(url.origin + url.pathname)).toBeNull();
    const foreign = diskStorage({
      folder,
      env: "test",
      appUrl,
      secrets: [new Uint8Array(32)],
      now: () => new Date(clock),
    });
    expect(foreign.local?.readUploadUrl(url.href)).toBeNull();
    const rotated = diskStorage({
      ...{ folder, env: "test", appUrl, now: () => new Date(clock) },
      secrets: [new Uint8Array(32), new Uint8Array(32).fill(7)],
    });
    expect(rotated.local?.readUploadUrl(url.href)).not.toBeNull();
  });
});

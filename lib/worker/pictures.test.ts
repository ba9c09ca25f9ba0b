import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { picturesCache } from "@/lib/client/saved";
import { memoryCaches } from "./testing";

/** Copies of pictures leave a device once the server says that they ended. */
const origin = "https://parley.example";
const [kept, ended] = [
  `${origin}/uploads/production/posts/u/a.png`,
  `${origin}/uploads/production/posts/u/b.png`,
];
const hashOf = (url: string) => createHash("sha256").update(new URL(url).pathname).digest("hex");

let list: () => Promise<Response>;
let asked: number;
let pictures: typeof import("./pictures");
beforeEach(async () => {
  vi.stubGlobal("caches", memoryCaches(origin));
  asked = 0;
  list = async () => Response.json({ addresses: [hashOf(ended)] });
  vi.stubGlobal("fetch", async (path: string) => {
    expect(path).toBe("/api/upload/removed");
    asked += 1;
    return await list();
  });
  // It remembers when it asked.
  vi.resetModules();
  pictures = await import("./pictures");
});
afterEach(() => vi.unstubAllGlobals());

async function store(...urls: string[]) {
  const cache = await caches.open(picturesCache);
  for (const url of urls) await cache.put(url, new Response("picture"));
}
const stored = async () => (await (await caches.open(picturesCache)).keys()).map(({ url }) => url);

describe("pictures that ended", () => {
  it("are deleted, and the others stay", async () => {
    await store(kept, ended);
    await pictures.forgetRemoved();
    expect(await stored()).toEqual([kept]);
  });

  it("are asked for every 30 seconds, and not without any copies", async () => {
    await pictures.forgetRemoved(0);
    expect(asked).toBe(0);
    await store(kept);
    for (const now of [0, 1, 29_999]) await pictures.forgetRemoved(now);
    expect(asked).toBe(1);
    await store(ended);
    await pictures.forgetRemoved(30_000);
    expect(asked).toBe(2);
    expect(await stored()).toEqual([kept]);
  });

  it.each([
    ["offline", () => Promise.reject(new TypeError("offline"))],
    ["with an error", async () => new Response("busy", { status: 503 })],
    ["with anything else", async () => Response.json({ other: 1 })],
  ])("are asked for again where the server answered %s", async (_, answer) => {
    await store(kept, ended);
    const good = list;
    list = answer;
    await pictures.forgetRemoved(0);
    expect(await stored()).toEqual([kept, ended]);
    list = good;
    await pictures.forgetRemoved(1);
    expect(await stored()).toEqual([kept]);
  });

  it.each([
    [404, [kept]],
    [403, [kept]],
    [410, [kept]],
    [200, [kept, ended]],
    [503, [kept, ended]],
  ])("are deleted where the server answers for one with %i", async (status, left) => {
    await store(kept, ended);
    await pictures.forgetIfGone(new Request(ended), new Response(null, { status }));
    expect(await stored()).toEqual(left);
  });
});

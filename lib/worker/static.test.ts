import { beforeEach, describe, expect, it, vi } from "vitest";
import { actionsCache, asset, keepActions, keepAssets, staticCache } from "./static";
import { memoryCaches } from "./testing";

const at = "https://parley.example";
const script = (name: string) => `/_next/static/chunks/${name}.js`;
const network = vi.fn(async (input: RequestInfo | URL) => new Response(String(input)));
const names = async (cache: string) =>
  (await (await caches.open(cache)).keys()).map(({ url }) => new URL(url).pathname).toSorted();

beforeEach(() => {
  network.mockClear();
  vi.stubGlobal("caches", memoryCaches(at));
  vi.stubGlobal("fetch", network);
});

describe("scripts and styles", () => {
  it("come from the network once, and from what is kept afterwards", async () => {
    const works: Promise<unknown>[] = [];
    const get = () => asset(new Request(at + script("a")), (work) => void works.push(work));
    await get();
    await Promise.all(works);
    await get();
    expect(network).toHaveBeenCalledTimes(1);
  });

  it("are not kept when they are gone", async () => {
    network.mockResolvedValueOnce(new Response("", { status: 404 }));
    const works: Promise<unknown>[] = [];
    await asset(new Request(at + script("a")), (work) => void works.push(work));
    expect(works).toEqual([]);
  });

  it("of actions are those of this build, and are fetched once for pages and actions", async () => {
    await keepAssets([script("a")]);
    await keepActions([script("a"), script("b")]);
    expect(await names(actionsCache)).toEqual([script("a"), script("b")]);
    await keepActions([script("b"), script("c")]);
    expect(await names(actionsCache)).toEqual([script("b"), script("c")]);
    // A page of the older build still has its scripts.
    expect(await names(staticCache)).toEqual([script("a")]);
    expect(network.mock.calls.map(([address]) => address)).toEqual([script("a"), script("b"), script("c")]);
  });

  it("that cannot be fetched now are left for later", async () => {
    network.mockRejectedValueOnce(new TypeError("Failed to fetch"));
    await keepActions([script("a")]);
    expect(await names(actionsCache)).toEqual([]);
    await keepActions([script("a")]);
    expect(await names(actionsCache)).toEqual([script("a")]);
  });

  it("of pages are at most six hundred, the latest", async () => {
    await keepAssets(Array.from({ length: 601 }, (_, n) => script(`n${n}`)));
    const found = await names(staticCache);
    expect(found).toHaveLength(600);
    expect(found).not.toContain(script("n0"));
  });
});

import { beforeEach, describe, expect, it, vi } from "vitest";
import { forgetOthers, picturesCache, savedOwner } from "@/lib/client/saved";
import { fetchAndKeep, forget, keep, saved } from "./saved";
import { memoryCaches, pageOf } from "./testing";

const at = "https://parley.example";
const post = `${at}/posts/6f0a1c9e-8d57-4b1e-9a43-0c5d2b7e1f00`;
const textOf = async (address: string) => (await saved(address))?.text();

beforeEach(() => {
  vi.useRealTimers();
  vi.stubGlobal("caches", memoryCaches());
});

describe("pages that are kept", () => {
  it("come back with their policy, marked with when they were kept", async () => {
    vi.useFakeTimers({ now: Date.parse("2026-11-22T12:00:00Z"), toFake: ["Date"] });
    expect(await keep(post, pageOf("u_ada", "a secret plan"))).toBe(true);
    const copy = await saved(`${post}#comment-1`);
    expect(copy?.headers.get("content-security-policy")).toBe("nonce-1");
    expect(await copy?.text()).toContain(
      '<head><meta name="parley-saved-at" content="2026-11-22T12:00:00.000Z"/>',
    );
  });

  it.each([401, 403, 404])(
    "security F19: the copy goes once the page is closed to its reader (%i)",
    async (status) => {
      await keep(post, pageOf("u_ada", "a secret plan"));
      await keep(`${at}/`, pageOf("u_ada", "feed"));
      expect(await keep(post, new Response("Not found", { status }))).toBe(false);
      expect(await saved(post)).toBeNull();
      expect(await textOf(`${at}/`)).toContain("feed");
    },
  );

  it("are of one reader: the next one's first page takes all of them away", async () => {
    await keep(post, pageOf("u_ada", "a secret plan"));
    await (await caches.open(picturesCache)).put(`${at}/uploads/1.png`, new Response("x"));
    await keep(`${at}/`, pageOf("u_bela", "feed"));
    expect(await saved(post)).toBeNull();
    expect(await caches.keys()).toEqual(["parley-pages-u_bela"]);
    expect(await savedOwner()).toBe("u_bela");
  });

  it("are gone when somebody else, or nobody, turns out to read", async () => {
    await keep(post, pageOf("u_ada"));
    await forgetOthers("u_ada");
    expect(await saved(post)).not.toBeNull();
    await forgetOthers("guest");
    expect(await saved(post)).toBeNull();
  });

  it("are shown to nobody when it is not certain whose they are", async () => {
    await keep(post, pageOf("u_ada"));
    await caches.open("parley-pages-u_bela");
    expect(await saved(post)).toBeNull();
  });

  it("are not kept when everything is forgotten while they are fetched", async () => {
    const slow = pageOf("u_ada");
    let answer = () => {};
    const text = slow.text.bind(slow);
    slow.text = () =>
      new Promise((resolve) => {
        answer = () => resolve(text());
      });
    const opened = vi.spyOn(caches, "open");
    const keeping = keep(post, slow);
    await forget();
    answer();
    expect(await keeping).toBe(false);
    expect(opened).not.toHaveBeenCalled();
    expect(await caches.keys()).toEqual([]);
  });

  it("are not kept when everything is forgotten while they are written", async () => {
    const cache = await caches.open("parley-pages-u_ada");
    const put = cache.put.bind(cache);
    cache.put = async (key, response) => {
      await forget();
      await (await caches.open("parley-pages-u_ada")).put(key, response.clone());
      await put(key, response);
    };
    expect(await keep(post, pageOf("u_ada"))).toBe(false);
    expect(await saved(post)).toBeNull();
  });

  it("say whose they are, or are not kept", async () => {
    expect(await keep(post, pageOf(null))).toBe(false);
    expect(await keep(`${at}/sign-in`, pageOf("guest"))).toBe(false);
    expect(await keep(post, pageOf("guest", "x", { status: 500 }))).toBe(false);
    expect(await caches.keys()).toEqual([]);
  });

  it("last a week, and sixty of them", async () => {
    vi.useFakeTimers({ now: 0, toFake: ["Date"] });
    await keep(post, pageOf("u_ada"));
    vi.setSystemTime(7 * 86_400_000);
    expect(await saved(post)).not.toBeNull();
    vi.setSystemTime(7 * 86_400_000 + 1);
    expect(await saved(post)).toBeNull();
    const others = Array.from(
      { length: 61 },
      (_, n) => `${at}/posts/6f0a1c9e-8d57-4b1e-9a43-0c5d2b7e1${100 + n}`,
    );
    for (const address of others) await keep(address, pageOf("u_ada"));
    expect(await saved(others[0] ?? "")).toBeNull();
    expect(await saved(others[1] ?? "")).not.toBeNull();
    expect(await saved(others[60] ?? "")).not.toBeNull();
  });
});

describe("a page reached without loading its document", () => {
  it("is fetched as nobody's view and kept, at most every two minutes", async () => {
    vi.useFakeTimers({ now: 0, toFake: ["Date"] });
    const asked = vi.fn(async (_address: string, init?: RequestInit) => {
      expect(new Headers(init?.headers).get("x-parley-saving")).toBe("1");
      return pageOf("u_ada", `read ${asked.mock.calls.length}`);
    });
    vi.stubGlobal("fetch", asked);
    await fetchAndKeep(`${post}?_rsc=abc`);
    expect(asked.mock.calls[0]?.[0]).toBe(post);
    expect(await textOf(post)).toContain("read 1");
    vi.setSystemTime(119_000);
    await fetchAndKeep(post);
    expect(asked).toHaveBeenCalledTimes(1);
    vi.setSystemTime(120_000);
    await fetchAndKeep(post);
    expect(await textOf(post)).toContain("read 2");
    await fetchAndKeep(`${at}/profile`);
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it("is left alone when there is no network", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
    await fetchAndKeep(post);
    expect(await caches.keys()).toEqual([]);
  });
});

import { readFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { CEREMONY_PREFIX, CHUNK_POINTS, pointsPart } from "@/lib/proofs/ceremony";
import { CEREMONY_CRS } from "@/lib/proofs/testing/crs";
import { ceremonyPoints, keepPoints } from "./points";
import type { ProvingStore } from "./store";

let real: Uint8Array;
beforeAll(async () => {
  real = new Uint8Array(await readFile(path.join(CEREMONY_CRS, "bn254_g1.dat")));
});

function memoryStore(): ProvingStore & { readonly kept: Map<string, Uint8Array> } {
  const kept = new Map<string, Uint8Array>();
  return {
    kept,
    read: async (name) => kept.get(name) ?? null,
    write: async (name, bytes) => void kept.set(name, bytes),
    names: async (prefix) => [...kept.keys()].filter((name) => name.startsWith(prefix)),
  };
}

/** Answers by the first part of an address; what has no answer cannot be reached. */
function sources(answers: Readonly<Record<string, () => Response>>) {
  const asked: { url: string; range: string | null }[] = [];
  const fetchPoints: typeof fetch = async (input, init) => {
    const url = String(input);
    asked.push({ url, range: new Headers(init?.headers).get("range") });
    const answer = Object.entries(answers).find(([start]) => url.startsWith(start))?.[1];
    if (!answer) throw new TypeError("network");
    return answer();
  };
  return { asked, fetch: fetchPoints };
}

/** Bytes as an answer; a copy, which the types of a body want. */
const answer = (bytes: Uint8Array, status = 206) => new Response(new Uint8Array(bytes), { status });
const quiet = () => undefined;
/** Two million numbers, one by one, would take half a minute. */
const isSame = (a: Uint8Array, b: Uint8Array) => Buffer.from(a).equals(b);

describe("a small circuit's points", () => {
  it("are fetched whole, checked, kept, and not fetched again", async () => {
    const store = memoryStore();
    const here = sources({ "https://here/": () => answer(real) });
    const seen: number[] = [];
    const parts = {
      store,
      sources: ["https://here"],
      fetch: here.fetch,
      onFraction: (f: number) => seen.push(f),
    };
    const points = await ceremonyPoints(512, parts);
    expect(points).toMatchObject({ count: CEREMONY_PREFIX.points, compressed: false });
    expect(here.asked).toEqual([{ url: "https://here/g1.dat", range: `bytes=0-${32_769 * 64 - 1}` }]);
    expect(seen.at(-1)).toBe(1);
    const again = await ceremonyPoints(512, parts);
    expect(isSame(again.bytes, points.bytes)).toBe(true);
    expect(here.asked).toHaveLength(1);
  });

  it("of a source that changes one bit are passed over for the next one's", async () => {
    const bent = real.slice();
    bent[20_000 * 64] = (bent[20_000 * 64] ?? 0) ^ 1;
    const here = sources({ "https://bent/": () => answer(bent), "https://here/": () => answer(real) });
    const parts = { store: memoryStore(), fetch: here.fetch, onFraction: quiet };
    const points = await ceremonyPoints(512, { ...parts, sources: ["https://bent", "https://here"] });
    expect(isSame(points.bytes, real)).toBe(true);
    const store = memoryStore();
    await expect(ceremonyPoints(512, { ...parts, store, sources: ["https://bent"] })).rejects.toMatchObject({
      code: "points_wrong",
    });
    expect(store.kept.size).toBe(0);
  });

  it.each([
    ["nobody answers", {}],
    ["the answer is an error", { "https://here/": () => answer(real, 404) }],
    ["the answer is short", { "https://here/": () => answer(new Uint8Array(64)) }],
  ])("are unavailable when %s", async (_, answers) => {
    const { fetch } = sources(answers);
    const parts = { store: memoryStore(), sources: ["https://here"], fetch, onFraction: quiet };
    await expect(ceremonyPoints(512, parts)).rejects.toMatchObject({ code: "points_unavailable" });
  });

  it("come from a source that knows no ranges too", async () => {
    const longer = new Uint8Array(real.length + 640);
    longer.set(real);
    const { fetch } = sources({ "https://here/": () => answer(longer, 200) });
    const parts = { store: memoryStore(), sources: ["https://here"], fetch, onFraction: quiet };
    expect((await ceremonyPoints(512, parts)).bytes).toHaveLength(32_769 * 64);
  });
});

describe("a large circuit's points", () => {
  it("are fetched compressed, in whole pieces, for bb to check", async () => {
    expect(pointsPart(2 ** 17)).toEqual({
      form: "compressed",
      points: CHUNK_POINTS,
      bytes: CHUNK_POINTS * 32,
    });
    expect(pointsPart(2 ** 18).points).toBe(2 * CHUNK_POINTS);
    expect(pointsPart(32_769).points).toBe(CHUNK_POINTS);
    expect(pointsPart(32_768).form).toBe("plain");
    const here = sources({ "https://here/": () => answer(new Uint8Array(CHUNK_POINTS * 32)) });
    const store = memoryStore();
    const parts = { store, sources: ["https://here"], fetch: here.fetch, onFraction: quiet };
    expect(await ceremonyPoints(2 ** 17, parts)).toMatchObject({ compressed: true, count: CHUNK_POINTS });
    expect(here.asked[0]).toEqual({ url: "https://here/g1_compressed.dat", range: "bytes=0-4194303" });
    expect(store.kept.size, "kept only once bb has checked them").toBe(0);
  });

  it("serve smaller circuits too, once they are kept; smaller ones do not serve a larger", async () => {
    const store = memoryStore();
    await keepPoints(new Uint8Array(CHUNK_POINTS * 64), store);
    const none = sources({});
    const parts = { store, sources: ["https://here"], fetch: none.fetch, onFraction: quiet };
    expect(await ceremonyPoints(512, parts)).toMatchObject({ count: CHUNK_POINTS, compressed: false });
    await expect(ceremonyPoints(2 ** 18, parts)).rejects.toMatchObject({ code: "points_unavailable" });
  });
});

import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { bn254 } from "@noble/curves/bn254.js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { CEREMONY_G2, CEREMONY_PREFIX, POINT_BYTES } from "./ceremony";
import { ceremonyFile, compress, type PointsFile, pointsStream } from "./ceremony.server";
import { CEREMONY_CRS } from "./testing/crs";

let home: string;
let file: PointsFile;
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), "parley-points-"));
  const found = await ceremonyFile({ CRS_PATH: CEREMONY_CRS, PARLEY_CACHE: home });
  if (!found) throw new Error("no points for tests");
  file = found;
});
afterAll(() => rm(home, { recursive: true, force: true }));

const here = new AbortController().signal;
const bytesOf = async (stream: ReadableStream<Uint8Array>) =>
  new Uint8Array(await new Response(stream).arrayBuffer());

it("structure 1: the points in the repository are the ceremony's", async () => {
  const [g1, g2] = await Promise.all(
    ["bn254_g1.dat", "bn254_g2.dat"].map((name) => readFile(path.join(CEREMONY_CRS, name))),
  );
  expect(g1).toHaveLength(CEREMONY_PREFIX.points * POINT_BYTES);
  expect(
    createHash("sha256")
      .update(Buffer.from(g1 ?? ""))
      .digest("hex"),
  ).toBe(CEREMONY_PREFIX.sha256);
  expect(Buffer.from(CEREMONY_G2).equals(Buffer.from(g2 ?? ""))).toBe(true);
});

it("the ceremony's points are found by what they are; what is not theirs is passed over", async () => {
  expect(file.points).toBe(CEREMONY_PREFIX.points);
  const g1 = new Uint8Array(await readFile(file.path));
  g1[5000] = (g1[5000] ?? 0) ^ 1;
  await writeFile(path.join(home, "bn254_g1.dat"), g1);
  await writeFile(path.join(home, "bn254_g2.dat"), CEREMONY_G2);
  expect(await ceremonyFile({ CRS_PATH: home, PARLEY_CACHE: home, HOME: home })).toBeNull();
});

it("plain points are the file's own bytes, from the first to the one asked for", async () => {
  const all = await bytesOf(pointsStream(file, "plain", file.points, here));
  expect(createHash("sha256").update(all).digest("hex")).toBe(CEREMONY_PREFIX.sha256);
  const some = await bytesOf(pointsStream(file, "plain", 1500, here));
  expect(Buffer.from(some).equals(all.subarray(0, 1500 * 64))).toBe(true);
});

it("compressed points lead back to the points", async () => {
  const plain = await bytesOf(pointsStream(file, "plain", 3000, here));
  const compressed = await bytesOf(pointsStream(file, "compressed", 3000, here));
  expect(compressed).toHaveLength(3000 * 32);
  const field = bn254.fields.Fp;
  for (const i of [0, 1, 2, 1023, 1024, 2999]) {
    const word = compressed.slice(i * 32, i * 32 + 32);
    const odd = (word[0] ?? 0) >> 7 === 1;
    word[0] = (word[0] ?? 0) & 0x7f;
    const x = BigInt(`0x${Buffer.from(word).toString("hex")}`);
    const root = field.sqrt(field.add(field.pow(x, 3n), 3n));
    const y = (root & 1n) === (odd ? 1n : 0n) ? root : field.neg(root);
    const point = `${x.toString(16).padStart(64, "0")}${y.toString(16).padStart(64, "0")}`;
    expect(point, `point ${i}`).toBe(Buffer.from(plain.subarray(i * 64, i * 64 + 64)).toString("hex"));
  }
  expect(compress(plain.subarray(0, 64))).toEqual(compressed.subarray(0, 32));
});

it("a reader that goes away leaves no file open", async () => {
  const gone = new AbortController();
  const reader = pointsStream(file, "plain", file.points, gone.signal).getReader();
  expect((await reader.read()).done).toBe(false);
  gone.abort();
  expect((await reader.read()).done).toBe(true);
});

import { cp, mkdir, open, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CEREMONY_G2 } from "@/lib/proofs/ceremony";
import { CEREMONY_CRS } from "@/lib/proofs/testing/crs";
import { SrsError } from "./errors";
import { ensureSrs, inspectSrs } from "./srs";
import { G1_BYTES } from "./srs-points";
import { ownCache } from "./test/cache";
import type { Progress } from "./types";

const cache = ownCache();
const offline = { download: [] };

beforeEach(() => {
  delete process.env.CRS_PATH;
});

/** A copy of an SRS directory that a test may damage. */
async function copyOf(directory: string, name: string): Promise<string> {
  const copy = path.join(cache(), name);
  await cp(directory, copy, { recursive: true });
  return copy;
}

async function flipByte(file: string, at: number): Promise<void> {
  const handle = await open(file, "r+");
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, at);
  await handle.write(Buffer.from([(buffer[0] ?? 0) ^ 1]), 0, 1, at);
  await handle.close();
}

describe("without network", () => {
  test("a development SRS is made once, with progress, and then found", async () => {
    const seen: Progress[] = [];
    const first = await ensureSrs({
      points: 4096,
      ...offline,
      onProgress: (progress) => seen.push(progress),
    });
    expect(first).toMatchObject({ kind: "development", points: 4096 });
    expect(seen.at(-1)).toMatchObject({ step: "development-srs", fraction: 1 });
    expect(seen.every(({ etaMs }) => etaMs !== undefined && etaMs >= 0)).toBe(true);

    const again = await ensureSrs({ points: 4096, ...offline, onProgress: () => expect.fail("made twice") });
    expect(again).toEqual(first);
    const smaller = await ensureSrs({
      points: 1024,
      ...offline,
      onProgress: () => expect.fail("made twice"),
    });
    expect(smaller.path).toBe(first.path);
    // Keys are cached by this digest: it must not depend on how many more points lie in the file.
    const alone = await copyOf(first.path, "alone");
    await truncate(path.join(alone, "bn254_g1.dat"), 1024 * G1_BYTES);
    expect((await ensureSrs({ points: 1024, path: alone })).digest).toBe(smaller.digest);
  });

  test("a damaged development SRS, or one half there, is made anew", async () => {
    const points = 5000; // the largest here, so that no other directory can stand in
    const srs = await ensureSrs({ points, require: "development" });
    await flipByte(path.join(srs.path, "bn254_g1.dat"), 1000 * G1_BYTES);
    expect(await ensureSrs({ points, require: "development" })).toEqual(srs);
    await rm(path.join(srs.path, "sha256"));
    expect(await ensureSrs({ points, require: "development" })).toEqual(srs);
  });

  test("who asks for the ceremony gets it or an error, never a development SRS", async () => {
    await ensureSrs({ points: 1024, ...offline });
    await expect(ensureSrs({ points: 1024, require: "ignition", ...offline })).rejects.toThrow(SrsError);
    const { path: development } = await ensureSrs({ points: 1024, ...offline });
    await expect(ensureSrs({ points: 1024, require: "ignition", path: development })).rejects.toThrow(
      SrsError,
    );
    process.env.CRS_PATH = development;
    await expect(ensureSrs({ points: 1024, require: "ignition", ...offline })).rejects.toThrow(SrsError);
  });
});

describe("an SRS that is already there", () => {
  test("the ceremony's points are recognised, in CRS_PATH and in ~/.bb-crs", async () => {
    const here = await ensureSrs({ points: 32_768, path: CEREMONY_CRS });
    expect(here.kind).toBe("ignition");
    expect(here.digest).toBe("3b2425c24a77aa30f7527d48bd0f1c1a7c3e99cb045e3d149aa93befa2af4dbf");
    process.env.CRS_PATH = CEREMONY_CRS;
    expect(await ensureSrs({ points: 32_768, ...offline })).toEqual(here);
    delete process.env.CRS_PATH;
    const home = await copyOf(CEREMONY_CRS, ".bb-crs");
    expect(await ensureSrs({ points: 32_768, ...offline })).toEqual({ ...here, path: home });
  });

  test("too few points are passed over, or refused where they were named", async () => {
    process.env.CRS_PATH = CEREMONY_CRS;
    expect(await inspectSrs(CEREMONY_CRS, 32_770)).toBeUndefined();
    await expect(ensureSrs({ points: 65_536, path: CEREMONY_CRS })).rejects.toThrow(SrsError);
    await expect(ensureSrs({ points: 65_536, require: "ignition", ...offline })).rejects.toThrow(SrsError);
  });

  test.each([
    ["a changed point", 20_000, 32_768],
    ["a changed second point, where the file is too short for more", 1, 1024],
  ])("the ceremony's G2 with %s is nobody's SRS", async (name, point, points) => {
    const directory = await copyOf(CEREMONY_CRS, `damaged ${name}`);
    await flipByte(path.join(directory, "bn254_g1.dat"), point * G1_BYTES + 5);
    if (points < 32_768) await truncate(path.join(directory, "bn254_g1.dat"), points * G1_BYTES);
    await expect(inspectSrs(directory, points)).rejects.toThrow(SrsError);
    process.env.CRS_PATH = directory;
    await expect(ensureSrs({ points, ...offline })).rejects.toThrow(SrsError);
  });

  test("development points under the ceremony's G2, or the reverse, are nobody's SRS", async () => {
    const { path: development } = await ensureSrs({ points: 1024, require: "development" });
    const directory = path.join(cache(), "mixed");
    await mkdir(directory);
    await cp(path.join(development, "bn254_g1.dat"), path.join(directory, "bn254_g1.dat"));
    await writeFile(path.join(directory, "bn254_g2.dat"), CEREMONY_G2);
    await expect(inspectSrs(directory, 1024)).rejects.toThrow(SrsError);
    await writeFile(path.join(directory, "bn254_g2.dat"), Buffer.alloc(128, 1));
    await expect(inspectSrs(directory, 1024)).rejects.toThrow(SrsError);
  });
});

describe("download", () => {
  let server: Server;
  let url: string;
  let answer: { status: number; body: Buffer };
  const ranges: (string | undefined)[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      ranges.push(request.headers.range);
      response.writeHead(answer.status).end(answer.body);
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    url = `http://127.0.0.1:${address.port}`;
  });
  afterAll(() => server.close());

  test.each([
    ["an error", 404, 0],
    ["too little", 206, 1000],
    ["points that are not the ceremony's", 206, 131_072 * 32],
  ])("a host that sends %s is passed over, and the next one asked", async (_, status, size) => {
    answer = { status, body: Buffer.alloc(size, 7) };
    ranges.length = 0;
    const options = { points: 65_536, download: [url, `${url}/next`], require: "ignition" } as const;
    await expect(ensureSrs(options)).rejects.toThrow(SrsError);
    // Whole pieces of 2^17 points: bb has hashes of those and of nothing smaller.
    expect(ranges).toEqual(Array(2).fill(`bytes=0-${131_072 * 32 - 1}`));
    await expect(readFile(path.join(cache(), "srs-ignition-131072", "bn254_g1.dat"))).rejects.toThrow();
  });
});

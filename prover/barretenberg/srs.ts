import { createHash } from "node:crypto";
import { mkdtemp, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { availableParallelism, homedir, tmpdir } from "node:os";
import path from "node:path";
import { z } from "zod";
import {
  CEREMONY_G2,
  CEREMONY_HOSTS,
  CEREMONY_PREFIX,
  CHUNK_POINTS,
  COMPRESSED_POINT_BYTES,
  pointsFiles,
} from "@/lib/proofs/ceremony";
import { isCeremony } from "@/lib/proofs/ceremony.server";
import { cacheFolder, namedPoints } from "@/lib/settings/general";
import { withBb } from "./bb";
import { cacheSrs, isIntact } from "./cache";
import { SrsError } from "./errors";
import { developmentG2, developmentTau, G1_BYTES } from "./srs-points";
import type { OnProgress, Srs, SrsKind } from "./types";
import { runWorker } from "./worker";

/** A host that has not answered by then counts as unreachable. */
const ANSWER_TIMEOUT_MS = 5_000;
const BODY_TIMEOUT_MS = 120_000;

/**
 * Fetches the ceremony's compressed points, has bb check and expand them, and caches them.
 * @param points rounded up to the next 131,072, the chunk bb can check
 * @returns the directory, or undefined if no host answers or bb refuses what they sent. Never throws.
 */
async function downloadIgnition(
  points: number,
  hosts: readonly string[],
  onProgress: OnProgress = () => {},
): Promise<string | undefined> {
  const total = Math.ceil(points / CHUNK_POINTS) * CHUNK_POINTS;
  for (const host of hosts) {
    try {
      const url = `${host}/${pointsFiles.compressed}`;
      const report = (fraction: number) => onProgress({ step: "download-srs", fraction });
      const g1 = await expand(await fetchHead(url, total * COMPRESSED_POINT_BYTES, report), total);
      return await cacheSrs(`srs-ignition-${total}`, g1, CEREMONY_G2);
    } catch {
      // Try the next host; the caller handles having none.
    }
  }
  return undefined;
}

async function fetchHead(
  url: string,
  bytes: number,
  onFraction: (fraction: number) => void,
): Promise<Uint8Array> {
  const abort = new AbortController();
  let timer = setTimeout(() => abort.abort(), ANSWER_TIMEOUT_MS);
  try {
    const response = await fetch(url, { headers: { Range: `bytes=0-${bytes - 1}` }, signal: abort.signal });
    clearTimeout(timer);
    timer = setTimeout(() => abort.abort(), BODY_TIMEOUT_MS);
    if (!response.ok || !response.body) throw new Error(`HTTP ${response.status}`);
    const out = new Uint8Array(bytes);
    let filled = 0;
    for await (const chunk of response.body) {
      // A host that ignores Range sends the whole file; only the head is needed.
      const part = chunk.subarray(0, bytes - filled);
      out.set(part, filled);
      filled += part.length;
      onFraction(filled / bytes);
      if (filled === bytes) break;
    }
    if (filled < bytes) throw new Error("short answer");
    return out;
  } finally {
    clearTimeout(timer);
    abort.abort();
  }
}

async function expand(compressed: Uint8Array, points: number): Promise<Uint8Array> {
  // An empty directory: this bb gets its points and must not look for others.
  const empty = await mkdtemp(path.join(tmpdir(), "parley-srs-"));
  try {
    const { pointsBuf } = await withBb({ srsPath: empty, threads: 1 }, (api) =>
      api.srsInitSrs({ pointsBuf: compressed, numPoints: points, g2Point: CEREMONY_G2 }),
    );
    if (pointsBuf.length !== points * 64) throw new Error("bb did not expand the points");
    return pointsBuf;
  } finally {
    await rm(empty, { recursive: true, force: true });
  }
}

const Message = z.union([z.object({ done: z.number() }), z.object({ points: z.instanceof(Uint8Array) })]);

/**
 * Computes the development SRS, powers of a publicly known tau, on all cores: about 50 µs per point and core.
 * @returns g1 (64 bytes per point) and g2 (128 bytes), which depend on `points` only
 */
async function generateDevelopmentSrs(
  points: number,
  onProgress: OnProgress = () => {},
): Promise<{ g1: Uint8Array; g2: Uint8Array }> {
  const tau = developmentTau();
  const started = performance.now();
  // A worker takes half a second to start, too long for a few points.
  const shares = Math.max(1, Math.min(availableParallelism(), Math.floor(points / 8192)));
  const done = new Array<number>(shares).fill(0);
  const report = () => {
    const fraction = done.reduce((sum, value) => sum + value, 0) / points;
    const elapsed = performance.now() - started;
    onProgress({
      step: "development-srs",
      fraction,
      etaMs: fraction > 0 ? Math.round((elapsed * (1 - fraction)) / fraction) : undefined,
    });
  };

  const g1 = new Uint8Array(points * G1_BYTES);
  await Promise.all(
    done.map(async (_, share) => {
      const from = Math.floor((points * share) / shares);
      const count = Math.floor((points * (share + 1)) / shares) - from;
      const result = await runWorker("srs-worker", { tau, from, count }, (value) => {
        const message = Message.parse(value);
        if (!("done" in message)) return;
        done[share] = message.done;
        report();
      });
      const message = Message.parse(result);
      if (!("points" in message)) throw new Error("development SRS: a worker ended early");
      g1.set(message.points, from * G1_BYTES);
    }),
  );
  return { g1, g2: developmentG2() };
}

export interface EnsureSrsOptions {
  /** G1 points needed: 2^k for the largest circuit, of log size k (`requiredPoints`) */
  points: number;
  /** use this directory and nothing else */
  path?: string;
  /** `ignition` never falls back to a development SRS; `development` never looks for another */
  require?: SrsKind;
  /** base URLs to fetch the ceremony's points from; [] to stay offline; default: the hosts bb itself uses */
  download?: readonly string[];
  onProgress?: OnProgress;
}

/**
 * Returns the setup data for circuits of up to `points` gates: from `CRS_PATH`, `~/.bb-crs` or the cache; else
 * downloaded; else, without network, the development SRS (made once, then cached).
 * @throws SrsError if a directory named explicitly (option or `CRS_PATH`) contains neither the ceremony's nor the
 *   development SRS, if `path` lacks points, or if `require: "ignition"` cannot be met
 */
export async function ensureSrs(options: EnsureSrsOptions): Promise<Srs> {
  const { points, path: explicit, require: required, onProgress } = options;
  if (explicit !== undefined) {
    const srs = await inspectSrs(explicit, points);
    if (!srs) throw new SrsError(`${explicit} does not hold ${points} SRS points`);
    if (required && srs.kind !== required)
      throw new SrsError(`the SRS in ${explicit} is not the ${required} one`);
    return srs;
  }
  if (required !== "development") {
    const found = await findSrs(points, required);
    if (found) return found;
    const downloaded = await downloadIgnition(points, options.download ?? CEREMONY_HOSTS, onProgress);
    const srs = downloaded && (await inspectSrs(downloaded, points));
    if (srs) return srs;
  }
  if (required === "ignition") {
    throw new SrsError(`no ceremony SRS of ${points} points: set CRS_PATH or allow its download`);
  }
  return developmentSrs(points, onProgress);
}

/**
 * Returns the SRS in a directory, or undefined if files are missing or have fewer than `points` points.
 * @throws SrsError if it is neither the ceremony's nor the development SRS
 */
export async function inspectSrs(directory: string, points: number): Promise<Srs | undefined> {
  const g1 = path.join(directory, "bn254_g1.dat");
  const g2 = await readFile(path.join(directory, "bn254_g2.dat")).catch(() => undefined);
  const size = (await stat(g1).catch(() => undefined))?.size ?? 0;
  if (!g2 || size < points * G1_BYTES || points < 2) return undefined;

  const needed = Math.max(points, Math.min(CEREMONY_PREFIX.points, size / G1_BYTES));
  const head = await readHead(g1, needed * G1_BYTES);
  const kind = kindOf(head, g2);
  if (!kind) throw new SrsError(`the SRS in ${directory} is neither the ceremony's nor the development one`);
  const digest = createHash("sha256")
    .update(head.subarray(0, points * G1_BYTES))
    .update(g2)
    .digest("hex");
  return { kind, path: directory, points, digest, g2: new Uint8Array(g2) };
}

/** Tells the kind by the points themselves, never by the file's place or name. */
function kindOf(head: Buffer, g2: Buffer): SrsKind | undefined {
  if (g2.equals(CEREMONY_G2)) return isCeremony(head, g2) ? "ignition" : undefined;
  return g2.equals(developmentG2()) ? "development" : undefined;
}

async function findSrs(points: number, required: SrsKind | undefined): Promise<Srs | undefined> {
  const fits = (srs: Srs | undefined) => (srs && (!required || srs.kind === required) ? srs : undefined);
  const named = namedPoints();
  if (named) {
    const srs = fits(await inspectSrs(named, points));
    if (srs) return srs;
  }
  // No one named this directory explicitly: an unusable one is skipped.
  const home = await inspectSrs(path.join(homedir(), ".bb-crs"), points).catch(() => undefined);
  return home?.kind === "ignition" ? home : findCached("srs-ignition-", points);
}

async function developmentSrs(points: number, onProgress?: OnProgress): Promise<Srs> {
  const found = await findCached("srs-dev-", points);
  if (found) return found;
  const { g1, g2 } = await generateDevelopmentSrs(points, onProgress);
  const directory = await cacheSrs(`srs-dev-${points}`, g1, g2);
  const srs = await inspectSrs(directory, points);
  if (!srs) throw new SrsError(`the development SRS could not be written to ${directory}`);
  return srs;
}

/** Returns an intact SRS from the cache, and deletes damaged ones. */
async function findCached(prefix: string, points: number): Promise<Srs | undefined> {
  const names = await readdir(cacheFolder()).catch((): string[] => []);
  for (const name of names) {
    const size = name.startsWith(prefix) && Number(name.slice(prefix.length));
    if (!size || size < points) continue;
    const directory = path.join(cacheFolder(), name);
    const srs = await inspectSrs(directory, points).catch(() => undefined);
    if (srs && (await isIntact(directory))) return srs;
    await rm(directory, { recursive: true, force: true });
  }
  return undefined;
}

async function readHead(file: string, bytes: number): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

import { createHash } from "node:crypto";
import { open, readdir, readFile, rm, stat } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { CEREMONY_G2, CEREMONY_PREFIX } from "@/lib/proofs/ceremony";
import { isCeremony } from "@/lib/proofs/ceremony.server";
import { CEREMONY_HOSTS } from "@/lib/proofs/ceremony-hosts";
import { cacheDirectory } from "./cache";
import { SrsError } from "./errors";
import { cacheSrs, isIntact } from "./srs-cache";
import { generateDevelopmentSrs } from "./srs-development";
import { downloadIgnition } from "./srs-download";
import { developmentG2, G1_BYTES } from "./srs-points";
import type { OnProgress, Srs, SrsKind } from "./types";

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
 * The setup data for circuits of up to `points` gates: from `CRS_PATH`, `~/.bb-crs` or the cache; else
 * downloaded; else, without network, the development SRS (made here once, then cached).
 *
 * @throws SrsError when a directory named explicitly (option or `CRS_PATH`) holds neither the ceremony nor the
 * development SRS, when `path` lacks points, or when `require: "ignition"` cannot be met.
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
    const downloaded = await downloadIgnition(
      points,
      options.download ?? CEREMONY_HOSTS,
      CEREMONY_G2,
      onProgress,
    );
    const srs = downloaded && (await inspectSrs(downloaded, points));
    if (srs) return srs;
  }
  if (required === "ignition") {
    throw new SrsError(`no ceremony SRS of ${points} points: set CRS_PATH or allow its download`);
  }
  return developmentSrs(points, onProgress);
}

/**
 * What a directory holds: the SRS of at least `points` points, or undefined when the files are missing or
 * have too few.
 *
 * @throws SrsError when it holds something that is neither the ceremony's nor the development SRS.
 */
export async function inspectSrs(directory: string, points: number): Promise<Srs | undefined> {
  const g1 = path.join(directory, "bn254_g1.dat");
  const g2 = await readFile(path.join(directory, "bn254_g2.dat")).catch(() => undefined);
  const size = (await stat(g1).catch(() => undefined))?.size ?? 0;
  if (!g2 || size < points * G1_BYTES || points < 2) return undefined;

  const head = await readHead(
    g1,
    Math.max(points, Math.min(CEREMONY_PREFIX.points, size / G1_BYTES)) * G1_BYTES,
  );
  const kind = kindOf(head, g2);
  if (!kind) throw new SrsError(`the SRS in ${directory} is neither the ceremony's nor the development one`);
  const digest = createHash("sha256")
    .update(head.subarray(0, points * G1_BYTES))
    .update(g2)
    .digest("hex");
  return { kind, path: directory, points, digest, g2: new Uint8Array(g2) };
}

/** Told by its own points, never by where a file lies or what it is called. */
function kindOf(head: Buffer, g2: Buffer): SrsKind | undefined {
  if (g2.equals(CEREMONY_G2)) return isCeremony(head, g2) ? "ignition" : undefined;
  return g2.equals(developmentG2()) ? "development" : undefined;
}

async function findSrs(points: number, required: SrsKind | undefined): Promise<Srs | undefined> {
  const fits = (srs: Srs | undefined) => (srs && (!required || srs.kind === required) ? srs : undefined);
  if (process.env.CRS_PATH) {
    const srs = fits(await inspectSrs(process.env.CRS_PATH, points));
    if (srs) return srs;
  }
  // Nobody named this one for us: what cannot be used is passed over.
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

/** An undamaged SRS from the cache. What is damaged is removed, so that it can be made again. */
async function findCached(prefix: string, points: number): Promise<Srs | undefined> {
  const names = await readdir(cacheDirectory()).catch((): string[] => []);
  for (const name of names) {
    const size = name.startsWith(prefix) && Number(name.slice(prefix.length));
    if (!size || size < points) continue;
    const directory = path.join(cacheDirectory(), name);
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

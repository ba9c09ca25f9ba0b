import { createHash } from "node:crypto";
import { type FileHandle, open, readdir, readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { cacheFolder, namedPoints } from "@/lib/settings/general";
import type { Environment } from "@/lib/settings/read";
import {
  CEREMONY_G2,
  CEREMONY_PREFIX,
  COMPRESSED_POINT_BYTES,
  POINT_BYTES,
  type pointsFiles,
} from "./ceremony";

/** x of the ceremony's second point, [x]_1: the only check for a file with fewer points than `CEREMONY_PREFIX`. */
const SECOND_X = "2d360628289ff943ff6bd1a87bbe4e62abe7fb61ba83effd266f22bdcf31e6f9";

/**
 * Returns whether points are the ceremony's, judged by their content and never by their location.
 * @param head the first points of a `bn254_g1.dat`, uncompressed; at least two
 * @param g2 its `bn254_g2.dat`
 */
export function isCeremony(head: Uint8Array, g2: Uint8Array): boolean {
  if (!Buffer.from(CEREMONY_G2).equals(g2)) return false;
  const prefix = CEREMONY_PREFIX.points * POINT_BYTES;
  return head.length >= prefix
    ? createHash("sha256").update(head.subarray(0, prefix)).digest("hex") === CEREMONY_PREFIX.sha256
    : Buffer.from(head.subarray(POINT_BYTES, POINT_BYTES + 32)).toString("hex") === SECOND_X;
}

/** A file of the ceremony's points on this machine. */
export interface PointsFile {
  readonly path: string;
  readonly points: number;
}

/**
 * Finds the largest file of the ceremony's points where the prover looks: `CRS_PATH`, `~/.bb-crs`, the download cache.
 * Returns null when none has enough points for any circuit.
 */
export async function ceremonyFile(environment: Environment = process.env): Promise<PointsFile | null> {
  const cache = cacheFolder(environment);
  const named = namedPoints(environment);
  const cached = await readdir(/*turbopackIgnore: true*/ cache).catch((): string[] => []);
  const places = [
    ...(named ? [named] : []),
    path.join(environment.HOME ?? homedir(), ".bb-crs"),
    ...cached.filter((name) => name.startsWith("srs-ignition-")).map((name) => path.join(cache, name)),
  ];
  const found = await Promise.all(places.map(inspect));
  return found.reduce((best, file) => (file && file.points > (best?.points ?? 0) ? file : best), null);
}

async function inspect(directory: string): Promise<PointsFile | null> {
  const file = path.join(/*turbopackIgnore: true*/ directory, "bn254_g1.dat");
  try {
    const [{ size }, g2] = await Promise.all([
      stat(/*turbopackIgnore: true*/ file),
      readFile(path.join(/*turbopackIgnore: true*/ directory, "bn254_g2.dat")),
    ]);
    const points = Math.floor(size / POINT_BYTES);
    if (points < CEREMONY_PREFIX.points) return null;
    const handle = await open(/*turbopackIgnore: true*/ file);
    try {
      const head = Buffer.alloc(CEREMONY_PREFIX.points * POINT_BYTES);
      await handle.read(head, 0, head.length, 0);
      return isCeremony(head, g2) ? { path: file, points } : null;
    } finally {
      await handle.close();
    }
  } catch {
    return null; // No usable file.
  }
}

/** How points are served: as stored on disk, or compressed to half the size. */
export type PointsForm = keyof typeof pointsFiles;

/** Points read at a time. */
const BATCH = 1024;

/** Returns the bytes of one point in this form. */
export function pointBytes(form: PointsForm): number {
  return form === "plain" ? POINT_BYTES : COMPRESSED_POINT_BYTES;
}

/**
 * Streams the first points of a file. Reads from disk only as fast as the client consumes.
 * @param signal the request's signal: a client that disconnects must not leave the file open
 */
export function pointsStream(
  file: PointsFile,
  form: PointsForm,
  count: number,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const pieces = readPieces(file.path, form, count);
  const end = async () => {
    await pieces.return();
  };
  signal.addEventListener("abort", end, { once: true });
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: end,
    },
    // Opens the file on the first read: a HEAD request never reads.
    { highWaterMark: 0 },
  );
}

async function* readPieces(
  file: string,
  form: PointsForm,
  count: number,
): AsyncGenerator<Uint8Array, void, void> {
  const handle = await open(/*turbopackIgnore: true*/ file);
  try {
    for (let from = 0; from < count; from += BATCH) {
      const plain = await readPoints(handle, from, Math.min(BATCH, count - from));
      yield form === "plain" ? plain : compress(plain);
    }
  } finally {
    await handle.close();
  }
}

async function readPoints(handle: FileHandle, from: number, count: number): Promise<Uint8Array> {
  const out = new Uint8Array(count * POINT_BYTES);
  let filled = 0;
  while (filled < out.length) {
    const { bytesRead } = await handle.read(out, filled, out.length - filled, from * POINT_BYTES + filled);
    if (bytesRead === 0) throw new Error("the points file was truncated");
    filled += bytesRead;
  }
  return out;
}

/** Compresses points x ‖ y to x with the parity of y in its highest bit, the format bb reads. */
export function compress(plain: Uint8Array): Uint8Array {
  const out = new Uint8Array(plain.length / 2);
  for (let at = 0, to = 0; at < plain.length; at += POINT_BYTES, to += COMPRESSED_POINT_BYTES) {
    out.set(plain.subarray(at, at + COMPRESSED_POINT_BYTES), to);
    const odd = (plain[at + POINT_BYTES - 1] ?? 0) & 1;
    out[to] = (out[to] ?? 0) | (odd << 7);
  }
  return out;
}

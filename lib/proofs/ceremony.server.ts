import { createHash } from "node:crypto";
import { open, readdir, readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";
import { CEREMONY_G2, CEREMONY_PREFIX, POINT_BYTES } from "./ceremony";

/** x of the ceremony's second point, [x]_1: all there is to check in a file of few points. */
const SECOND_X = "2d360628289ff943ff6bd1a87bbe4e62abe7fb61ba83effd266f22bdcf31e6f9";

/**
 * Whether points are the ceremony's, told by themselves and never by where they lie.
 * @param head the first points of a `bn254_g1.dat`, uncompressed; two at least
 * @param g2 its `bn254_g2.dat`
 */
export function isCeremony(head: Uint8Array, g2: Uint8Array): boolean {
  if (!Buffer.from(CEREMONY_G2).equals(g2)) return false;
  const prefix = CEREMONY_PREFIX.points * POINT_BYTES;
  return head.length >= prefix
    ? createHash("sha256").update(head.subarray(0, prefix)).digest("hex") === CEREMONY_PREFIX.sha256
    : Buffer.from(head.subarray(POINT_BYTES, POINT_BYTES + 32)).toString("hex") === SECOND_X;
}

/** The ceremony's points on this machine. */
export interface PointsFile {
  readonly path: string;
  readonly points: number;
}

/**
 * The largest file of the ceremony's points among those the prover would use: `CRS_PATH`, `~/.bb-crs`, the cache of
 * downloads. Null when there is none that holds what any circuit needs.
 */
export async function ceremonyFile(
  env: Readonly<Record<string, string | undefined>>,
): Promise<PointsFile | null> {
  const home = env.HOME ?? homedir();
  const cache = env.PARLEY_CACHE ?? path.join(env.XDG_CACHE_HOME ?? path.join(home, ".cache"), "parley");
  const cached = await readdir(/*turbopackIgnore: true*/ cache).catch((): string[] => []);
  const places = [
    ...(env.CRS_PATH ? [env.CRS_PATH] : []),
    path.join(home, ".bb-crs"),
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
    return null; // nothing there that could be used
  }
}

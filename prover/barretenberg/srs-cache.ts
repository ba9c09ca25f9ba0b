import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { cacheDirectory, writeDirectory } from "./cache";

/** Beside the two files bb reads: their sha256, to tell a damaged copy, which bb would use without a word. */
const SIDECAR = "sha256";

/** Puts an SRS into the cache. @returns its directory */
export async function cacheSrs(name: string, g1: Uint8Array, g2: Uint8Array): Promise<string> {
  const directory = path.join(cacheDirectory(), name);
  await writeDirectory(directory, { "bn254_g1.dat": g1, "bn254_g2.dat": g2, [SIDECAR]: digest(g1, g2) });
  return directory;
}

/** Whether a cached SRS is what was put there. */
export async function isIntact(directory: string): Promise<boolean> {
  const read = (name: string) => readFile(path.join(directory, name));
  try {
    const [g1, g2, expected] = await Promise.all([read("bn254_g1.dat"), read("bn254_g2.dat"), read(SIDECAR)]);
    return digest(g1, g2) === expected.toString("utf8");
  } catch {
    return false;
  }
}

function digest(g1: Uint8Array, g2: Uint8Array): string {
  return createHash("sha256").update(g1).update(g2).digest("hex");
}

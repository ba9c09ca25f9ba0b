import { createHash, randomBytes } from "node:crypto";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { z } from "zod";
import { cacheFolder } from "@/lib/settings/general";

const JSON_FILE = "value.json";

/**
 * Writes a directory of files in one step, so that a reader never sees half of it. If another process was first, its
 * directory stays: both were made from the same inputs.
 */
export async function writeDirectory(
  target: string,
  files: Record<string, Uint8Array | string>,
): Promise<void> {
  const temporary = `${target}.${process.pid}-${randomBytes(4).toString("hex")}`;
  await mkdir(temporary, { recursive: true });
  try {
    for (const [name, content] of Object.entries(files)) await writeFile(path.join(temporary, name), content);
    await rename(temporary, target).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Returns a JSON value from the cache, or makes and stores it. A damaged entry is made again. */
export async function cachedJson<T>(name: string, schema: z.ZodType<T>, make: () => Promise<T>): Promise<T> {
  const directory = path.join(cacheFolder(), name);
  try {
    return schema.parse(JSON.parse(await readFile(path.join(directory, JSON_FILE), "utf8")));
  } catch {
    await rm(directory, { recursive: true, force: true });
  }
  const value = await make();
  await writeDirectory(directory, { [JSON_FILE]: JSON.stringify(value) });
  return value;
}

/** The sha256 of the two files bb reads, beside them: bb would use a damaged copy without notice. */
const SIDECAR = "sha256";

/** Stores an SRS in the cache. @returns its directory */
export async function cacheSrs(name: string, g1: Uint8Array, g2: Uint8Array): Promise<string> {
  const directory = path.join(cacheFolder(), name);
  await writeDirectory(directory, { "bn254_g1.dat": g1, "bn254_g2.dat": g2, [SIDECAR]: digest(g1, g2) });
  return directory;
}

/** Whether a cached SRS is as it was stored. */
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

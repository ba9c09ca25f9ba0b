import { lstat, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { ROOT } from "../stack/settings";

/** Returns the bytes on disk below a folder, in blocks like `du`. A file with several hard links counts once. */
export async function sizeOnDisk(folder: string): Promise<number> {
  const seen = new Set<number>();
  let blocks = 0;
  for (const name of ["", ...(await readdir(folder, { recursive: true }))]) {
    const { ino, blocks: own } = await lstat(path.join(folder, name));
    if (!seen.has(ino)) blocks += own;
    seen.add(ino);
  }
  return blocks * 512;
}

/** The maximum size of each program's folder. */
export const MAX_FOLDER_BYTES = 120_000_000;

/** Converts bytes to megabytes, rounded up. */
export function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1_000_000);
}

const packageSchema = z.object({
  version: z.string(),
  license: z.string(),
  engines: z.record(z.string(), z.string()),
});

/** Returns the fields of package.json that the packages of both programs share. */
export async function rootPackage() {
  return packageSchema.parse(JSON.parse(await readFile(path.join(ROOT, "package.json"), "utf8")));
}

import { lstat, readdir } from "node:fs/promises";
import path from "node:path";

/** Bytes on disk below a folder, in blocks as `du` counts them; a file with several names counts once. */
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

/** What each program's folder may take. */
export const maxFolderBytes = 120_000_000;

/** In units of a million bytes, rounded up. */
export function megabytes(bytes: number): number {
  return Math.ceil(bytes / 1_000_000);
}

import { randomBytes } from "node:crypto";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import path from "node:path";

/**
 * Where what is slow to make is kept, outside the repository: `$PARLEY_CACHE`, else `$XDG_CACHE_HOME/parley`,
 * else `~/.cache/parley`. Everything in it can be deleted at any time.
 */
export function cacheDirectory(): string {
  const { PARLEY_CACHE, XDG_CACHE_HOME } = process.env;
  return PARLEY_CACHE ?? path.join(XDG_CACHE_HOME ?? path.join(homedir(), ".cache"), "parley");
}

/**
 * Puts a directory of files in place in one step, so that a reader never sees half of it. When another
 * process was first, its directory stays: both were made from the same inputs.
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

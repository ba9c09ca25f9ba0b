import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import zlib from "node:zlib";
import { compressedFolder } from "@/lib/server/static-files";

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);
/** Above it, the best Brotli takes many seconds for little. */
const largeBytes = 1_000_000;

/** Compresses the scripts and styles of a build, for lib/server/static-files.ts. @param root folder of the build */
export async function compressBuild(root: string): Promise<void> {
  const from = path.join(root, ".next", "static");
  const to = path.join(root, compressedFolder);
  await rm(to, { recursive: true, force: true });
  const files = await readdir(from, { recursive: true });
  await Promise.all(
    files
      .filter((file) => /\.(js|css)$/.test(file))
      .map((file) => compressFile(path.join(from, file), path.join(to, "_next", "static", file))),
  );
}

async function compressFile(from: string, to: string): Promise<void> {
  const bytes = await readFile(from);
  const isLarge = bytes.length > largeBytes;
  const quality = isLarge ? 9 : zlib.constants.BROTLI_MAX_QUALITY;
  const [br, gz] = await Promise.all([
    brotli(bytes, {
      params: {
        [zlib.constants.BROTLI_PARAM_QUALITY]: quality,
        [zlib.constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
    // The large ones are what proving in the browser loads: over HTTPS with Brotli, else by Next's gzip of the moment.
    isLarge ? undefined : gzip(bytes, { level: zlib.constants.Z_BEST_COMPRESSION }),
  ]);
  await mkdir(path.dirname(to), { recursive: true });
  await writeFile(`${to}.br`, br);
  if (gz) await writeFile(`${to}.gz`, gz);
}

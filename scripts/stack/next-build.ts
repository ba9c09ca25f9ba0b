import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import zlib from "node:zlib";
import { compressedFolder } from "@/lib/server/static-files";
import type { Children } from "./children";
import { ROOT } from "./settings";

/** What a build of the app depends on, relative to the root. Folders count with everything below them. */
const INPUTS = [
  "app",
  "components",
  "contracts/artifacts",
  "contracts/eligible-action.ts",
  "contracts/index.ts",
  "db",
  "lib",
  "public",
  "scripts/stack/next-build.ts",
  "instrumentation.ts",
  "next.config.ts",
  "package-lock.json",
  "postcss.config.mjs",
  "proxy.ts",
  "tsconfig.json",
];
const STAMP = path.join(ROOT, ".next", "parley-build.json");
const NEXT_CLI = path.join(ROOT, "node_modules", "next", "dist", "bin", "next");

/** Returns the digest of every source file of the app, without tests. */
async function sourceDigest(root = ROOT): Promise<string> {
  const found = await Promise.all(INPUTS.map((input) => filesBelow(path.join(root, input))));
  const sources = found.flat().filter((file) => !/\.test\.tsx?$/.test(file));
  // All at once: one after the other they take seconds while other programs start.
  const contents = await Promise.all(sources.sort().map((file) => readFile(file)));
  const hash = createHash("sha256");
  for (const [index, content] of contents.entries()) {
    hash.update(`${path.relative(root, sources[index] ?? "")}\0`).update(content);
  }
  return hash.digest("hex");
}

/**
 * Builds the app unless `.next` is already built from exactly these sources.
 * @returns whether it built
 * @throws ChildError with the end of the build's output
 */
export async function ensureNextBuild(children: Children): Promise<boolean> {
  const digest = await sourceDigest();
  if ((await readFile(STAMP, "utf8").catch(() => "")) === digest) return false;
  await rm(STAMP, { force: true });
  await children.run({
    name: "build",
    ...nextCommand("build"),
    // The build must not see a stack's settings: values it inlines would outlive them.
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
  });
  await compressBuild(ROOT);
  await bundleEntry(entryFiles.build);
  await writeFile(STAMP, digest);
  return true;
}

/** Returns the command line that runs Next's CLI with this Node. */
export function nextCommand(...args: string[]): { command: string; args: string[] } {
  return { command: process.execPath, args: [NEXT_CLI, ...args] };
}

async function filesBelow(entry: string): Promise<string[]> {
  const entries = await readdir(entry, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOTDIR") return null;
    if (error.code === "ENOENT") return [];
    throw error;
  });
  if (entries === null) return [entry];
  const nested = await Promise.all(entries.map((e) => filesBelow(path.join(entry, e.name))));
  return nested.flat();
}

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);
/** Above this size, Brotli's best quality takes many seconds for little gain. */
const LARGE_BYTES = 1_000_000;

/** Compresses the scripts and styles of a build, for lib/server/static-files.ts. @param root folder of the build */
export async function compressBuild(root: string): Promise<void> {
  const from = path.join(root, ".next", "static");
  const to = path.join(root, compressedFolder);
  await rm(to, { recursive: true, force: true });
  const files = await readdir(from, { recursive: true });
  await Promise.all(
    files
      .filter((file) => /\.(js|css|wasm)$/.test(file))
      .map((file) => compressFile(path.join(from, file), path.join(to, "_next", "static", file))),
  );
}

/** Deletes the originals of files from a copy of a build; lib/server/static-files.ts restores them for who takes no copy. */
export async function leaveOutOriginals(root: string): Promise<void> {
  const compressed = path.join(root, compressedFolder, "_next", "static");
  const names = await readdir(compressed, { recursive: true });
  await Promise.all(
    names
      .filter((name) => name.endsWith(".br"))
      .map((name) => rm(path.join(root, ".next", "static", name.slice(0, -".br".length)))),
  );
}

async function compressFile(from: string, to: string): Promise<void> {
  const bytes = await readFile(from);
  const isLarge = bytes.length > LARGE_BYTES || from.endsWith(".wasm");
  const quality = isLarge ? 9 : zlib.constants.BROTLI_MAX_QUALITY;
  const [br, gz] = await Promise.all([
    brotli(bytes, {
      params: {
        [zlib.constants.BROTLI_PARAM_QUALITY]: quality,
        [zlib.constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
    // Proving in the browser loads the large files: over HTTPS with Brotli, otherwise as they are.
    isLarge ? undefined : gzip(bytes, { level: zlib.constants.Z_BEST_COMPRESSION }),
  ]);
  await mkdir(path.dirname(to), { recursive: true });
  await writeFile(`${to}.br`, br);
  if (gz) await writeFile(`${to}.gz`, gz);
}

/** The bundle of the entry server for a build and for `npm run dev`, so that neither starts the other's. */
export const entryFiles = { build: ".next/entry.mjs", dev: ".next/entry.dev.mjs" } as const;

/**
 * Bundles lib/server/main.ts into one JavaScript file, so that no compiler runs in the app's process.
 * @param outfile absolute, or relative to the root
 * @returns the bundled sources, relative to the root
 */
export async function bundleEntry(outfile: string): Promise<readonly string[]> {
  // Most starts need no bundle.
  const { build } = await import("esbuild");
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ["lib/server/main.ts"],
    outfile: path.resolve(ROOT, outfile),
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    // Next is too large to exist twice; it and pino are in the traces of the build.
    external: ["next", "pino"],
    // Names stay, for stack traces and profiles.
    minifyWhitespace: true,
    metafile: true,
    logLevel: "warning",
  });
  return Object.keys(metafile.inputs);
}

import { createHash } from "node:crypto";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Children } from "./children";
import { compressBuild } from "./compress";
import { bundleEntry, entryFiles } from "./entry";
import { ROOT } from "./root";

/** What a build of the app depends on, relative to the root. Folders are read to the bottom. */
const INPUTS = [
  "app",
  "components",
  "contracts/artifacts",
  "contracts/eligible-action.ts",
  "contracts/index.ts",
  "db",
  "lib",
  "public",
  "scripts/stack/compress.ts",
  "scripts/stack/entry.ts",
  "instrumentation.ts",
  "middleware.ts",
  "next.config.ts",
  "package-lock.json",
  "postcss.config.mjs",
  "proxy.ts",
  "tsconfig.json",
];
const STAMP = path.join(ROOT, ".next", "parley-build.json");
const NEXT_CLI = path.join(ROOT, "node_modules", "next", "dist", "bin", "next");

/** Digest over every source file the app is built from; tests do not count. */
async function sourceDigest(root = ROOT): Promise<string> {
  const hash = createHash("sha256");
  for (const file of (await Promise.all(INPUTS.map((i) => filesBelow(path.join(root, i))))).flat().sort()) {
    if (/\.test\.tsx?$/.test(file)) continue;
    hash.update(`${path.relative(root, file)}\0`);
    hash.update(await readFile(file));
  }
  return hash.digest("hex");
}

/**
 * Builds the app unless `.next` was built from exactly these sources.
 * @returns whether it was built now
 * @throws ChildError with the end of the build's output
 */
export async function ensureNextBuild(children: Children): Promise<boolean> {
  const digest = await sourceDigest();
  if ((await readFile(STAMP, "utf8").catch(() => "")) === digest) return false;
  await rm(STAMP, { force: true });
  await children.run({
    name: "build",
    ...nextCommand("build"),
    // The build must not see a stack's settings: what it bakes in would outlive them.
    env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
  });
  await compressBuild(ROOT);
  await bundleEntry(entryFiles.build);
  await writeFile(STAMP, digest);
  return true;
}

/** Command line of Next's own CLI, run with this Node. */
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

import { cp, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { compressedFolder } from "@/lib/server/static-files";
import { entryFiles } from "../stack/entry";
import { ROOT } from "../stack/root";
import { rootPackage } from "./root-package";

/** What Next traces or copies and a running app never reads, by its path from the root. */
const unread: readonly RegExp[] = [
  // Settings of the machine that builds. Next copies them to where it expects `next build` to be run again.
  /^\.env/,
  // Next's own server; ours is the entry server.
  /^server\.js$/,
  /\.(nft\.json|map|d\.[cm]?ts)$/,
  // Metrics of Google's fonts, for builds with next/font.
  /^node_modules\/next\/dist\/server\/capsize-font-metrics\.json$/,
  // PGlite's CommonJS copy, and the extensions that lib/sql/pglite.ts does not open.
  /^node_modules\/@electric-sql\/pglite\/dist\/.*\.cjs$/,
  /^node_modules\/@electric-sql\/pglite\/dist\/(?!btree_gin|pg_trgm)[^/]*\.tar\.gz$/,
];

const requiredSchema = z.object({ config: z.object({ output: z.string().optional() }) });

/** Whether the last build has standalone output: builds that a host packs by itself have none (next.config.ts). */
export async function isStandalone(): Promise<boolean> {
  const text = await readFile(path.join(ROOT, ".next", "required-server-files.json"), "utf8");
  return requiredSchema.parse(JSON.parse(text)).config.output === "standalone";
}

/**
 * Puts the built app into a folder of its own, which runs anywhere with Node and nothing else: Next's standalone output,
 * the entry server, static files. @param to replaced when it exists
 */
export async function assembleApp(to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  const standalone = path.join(ROOT, ".next", "standalone");
  await cp(standalone, to, {
    recursive: true,
    // Turbopack's names for packages are relative links, and stay so.
    verbatimSymlinks: true,
    filter: (from) => !unread.some((pattern) => pattern.test(path.relative(standalone, from))),
  });
  for (const part of ["public", path.join(".next", "static"), compressedFolder, entryFiles.build]) {
    await cp(path.join(ROOT, part), path.join(to, part), { recursive: true });
  }
  // Next copies the repository's, whose scripts and packages are not here.
  const { version, license, engines } = await rootPackage();
  const own = {
    ...{ name: "parley-app", version, private: true, license, type: "module", engines },
    scripts: { start: `NODE_ENV=production node ${entryFiles.build}` },
  };
  await writeFile(path.join(to, "package.json"), `${JSON.stringify(own, null, 2)}\n`);
}

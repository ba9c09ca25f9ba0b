import { cp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { z } from "zod";
import { MEMBERSHIP_PREFIX, POINT_BYTES } from "@/lib/proofs/ceremony";
import { compressedFolder } from "@/lib/server/static-files";
import { entryFiles, leaveOutOriginals } from "../stack/next-build";
import { ROOT } from "../stack/settings";
import { optionalPackages, requireBanner } from "./bundling";
import { rootPackage } from "./size";

/** Files that Next traces or copies but a running app never reads, by their paths from the root. */
const unread: readonly RegExp[] = [
  // Settings of the build machine, which Next copies.
  /^\.env/,
  // Next's own server; ours is the entry server.
  /^server\.js$/,
  /\.(nft\.json|map|d\.[cm]?ts)$/,
  // Metrics of Google's fonts, for builds with next/font.
  /^node_modules\/next\/dist\/server\/capsize-font-metrics\.json$/,
  // React's experimental channel, and rendering and edge functions outside of Node: next.config.ts asks for none of them.
  /^node_modules\/next\/dist\/compiled\/next-server\/app-page-turbo-experimental\.runtime\.prod\.js$/,
  /^node_modules\/next\/dist\/compiled\/(?:@edge-runtime\/primitives|edge-runtime)\//,
  /^node_modules\/react-dom\/cjs\/react-dom-server(?:-legacy\.node|-legacy\.browser|\.browser)\.production\.js$/,
  // Manifests of single routes, from which the build made those of all routes, which Next's server reads.
  /^\.next\/server\/app\/.+\/(?:app-paths|build|next-font|server-reference)-manifest\.json$/,
  // Of Barretenberg, what its WebAssembly does not need: its tests, its generators, and a client of another database.
  /^node_modules\/@aztec\/bb\.js\/dest\/node\/(?:aztec-wsdb\/|.+\.test\.js$|cbind\/(?!generated(?:\/|$)))/,
  // Empty manifests of routes, which render nothing: Next does without.
  /^\.next\/server\/app\/api\/.+\/route_client-reference-manifest\.js$/,
  // What Next installs, sets up, watches and counts with while developing, and its plugin for editors.
  /^node_modules\/next\/dist\/(?:compiled\/watchpack|server\/typescript)\//,
  /^node_modules\/next\/dist\/compiled\/(?:conf|fast-jwt|tar)\//,
  /^node_modules\/next\/dist\/server\/dev\/(?:hot-reloader-(?:rspack|turbopack|webpack)|on-demand-entry-handler|turbopack-utils)\.js$/,
  // Tests of packages.
  /^node_modules\/(?:sonic-boom|thread-stream)\/test\//,
  // The other copy of sharp, for programs that require it.
  /^node_modules\/sharp\/dist\/.+\.cjs$/,
  // Next's interception of requests in tests.
  /^node_modules\/next\/dist\/compiled\/@mswjs\//,
  // PGlite's CommonJS copy, and the extensions that lib/sql/pglite.ts does not use.
  /^node_modules\/@electric-sql\/pglite\/dist\/.*\.cjs$/,
  /^node_modules\/@electric-sql\/pglite\/dist\/(?!btree_gin|pg_trgm)[^/]*\.tar\.gz$/,
];

const requiredSchema = z.object({ config: z.object({ output: z.string().optional() }) });

/** Returns whether the last build has standalone output. Builds for hosts that package the app have none (next.config.ts). */
export async function isStandalone(): Promise<boolean> {
  const text = await readFile(path.join(ROOT, ".next", "required-server-files.json"), "utf8");
  return requiredSchema.parse(JSON.parse(text)).config.output === "standalone";
}

/**
 * Copies the built app into a folder that runs anywhere with Node alone: Next's standalone output, the entry server and
 * static files. @param to is replaced if it exists
 */
export async function assembleApp(to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  const standalone = path.join(ROOT, ".next", "standalone");
  await cp(standalone, to, {
    recursive: true,
    // Turbopack's names for packages are relative links and must stay relative.
    verbatimSymlinks: true,
    filter: (from) => !unread.some((pattern) => pattern.test(path.relative(standalone, from))),
  });
  // Of the ceremony's points, the app serves those of anonymous_membership.
  const points = path.join(to, "lib", "proofs", "crs", "bn254_g1.dat");
  await truncate(points, MEMBERSHIP_PREFIX.points * POINT_BYTES);
  await withoutMaps(path.join(to, "node_modules", "@aztec", "bb.js"));
  for (const part of ["public", path.join(".next", "static"), compressedFolder, entryFiles.build]) {
    await cp(path.join(ROOT, part), path.join(to, part), { recursive: true });
  }
  await leaveOutOriginals(to);
  await bundleCommands(path.join(to, "index.js"));
  // Replaces the repository's package.json, whose scripts and packages are not in this folder.
  const { version, license, engines } = await rootPackage();
  const own = {
    ...{ name: "parley-app", version, private: true, license, type: "module", engines },
    scripts: { start: "exec node index.js serve" },
  };
  await writeFile(path.join(to, "package.json"), `${JSON.stringify(own, null, 2)}\n`);
}

/** Takes the source maps out of scripts that contain them: in Barretenberg's they are half of it. */
async function withoutMaps(folder: string): Promise<void> {
  const files = await readdir(folder, { recursive: true });
  for (const file of files.filter((name) => name.endsWith(".js"))) {
    const script = await readFile(path.join(folder, file), "utf8");
    await writeFile(path.join(folder, file), script.replace(/\/\/# sourceMappingURL=data:\S*/, ""));
  }
}

/** Bundles the commands of the folder, so that they need none of the repository's sources. */
async function bundleCommands(outfile: string): Promise<void> {
  await build({
    absWorkingDir: ROOT,
    entryPoints: ["scripts/programs/app-folder.ts"],
    outfile,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    // The folder has it; the others are optional packages that bundled ones try to load.
    external: ["@electric-sql/pglite", ...optionalPackages],
    banner: { js: requireBanner },
    minify: true,
    logLevel: "warning",
  });
}

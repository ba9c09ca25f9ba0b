import path from "node:path";
import { build } from "esbuild";
import { ROOT } from "./root";

/** The entry server of the build, and the one of `npm run dev`: a start of the build must not find another's. */
export const entryFiles = { build: ".next/entry.mjs", dev: ".next/entry.dev.mjs" } as const;

/**
 * Makes one JavaScript file of lib/server/main.ts, so that no compiler runs in the app's process.
 * @param outfile absolute, or from the root
 * @returns the sources that went into it, relative to the root
 */
export async function bundleEntry(outfile: string): Promise<readonly string[]> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ["lib/server/main.ts"],
    outfile: path.resolve(ROOT, outfile),
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    // Next is too large to be here twice; it and pino are in the traces of the build.
    external: ["next", "pino"],
    metafile: true,
    logLevel: "warning",
  });
  return Object.keys(metafile.inputs);
}

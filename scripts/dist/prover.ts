import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import path from "node:path";
import { type BuildResult, build } from "esbuild";
import { assetFile, assetNames } from "@/prover/http/pages/assets";
import { lockedPart, lockfileSchema } from "../lockfile/platforms";
import { ROOT } from "../stack/settings";
import { optionalPackages, requireBanner } from "./bundling";
import { rootPackage } from "./size";

/** Packages that read their own files: `npm ci` installs them beside the bundle. */
const installed = ["@electric-sql/pglite", "@noir-lang/noir_js"] as const;

/** This machine's platform in bb.js's terms. */
export const bbPlatform = `${process.arch === "x64" ? "amd64" : process.arch}-${process.platform === "darwin" ? "macos" : process.platform}`;

/**
 * Builds the prover into its own folder: the bundle, its worker threads, the circuits, bb, and a package.json with a
 * lockfile for the few packages that `npm ci` adds.
 * @param to is replaced if it exists
 * @param platform of the folder, in bb.js's terms
 * @throws Error when bb.js has no bb for the platform, or the bundle needs a package that is not installed beside it
 */
export async function buildProver(to: string, platform = bbPlatform): Promise<void> {
  const binaries = path.join(ROOT, "node_modules", "@aztec", "bb.js", "build");
  const platforms = await readdir(binaries);
  if (!platforms.includes(platform))
    throw new Error(`no bb for ${platform}, only for ${platforms.join(", ")}`);
  await rm(to, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: {
      index: "scripts/programs/prover-folder.ts",
      "execute-worker": "prover/barretenberg/execute-worker.ts",
      "srs-worker": "prover/barretenberg/srs-worker.ts",
    },
    outdir: to,
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    external: [...installed.flatMap((name) => [name, `${name}/*`]), ...optionalPackages],
    banner: { js: requireBanner },
    metafile: true,
    logLevel: "warning",
  });
  checkExternals(metafile);
  await cp(path.join(ROOT, "circuits", "artifacts"), path.join(to, "circuits", "artifacts"), {
    recursive: true,
  });
  for (const name of assetNames) await cp(assetFile(name), path.join(to, "assets", name));
  // bb.js looks for this path above its own code, which is in the bundle.
  await cp(path.join(binaries, platform, "bb"), path.join(to, "build", platform, "bb"));
  await writePackage(to);
}

/** @throws Error when the bundle needs a package that its folder lacks */
function checkExternals({ outputs }: NonNullable<BuildResult["metafile"]>): void {
  const known = new Set<string>([...installed, ...optionalPackages, ...builtinModules]);
  const missing = Object.values(outputs)
    .flatMap(({ imports }) => imports.filter(({ external }) => external).map((each) => each.path))
    .filter((name) => !name.startsWith("node:") && !known.has(packageOf(name)) && !known.has(name));
  if (missing.length > 0) throw new Error(`the prover's bundle needs ${missing.join(", ")}`);
}

/** Returns the package of an import: `@scope/name` for `@scope/name/file`. */
function packageOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

async function writePackage(folder: string): Promise<void> {
  const lock = lockfileSchema.parse(JSON.parse(await readFile(path.join(ROOT, "package-lock.json"), "utf8")));
  const packages = lockedPart(lock, installed);
  const versions = installed.map((name) => [name, packages[`node_modules/${name}`]?.version]);
  const { version, license, engines } = await rootPackage();
  const identity = { name: "parley-prover", version };
  const own = { license, engines, dependencies: Object.fromEntries(versions) };
  const scripts = { start: "ulimit -c 0 && exec node index.js serve" };
  const write = (name: string, value: object) =>
    writeFile(path.join(folder, name), `${JSON.stringify(value, null, 2)}\n`);
  await write("package.json", { ...identity, private: true, type: "module", ...own, scripts });
  await write("package-lock.json", {
    ...identity,
    lockfileVersion: lock.lockfileVersion,
    requires: true,
    packages: { "": { ...identity, ...own }, ...packages },
  });
}

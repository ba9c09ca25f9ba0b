// Runs programs of this repository as bundles: `npm start` and `npm run dev` the whole stack (scripts/start.ts), which
// starts its own programs as bundles too; with a name, one program alone, in this process. Loading their sources takes
// each of them a second or two of processor time, at every start. The bundles are made again when a source has changed.
import { createHash } from "node:crypto";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";

const ROOT = path.resolve(import.meta.dirname, "..");
const FOLDER = path.join(ROOT, "dist", "start");
const STAMP = path.join(FOLDER, "sources.json");
const START = "scripts/start.ts";
/** What `npm run start:app`, `npm run migrate` and so on name. */
const ALONE = {
  app: "scripts/programs/app.ts",
  prover: "prover/main.ts",
  facilitator: "prover/facilitator/main.ts",
  migrate: "scripts/programs/run-migrate.ts",
  doctor: "scripts/programs/run-doctor.ts",
  backup: "scripts/programs/run-backup.ts",
  restore: "scripts/programs/run-restore.ts",
};
/** The programs that scripts/stack starts in processes of their own (scripts/stack/sources.ts). */
const PROGRAMS = [
  ...Object.values(ALONE),
  "scripts/stack/attester/main.ts",
  "scripts/stack/gateway/main.ts",
  "scripts/stack/idp/main.ts",
  "scripts/stack/watchdog.ts",
];
/** Packages that find their own files by their place, and optional ones that others try to load. */
const EXTERNAL = [
  ...["@aztec/bb.js", "@electric-sql/pglite", "@noir-lang/noir_js", "esbuild"],
  ...["bufferutil", "msgpackr-extract", "pg-native", "utf-8-validate"],
];

/** @param {readonly string[]} sources relative to the root */
async function digestOf(sources) {
  const hash = createHash("sha256");
  for (const source of [...sources, "package-lock.json", "scripts/start.mjs"]) {
    hash.update(`${source}\0`).update(await readFile(path.join(ROOT, source)));
  }
  return hash.digest("hex");
}

async function isCurrent() {
  try {
    const { sources, digest } = JSON.parse(await readFile(STAMP, "utf8"));
    return digest === (await digestOf(sources));
  } catch {
    // Never made, or a source is gone.
    return false;
  }
}

/** Sources keep their own addresses, by which they find other files. */
const ownAddresses = {
  name: "own-addresses",
  setup(build) {
    const own = ["circuits", "contracts", "db", "lib", "prover", "scripts"].join("|");
    const root = ROOT.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
    build.onLoad({ filter: new RegExp(`^${root}/(${own})/.*\\.ts$`) }, async ({ path: file }) => {
      const source = await readFile(file, "utf8");
      const contents = source
        .replaceAll("import.meta.dirname", JSON.stringify(path.dirname(file)))
        .replaceAll("import.meta.filename", JSON.stringify(file))
        .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(file).href));
      return { contents, loader: "ts" };
    });
  },
};

async function makeBundles() {
  const { build, stop } = await import("esbuild");
  await rm(FOLDER, { recursive: true, force: true });
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [START, ...PROGRAMS],
    outdir: FOLDER,
    outbase: ROOT,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    target: "node20",
    format: "esm",
    external: EXTERNAL,
    plugins: [ownAddresses],
    // CommonJS packages load Node's modules with it.
    banner: {
      js: `import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);`,
    },
    metafile: true,
    logLevel: "warning",
  });
  await stop();
  const sources = Object.keys(metafile.inputs).filter((source) => !source.startsWith("node_modules/"));
  await mkdir(FOLDER, { recursive: true });
  await writeFile(STAMP, JSON.stringify({ sources, digest: await digestOf(sources) }));
}

const bundleOf = (source) => path.join(FOLDER, source.replace(/\.ts$/, ".mjs"));

if (!(await isCurrent())) await makeBundles();
process.env.PARLEY_BUNDLES = FOLDER;
await import(pathToFileURL(bundleOf(ALONE[process.argv[2]] ?? START)).href);

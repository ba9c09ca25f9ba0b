import { readFile, symlink } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";

/** The repository's folder. */
const root = path.resolve(import.meta.dirname, "../..");

/** Our sources find files beside themselves: in the bundle too. */
const ownPlaces: Plugin = {
  name: "own places",
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
      const source = await readFile(file, "utf8");
      const contents = source
        .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(file).href))
        .replaceAll("import.meta.dirname", JSON.stringify(path.dirname(file)));
      return { contents, loader: "ts" };
    });
  },
};

/** Packages with files or threads of their own stay where they are. */
const external = [
  ...["@aztec/bb.js", "@electric-sql/pglite", "@noir-lang/*", "pg", "pg-boss", "pino", "solc", "tsx"],
  "@electric-sql/pglite/*",
];

/**
 * Makes one JavaScript file of a program of ours. A process that loads it is there in a tenth of the time it needs for
 * hundreds of sources.
 * @param folder gets the file, and a link to the packages that stay outside
 * @returns the file
 */
export async function bundleProgram(entry: string, folder: string): Promise<string> {
  const outfile = path.join(folder, `${path.basename(entry, ".ts")}.mjs`);
  await symlink(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  await build({
    entryPoints: [entry],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    external,
    // Older packages of it ask for each other in the older way.
    banner: {
      js: `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);`,
    },
    tsconfig: path.join(root, "tsconfig.json"),
    plugins: [ownPlaces],
  });
  return outfile;
}

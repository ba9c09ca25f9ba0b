import { chmod, cp, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { type BuildOptions, build } from "esbuild";

export type Files = ReadonlyMap<string, string>;

/** Bundles the entry points of a package of `packages/`. @returns the files by name */
export async function bundledFiles(source: string, options: BuildOptions): Promise<Files> {
  const all = { absWorkingDir: source, outdir: source, bundle: true, minify: true, format: "esm" } as const;
  const { outputFiles } = await build({ ...all, ...options, write: false });
  return new Map(outputFiles.map(({ path: file, text }) => [path.basename(file), text]));
}

/** Writes a package as it is published: its files, package.json and README. @param to is replaced if it exists */
export async function writePackage(source: string, files: Files, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { recursive: true });
  for (const [name, text] of files) {
    await writeFile(path.join(to, name), text);
    if (text.startsWith("#!")) await chmod(path.join(to, name), 0o755);
  }
  for (const name of ["package.json", "README.md"]) await cp(path.join(source, name), path.join(to, name));
}

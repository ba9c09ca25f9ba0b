import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { ROOT } from "../stack/settings";

const SOURCE = path.join(ROOT, "packages", "parley-gate");

/** The files of the package by name: the element for browsers, and the verifier for servers, which needs `jose`. */
export async function gateFiles(): Promise<ReadonlyMap<string, string>> {
  const { outputFiles } = await build({
    absWorkingDir: SOURCE,
    entryPoints: { gate: "src/gate.ts", server: "src/server.ts" },
    outdir: SOURCE,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    external: ["jose"],
    write: false,
  });
  return new Map(outputFiles.map(({ path: file, text }) => [path.basename(file), text]));
}

/** Writes the package as it is published. @param to is replaced if it exists */
export async function buildGate(to: string): Promise<void> {
  await rm(to, { recursive: true, force: true });
  await mkdir(to, { recursive: true });
  for (const [name, text] of await gateFiles()) await writeFile(path.join(to, name), text);
  for (const name of ["package.json", "README.md"]) await cp(path.join(SOURCE, name), path.join(to, name));
}

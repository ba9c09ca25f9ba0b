import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { compileSolidity, SOLC_VERSION } from "../../contracts/compile";

/**
 * `npm run contracts:build`: compiles contracts/src to contracts/artifacts/<Name>.ts (bytecode, and the ABI `as const`, so
 * that viem infers argument types). build.test.ts compares the committed files with them.
 */

const ROOT = path.resolve(import.meta.dirname, "../../contracts");

/** Returns the content of every generated file, by file name. */
export async function generate(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const file of (await readdir(path.join(ROOT, "src"))).filter((name) => name.endsWith(".sol")).sort()) {
    const sources = await sourcesOf(file);
    const source = sources[file] ?? "";
    const name = path.basename(file, ".sol");
    const contract = compileSolidity(sources)[name];
    if (!contract) throw new Error(`${file} declares no contract ${name}`);
    files.set(
      `${name}.ts`,
      [
        `// Generated from src/${file} by "npm run contracts:build". Do not edit.`,
        `export const ${name} = {`,
        `  contractName: ${JSON.stringify(name)},`,
        `  solcVersion: ${JSON.stringify(SOLC_VERSION)},`,
        `  sourceSha256: ${JSON.stringify(createHash("sha256").update(source).digest("hex"))},`,
        `  abi: ${JSON.stringify(contract.abi)},`,
        `  bytecode: ${JSON.stringify(contract.bytecode)},`,
        "} as const;",
        "",
      ].join("\n"),
    );
  }
  return files;
}

/** Returns a source file and its imports, by name. Nothing else, so that other sources do not affect its bytecode. */
async function sourcesOf(file: string, known: Record<string, string> = {}): Promise<Record<string, string>> {
  if (file in known) return known;
  const source = await readFile(path.join(ROOT, "src", file), "utf8");
  let sources = { ...known, [file]: source };
  for (const [, imported = ""] of source.matchAll(/^import\s[^;]*?"\.\/(\w+\.sol)";/gm)) {
    sources = await sourcesOf(imported, sources);
  }
  return sources;
}

async function main(): Promise<void> {
  const directory = path.join(ROOT, "artifacts");
  await mkdir(directory, { recursive: true });
  for (const [name, content] of await generate()) await writeFile(path.join(directory, name), content);
}

if (process.argv[1] === import.meta.filename) await main();

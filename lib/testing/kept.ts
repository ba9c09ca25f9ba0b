import { createHash } from "node:crypto";
import { mkdirSync, readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../..");
const folder = path.join(root, "node_modules/.cache/parley");

/**
 * What takes long to make and is the same for every test run, kept from the first that made it.
 * @param of everything it is made of: any change in that asks for a new one
 * @param packages whose versions it depends on, too
 */
export async function kept(
  name: string,
  { of, packages }: { of: readonly (string | Uint8Array)[]; packages: readonly string[] },
  make: () => Promise<Uint8Array>,
): Promise<Uint8Array<ArrayBuffer>> {
  const hash = createHash("sha256");
  for (const part of of) hash.update(`${part.length}\n`).update(part);
  for (const each of packages)
    hash.update(readFileSync(path.join(root, "node_modules", each, "package.json")));
  const file = path.join(folder, `${name}-${hash.digest("hex").slice(0, 16)}`);
  try {
    return new Uint8Array(readFileSync(file));
  } catch {
    const made = await make();
    mkdirSync(folder, { recursive: true });
    // Written aside and renamed: test files run in parallel processes and must never read half of it.
    const partial = `${file}.${process.pid}`;
    await writeFile(partial, made);
    await rename(partial, file);
    return new Uint8Array(made);
  }
}

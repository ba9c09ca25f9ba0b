import fs from "node:fs";
import path from "node:path";

/** Root of the Noir workspace. */
export const CIRCUITS_DIR = path.resolve(import.meta.dirname, "../../circuits");

/** Committed compiler output: one JSON per circuit and `manifest.json`. */
export const ARTIFACTS_DIR = path.join(CIRCUITS_DIR, "artifacts");

function packagesIn(folder: string): string[] {
  const dir = path.join(CIRCUITS_DIR, folder);
  return fs
    .readdirSync(dir)
    .filter((name) => fs.existsSync(path.join(dir, name, "Nargo.toml")))
    .sort();
}

/** Returns the names of the circuits: the folders of `circuits/bin`. */
export function circuitNames(): string[] {
  return packagesIn("bin");
}

/** Returns the names of the gadget crates: the folders of `circuits/lib`. */
export function crateNames(): string[] {
  return packagesIn("lib");
}

import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

const DEPENDENCY = /^\s*\w+\s*=\s*\{\s*path\s*=\s*"([^"]+)"/gm;

/** The package folders a package is compiled from: itself and its path dependencies, transitively. */
function packageClosure(packageDir: string, seen = new Set<string>()): Set<string> {
  if (seen.has(packageDir)) return seen;
  seen.add(packageDir);
  const manifest = fs.readFileSync(path.join(packageDir, "Nargo.toml"), "utf8");
  for (const [, dependency = ""] of manifest.matchAll(DEPENDENCY)) {
    packageClosure(path.resolve(packageDir, dependency), seen);
  }
  return seen;
}

function sourcesOf(packageDir: string): string[] {
  return fs
    .readdirSync(packageDir, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".nr") || name.endsWith("Nargo.toml"))
    .map((name) => path.join(packageDir, name));
}

/** SHA-256, hex. */
export function sha256(data: string): string {
  return createHash("sha256").update(data).digest("hex");
}

/**
 * Digest of everything a circuit is compiled from: each `.nr` and `Nargo.toml` of its package and of the
 * crates it depends on, sorted by path, as "path, NUL, length, NUL, text".
 */
export function sourceSha256(root: string, circuit: string): string {
  const packages = [...packageClosure(path.join(root, "bin", circuit))];
  const hash = createHash("sha256");
  const named = packages
    .flatMap(sourcesOf)
    .map((file) => ({ file, name: path.relative(root, file).split(path.sep).join("/") }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const { file, name } of named) {
    const text = fs.readFileSync(file, "utf8");
    hash.update(`${name}\0${text.length}\0${text}`);
  }
  return hash.digest("hex");
}

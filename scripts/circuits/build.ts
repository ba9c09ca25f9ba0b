/**
 * `npm run circuits:build`: compiles every circuit, writes `circuits/artifacts`, and makes the verification keys and
 * verifiers for the setup data in use (cached outside the tree: they belong to the machine, not to the source).
 * `npm run circuits:build -- --check`: compiles to memory and exits 1 when the committed files differ.
 */
import fs from "node:fs";
import path from "node:path";
import { consoleReporter } from "../stack/progress";
import { ensureProvingKeys } from "../stack/proving-keys";
import { bbVersion, countGates } from "./bb";
import { compileCircuit } from "./compile";
import { ARTIFACTS_DIR, CIRCUITS_DIR, circuitNames } from "./paths";
import { sha256, sourceSha256 } from "./sources";

/** One circuit of `manifest.json`. */
interface ManifestEntry {
  sourceSha256: string;
  artifactSha256: string;
  gates: number;
  noirVersion: string;
  bbVersion: string;
}

/** The files of `circuits/artifacts`, by name. */
async function builtFiles(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const manifest: Record<string, ManifestEntry> = {};
  const version = await bbVersion();
  for (const circuit of circuitNames()) {
    const artifact = await compileCircuit(CIRCUITS_DIR, circuit);
    const text = `${JSON.stringify(artifact)}\n`;
    const gates = await countGates(artifact);
    files.set(`${circuit}.json`, text);
    manifest[circuit] = {
      sourceSha256: sourceSha256(CIRCUITS_DIR, circuit),
      artifactSha256: sha256(text),
      gates,
      noirVersion: artifact.noirVersion,
      bbVersion: version,
    };
    console.log(`${circuit}: ${gates} gates`);
  }
  files.set("manifest.json", `${JSON.stringify(manifest, null, 2)}\n`);
  return files;
}

function committed(name: string): string | undefined {
  const file = path.join(ARTIFACTS_DIR, name);
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : undefined;
}

const files = await builtFiles();
if (process.argv.includes("--check")) {
  const stale = [...files].filter(([name, text]) => committed(name) !== text).map(([name]) => name);
  const extra = fs.readdirSync(ARTIFACTS_DIR).filter((name) => !files.has(name));
  for (const name of stale) console.error(`circuits/artifacts/${name} is not what the sources compile to.`);
  for (const name of extra) console.error(`circuits/artifacts/${name} belongs to no circuit.`);
  if (stale.length + extra.length > 0) {
    console.error("Run npm run circuits:build and commit the result.");
    process.exitCode = 1;
  } else {
    console.log("The committed artifacts are what the sources compile to.");
  }
} else {
  fs.mkdirSync(ARTIFACTS_DIR, { recursive: true });
  for (const [name, text] of files) fs.writeFileSync(path.join(ARTIFACTS_DIR, name), text);
  await ensureProvingKeys(consoleReporter());
}

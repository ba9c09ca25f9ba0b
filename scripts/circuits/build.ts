/**
 * `npm run circuits:build`: writes the attesters' constants, compiles every circuit, writes
 * `circuits/artifacts`, and makes the verification keys and verifiers for the setup data in use (cached
 * outside the tree: they belong to the machine, not to the source).
 * `npm run circuits:build -- --no-keys`: leaves out keys and verifiers.
 * `npm run circuits:build -- --check`: compiles to memory and exits 1 when the committed files differ.
 */
import fs from "node:fs";
import path from "node:path";
import { consoleReporter } from "../stack/progress";
import { ensureProvingKeys } from "../stack/proving-keys";
import { bbVersion, countGates } from "./bb";
import { artifactName, type CircuitBuild, circuitBuilds, compileBuild, withWorkspace } from "./builds";
import { type Build, CONSTANTS_FILE, CONSTANTS_NAME, constantsSource } from "./constants";
import { ARTIFACTS_DIR } from "./paths";
import { sha256, sourceSha256 } from "./sources";

/** One artifact of `manifest.json`, under its name. */
interface ManifestEntry {
  circuit: string;
  build?: Build;
  sourceSha256: string;
  artifactSha256: string;
  gates: number;
  noirVersion: string;
  bbVersion: string;
}

/** Compiles one artifact to its text and its entry in the manifest. */
async function built(which: CircuitBuild): Promise<{ text: string; entry: ManifestEntry }> {
  const { circuit, build } = which;
  return withWorkspace(build, async (root) => {
    const artifact = await compileBuild(root, which);
    const text = `${JSON.stringify(artifact)}\n`;
    const entry = {
      circuit,
      ...(build === undefined ? {} : { build }),
      sourceSha256: sourceSha256(root, circuit),
      artifactSha256: sha256(text),
      gates: await countGates(artifact),
      noirVersion: artifact.noirVersion,
      bbVersion: await bbVersion(),
    };
    return { text, entry };
  });
}

/** The files of `circuits/artifacts`, by name. */
async function builtFiles(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const manifest: Record<string, ManifestEntry> = {};
  for (const which of circuitBuilds()) {
    const name = artifactName(which.circuit, which.build);
    const { text, entry } = await built(which);
    files.set(`${name}.json`, text);
    manifest[name] = entry;
    console.log(`${name}: ${entry.gates} gates`);
  }
  files.set("manifest.json", `${JSON.stringify(manifest, null, 2)}\n`);
  return files;
}

function textOf(file: string): string | undefined {
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : undefined;
}

/** Compiles to memory; prints what differs from the committed files and returns how much does. */
async function check(): Promise<number> {
  const problems: string[] = [];
  if (textOf(CONSTANTS_FILE) !== constantsSource("production")) {
    problems.push(`circuits/${CONSTANTS_NAME} is not what lib/proofs/trust/attesters.production.json says.`);
  }
  const files = await builtFiles();
  for (const [name, text] of files) {
    if (textOf(path.join(ARTIFACTS_DIR, name)) !== text) {
      problems.push(`circuits/artifacts/${name} is not what the sources compile to.`);
    }
  }
  for (const name of fs.readdirSync(ARTIFACTS_DIR)) {
    if (!files.has(name)) problems.push(`circuits/artifacts/${name} belongs to no circuit.`);
  }
  for (const problem of problems) console.error(problem);
  return problems.length;
}

if (process.argv.includes("--check")) {
  if ((await check()) > 0) {
    console.error("Run npm run circuits:build and commit the result.");
    process.exitCode = 1;
  } else {
    console.log("The committed artifacts are what the sources compile to.");
  }
} else {
  fs.writeFileSync(CONSTANTS_FILE, constantsSource("production"));
  const files = await builtFiles();
  fs.mkdirSync(ARTIFACTS_DIR, { recursive: true });
  for (const [name, text] of files) fs.writeFileSync(path.join(ARTIFACTS_DIR, name), text);
  if (!process.argv.includes("--no-keys")) await ensureProvingKeys(consoleReporter());
}

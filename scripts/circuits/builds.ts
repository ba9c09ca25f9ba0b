import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { attestedCircuits } from "@/lib/proofs/trust/attesters";
import { bbVersion, countGates } from "./bb";
import { type CircuitArtifact, compileCircuit } from "./compile";
import { type Build, CONSTANTS_NAME, constantsSource } from "./constants";
import { ARTIFACTS_DIR, CIRCUITS_DIR, circuitNames } from "./paths";
import { sha256, sourceSha256 } from "./sources";

/** A compiled circuit as it is committed. A circuit without attesters has one build and does not name it. */
export interface BuiltCircuit extends CircuitArtifact {
  build?: Build;
}

/** A circuit and one of its builds; `build` is missing when there is only one. */
export interface CircuitBuild {
  circuit: string;
  build: Build | undefined;
}

function hasBuilds(circuit: string): boolean {
  return attestedCircuits.some((name) => name === circuit);
}

/** Every artifact there is, by circuit and then production before development. */
export function circuitBuilds(): CircuitBuild[] {
  return circuitNames().flatMap((circuit): CircuitBuild[] =>
    hasBuilds(circuit)
      ? [
          { circuit, build: "production" },
          { circuit, build: "development" },
        ]
      : [{ circuit, build: undefined }],
  );
}

/** Name of an artifact without `.json`: the circuit's, with `.development` for that build of an attested circuit. */
export function artifactName(circuit: string, build?: Build): string {
  return build === "development" && hasBuilds(circuit) ? `${circuit}.development` : circuit;
}

/** Where an artifact is committed. */
function artifactFile(circuit: string, build?: Build): string {
  return path.join(ARTIFACTS_DIR, `${artifactName(circuit, build)}.json`);
}

/** The committed artifact. circuits/test/compiled.circuits.test.ts proves that it is what the sources compile to. */
export function committedArtifact(circuit: string, build?: Build): BuiltCircuit {
  return JSON.parse(fs.readFileSync(artifactFile(circuit, build), "utf8"));
}

/**
 * Runs `use` with the root of a workspace that has the constants of a build: the repository's for production,
 * else a copy that is removed afterwards.
 */
export async function withWorkspace<T>(
  build: Build | undefined,
  use: (root: string) => Promise<T>,
): Promise<T> {
  if (build !== "development") return use(CIRCUITS_DIR);
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "parley-circuits-"));
  try {
    for (const folder of ["bin", "lib"]) {
      fs.cpSync(path.join(CIRCUITS_DIR, folder), path.join(root, folder), { recursive: true });
    }
    fs.writeFileSync(path.join(root, CONSTANTS_NAME), constantsSource(build));
    return await use(root);
  } finally {
    fs.rmSync(root, { recursive: true, force: true });
  }
}

/** Compiles the circuit of a workspace as the artifact of a build. */
export async function compileBuild(root: string, { circuit, build }: CircuitBuild): Promise<BuiltCircuit> {
  const artifact = await compileCircuit(root, circuit);
  return build === undefined ? artifact : { ...artifact, build };
}

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

/** The files of `circuits/artifacts`, by name. @param report told of each circuit that was compiled */
export async function builtFiles(
  report: (circuit: { name: string; gates: number }) => void = () => undefined,
): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  const manifest: Record<string, ManifestEntry> = {};
  for (const which of circuitBuilds()) {
    const name = artifactName(which.circuit, which.build);
    const { text, entry } = await built(which);
    files.set(`${name}.json`, text);
    manifest[name] = entry;
    report({ name, gates: entry.gates });
  }
  files.set("manifest.json", `${JSON.stringify(manifest, null, 2)}\n`);
  return files;
}

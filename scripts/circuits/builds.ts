import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { attestedCircuits } from "@/lib/proofs/trust/attesters";
import { withFolder } from "../stack/folder";
import { bbVersion, ceremonyKey, countGates } from "./bb";
import { type CircuitArtifact, compileCircuit } from "./compile";
import { type Build, CONSTANTS_NAME, constantsSource } from "./constants";
import { ARTIFACTS_DIR, CIRCUITS_DIR, circuitNames } from "./paths";

/** The circuit that members prove themselves, everywhere with the ceremony's points: its key is committed. */
const MEMBER_PROVEN = "anonymous_membership";

/** A compiled circuit as committed. A circuit without attesters has one build, without a name. */
export interface BuiltCircuit extends CircuitArtifact {
  build?: Build;
}

/** A circuit and one of its builds; `build` is undefined when there is only one. */
export interface CircuitBuild {
  circuit: string;
  build: Build | undefined;
}

function hasBuilds(circuit: string): boolean {
  return attestedCircuits.some((name) => name === circuit);
}

/** Returns every build, by circuit, production before development. */
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

/** Returns the name of an artifact without `.json`: the circuit, plus `.development` for that build of an attested circuit. */
export function artifactName(circuit: string, build?: Build): string {
  return build === "development" && hasBuilds(circuit) ? `${circuit}.development` : circuit;
}

/** Reads a committed artifact. circuits/test/compiled.circuits.test.ts proves that it matches the sources. */
export function committedArtifact(circuit: string, build?: Build): BuiltCircuit {
  return JSON.parse(
    fs.readFileSync(path.join(ARTIFACTS_DIR, `${artifactName(circuit, build)}.json`), "utf8"),
  );
}

/**
 * Calls `use` with the root of a workspace that has the constants of a build: the repository's for production, otherwise a
 * temporary copy.
 */
export async function withWorkspace<T>(
  build: Build | undefined,
  use: (root: string) => Promise<T>,
): Promise<T> {
  if (build !== "development") return use(CIRCUITS_DIR);
  return withFolder((root) => {
    for (const folder of ["bin", "lib"]) {
      fs.cpSync(path.join(CIRCUITS_DIR, folder), path.join(root, folder), { recursive: true });
    }
    fs.writeFileSync(path.join(root, CONSTANTS_NAME), constantsSource(build));
    return use(root);
  });
}

/** Compiles a circuit of a workspace to the artifact of a build. */
export async function compileBuild(root: string, { circuit, build }: CircuitBuild): Promise<BuiltCircuit> {
  const artifact = await compileCircuit(root, circuit);
  return build === undefined ? artifact : { ...artifact, build };
}

async function built(which: CircuitBuild) {
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
    return { artifact, text, entry };
  });
}

/** Builds the files of `circuits/artifacts`, by name. @param report called with each compiled circuit */
export async function builtFiles(
  report: (circuit: { name: string; gates: number }) => void = () => undefined,
): Promise<Map<string, string | Uint8Array>> {
  const files = new Map<string, string | Uint8Array>();
  const manifest: Record<string, Awaited<ReturnType<typeof built>>["entry"]> = {};
  for (const which of circuitBuilds()) {
    const name = artifactName(which.circuit, which.build);
    const { artifact, text, entry } = await built(which);
    files.set(`${name}.json`, text);
    manifest[name] = entry;
    if (which.circuit === MEMBER_PROVEN) {
      // As JSON, which every bundler takes into what it makes.
      const key = Buffer.from(await ceremonyKey(artifact)).toString("base64");
      files.set(`${name}.vk.json`, `${JSON.stringify(key)}\n`);
    }
    report({ name, gates: entry.gates });
  }
  files.set("manifest.json", `${JSON.stringify(manifest, null, 2)}\n`);
  return files;
}

const DEPENDENCY = /^\s*\w+\s*=\s*\{\s*path\s*=\s*"([^"]+)"/gm;

/** Returns the folders of a package and its path dependencies, transitively. */
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

/** Returns the SHA-256 digest in hex. */
export function sha256(data: string): string {
  return createHash("sha256").update(data).digest("hex");
}

/**
 * Returns the digest of all sources of a circuit: each `.nr` and `Nargo.toml` of its package and of the crates it depends
 * on, sorted by path, as "path, NUL, length, NUL, text".
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

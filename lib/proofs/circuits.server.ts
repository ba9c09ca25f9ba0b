import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { generalVariables } from "@/lib/settings/general";
import { effectiveSettings } from "@/lib/settings/read";
import type { ProvingSheet } from "./artifact";
import { type CircuitId, circuitIdSchema, type Deployment } from "./deployment";
import { isAttestedCircuit } from "./trust/attesters";

const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);
const manifestSchema = z.record(
  z.string(),
  z.object({ artifactSha256: sha256Schema, gates: z.int().positive() }),
);

/** Returns the folder of compiled circuits. */
function directory(): string {
  const { PARLEY_CIRCUITS } = effectiveSettings(generalVariables, process.env);
  // Written out here: the build of the app includes the files of a path that it can read in the code.
  return path.resolve(/*turbopackIgnore: true*/ PARLEY_CIRCUITS ?? path.join("circuits", "artifacts"));
}

/** Returns the build of a circuit that an installation uses: attested circuits have their attester compiled in. */
function buildName(circuit: CircuitId, mode: Deployment["mode"]): string {
  return mode === "development" && isAttestedCircuit(circuit) ? `${circuit}.development` : circuit;
}

/**
 * Returns what browsers need to prove each circuit that has a verifier.
 * @throws ZodError or a file system error when the manifest is invalid or missing
 */
export async function provingSheets(
  deployment: Pick<Deployment, "mode" | "verifiers">,
): Promise<Partial<Record<CircuitId, ProvingSheet>>> {
  const text = await readFile(path.join(/*turbopackIgnore: true*/ directory(), "manifest.json"), "utf8");
  const manifest = manifestSchema.parse(JSON.parse(text));
  const sheets: Partial<Record<CircuitId, ProvingSheet>> = {};
  for (const [name, verifier] of Object.entries(deployment.verifiers)) {
    const circuit = circuitIdSchema.parse(name);
    const entry = manifest[buildName(circuit, deployment.mode)];
    if (!entry || !verifier) continue;
    const { artifactSha256, gates } = entry;
    sheets[circuit] = { artifactSha256, vkHash: verifier.vkHash, points: 2 ** Math.ceil(Math.log2(gates)) };
  }
  return sheets;
}

/** Returns the compiled circuit's file, unparsed. @throws a file system error when the file is missing */
export async function readArtifact(circuit: CircuitId, mode: Deployment["mode"]): Promise<string> {
  const file = `${buildName(circuit, mode)}.json`;
  return await readFile(path.join(/*turbopackIgnore: true*/ directory(), file), "utf8");
}

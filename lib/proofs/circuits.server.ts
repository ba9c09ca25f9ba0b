import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import type { ProvingSheet } from "./artifact";
import { type CircuitId, circuitIdSchema, type Deployment } from "./deployment";
import { isAttestedCircuit } from "./trust/attesters";

const sha256Schema = z.string().regex(/^[0-9a-f]{64}$/);
const manifestSchema = z.record(
  z.string(),
  z.object({ artifactSha256: sha256Schema, gates: z.int().positive() }),
);

/** Where compiled circuits lie: `PARLEY_CIRCUITS`, else `circuits/artifacts`. */
function directory(): string {
  return path.resolve(
    /*turbopackIgnore: true*/ process.env.PARLEY_CIRCUITS ?? path.join("circuits", "artifacts"),
  );
}

/** Which build of a circuit belongs to an installation: attested circuits have the attester compiled in. */
function buildName(circuit: CircuitId, mode: Deployment["mode"]): string {
  return mode === "development" && isAttestedCircuit(circuit) ? `${circuit}.development` : circuit;
}

/**
 * What browsers have to know of each circuit with a verifier.
 * @throws ZodError or a file system error when the manifest is not there
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

/** The compiled circuit's file, as it is. @throws a file system error when it is not built here */
export async function readArtifact(circuit: CircuitId, mode: Deployment["mode"]): Promise<string> {
  const file = `${buildName(circuit, mode)}.json`;
  return await readFile(path.join(/*turbopackIgnore: true*/ directory(), file), "utf8");
}

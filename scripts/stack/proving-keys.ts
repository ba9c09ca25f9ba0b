import { existsSync } from "node:fs";
import path from "node:path";
import { type CircuitId, circuitIds } from "@/lib/proofs/deployment";
import { loadArtifact } from "@/prover/barretenberg/artifact";
import { ensureKeys, requiredPoints } from "@/prover/barretenberg/keys";
import { ensureSrs } from "@/prover/barretenberg/srs";
import type { CircuitKeys, Progress, Srs } from "@/prover/barretenberg/types";
import type { Reporter } from "./progress";
import { ROOT } from "./root";

/** What each slow step of the proving set-up is called on screen. */
const STEP_NAMES: Record<Progress["step"], string> = {
  "download-srs": "downloading",
  "development-srs": "making development points",
  "verification-key": "verification key",
  "solidity-verifier": "verifier source",
  "compile-verifier": "compiling the verifier",
};

export interface ProvingKeys {
  readonly srs: Srs;
  /** Verification key and compiled verifier of every circuit that is built. */
  readonly keys: ReadonlyMap<CircuitId, CircuitKeys>;
}

/** Where a compiled circuit is committed. */
export function artifactFile(circuit: CircuitId): string {
  return path.join(ROOT, "circuits", "artifacts", `${circuit}.json`);
}

/** Setup data, and the keys and verifiers that follow it, for every built circuit; all cached. */
export async function ensureProvingKeys(reporter: Reporter): Promise<ProvingKeys> {
  const built = circuitIds.filter((id) => existsSync(artifactFile(id)));
  const artifacts = await Promise.all(built.map((id) => loadArtifact(artifactFile(id))));
  const srs = await reporter.step("Setup data (SRS)", async (step) => {
    const found = await ensureSrs({
      points: await requiredPoints(artifacts),
      onProgress: (p) => step.progress(p.fraction, STEP_NAMES[p.step]),
    });
    step.detail(`${found.kind}, ${found.points.toLocaleString("en")} points`);
    return found;
  });
  const keys = await reporter.step("Keys and verifiers", async (step) => {
    const made = new Map<CircuitId, CircuitKeys>();
    for (const [index, artifact] of artifacts.entries()) {
      const id = built[index];
      if (!id) continue;
      const onProgress = (p: Progress) =>
        step.progress((index + p.fraction) / artifacts.length, `${id}: ${STEP_NAMES[p.step]}`);
      made.set(id, await ensureKeys({ artifact, srs, onProgress }));
    }
    step.detail([...made].map(([id, { vkHash }]) => `${id} ${vkHash.slice(0, 10)}`).join(", "));
    return made;
  });
  return { srs, keys };
}

import { existsSync } from "node:fs";
import { type CircuitId, circuitIds, type Deployment } from "@/lib/proofs/deployment";
import { artifactFile, loadArtifact } from "@/prover/barretenberg/artifact";
import { ensureKeys } from "@/prover/barretenberg/keys";
import { requiredPoints } from "@/prover/barretenberg/points";
import { ensureSrs } from "@/prover/barretenberg/srs";
import type { CircuitKeys, Progress, Srs } from "@/prover/barretenberg/types";
import type { Reporter } from "./progress";

/** What each slow step of the proving set-up is called on screen. */
const STEP_NAMES: Record<Progress["step"], string> = {
  "download-srs": "downloading",
  "development-srs": "making development points",
  "verification-key": "verification key",
  "solidity-verifier": "verifier source",
};

export interface ProvingKeys {
  readonly srs: Srs;
  /** Verification key and verifier source of every circuit that is built. */
  readonly keys: ReadonlyMap<CircuitId, CircuitKeys>;
}

/**
 * Setup data, and the keys and verifiers that follow it, for every circuit that is built; all cached.
 * @param mode which build of the attested circuits: the one that trusts this mode's attesters
 */
export async function ensureProvingKeys(
  reporter: Reporter,
  mode: Deployment["mode"] = "development",
): Promise<ProvingKeys> {
  const built = circuitIds.filter((id) => existsSync(artifactFile(id, mode)));
  const artifacts = await Promise.all(built.map((id) => loadArtifact(artifactFile(id, mode))));
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

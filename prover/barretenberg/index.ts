/**
 * Barretenberg for the prover: setup data, keys, witnesses and proofs. Import `deploy.ts` by its own name: it needs a
 * Solidity compiler, which a prover does not have.
 *
 *   const artifact = await loadArtifact("circuits/artifacts/oidc_domain_attestation.json");
 *   const srs = await ensureSrs({ points: await requiredPoints([artifact]) });
 *   const keys = await ensureKeys({ artifact, srs });
 *   const runner = createRunner({ srs, circuits: [{ artifact, keys }] });
 *   const { witness } = await executeCircuit(artifact, inputs);
 *   const { proof, publicInputs } = await runner.prove({ circuit: artifact.name, witness });
 */
export { artifactFile, loadArtifact } from "./artifact";

export { type BareProver, bareProver, benchProve, median } from "./bench";
export { ProverError, SrsError } from "./errors";
export { closeExecutor, executeCircuit } from "./execute";
export { ensureKeys } from "./keys";
export { requiredPoints } from "./points";
export {
  createRunner,
  defaultProcesses,
  type Runner,
  threadsPerProcess,
} from "./runner";
export { ensureSrs } from "./srs";

export {
  CircuitArtifact,
  type CircuitKeys,
  type OnProgress,
  type Proof,
  type PublicInputLayout,
  type Srs,
} from "./types";

/**
 * Barretenberg for the prover: setup data, keys, verifier contracts, witnesses and proofs.
 *
 *   const artifact = await loadArtifact("circuits/artifacts/oidc_domain_attestation.json");
 *   const srs = await ensureSrs({ points: await requiredPoints([artifact]) });
 *   const keys = await ensureKeys({ artifact, srs });
 *   const { front } = await deployVerifier(wallet, client, keys, layout);
 *   const runner = createRunner({ srs, circuits: [{ artifact, keys }] });
 *   const { witness } = await executeCircuit(artifact, inputs);
 *   const { proof, publicInputs } = await runner.prove({ circuit: artifact.name, witness });
 */
export { artifactFile, bytecodeSha256, loadArtifact } from "./artifact";
export { bbVersion } from "./bb";
export { type BareProver, type BenchOptions, type BenchRow, bareProver, benchProve, median } from "./bench";
export { cacheDirectory } from "./cache";
export { byteWordsMask, type DeployedVerifier, deployVerifier, frontCode, linkedCode } from "./deploy";
export { KeysError, ProverError, type ProverErrorCode, SrsError, WitnessError } from "./errors";
export { type CircuitInputs, closeExecutor, type Execution, executeCircuit } from "./execute";
export { type EnsureKeysOptions, ensureKeys } from "./keys";
export { requiredPoints } from "./points";
export {
  createRunner,
  defaultProcesses,
  type ProveRequest,
  type Runner,
  type RunnerOptions,
  threadsPerProcess,
} from "./runner";
export { type EnsureSrsOptions, ensureSrs, inspectSrs } from "./srs";
export { DEVELOPMENT_SRS_SEED } from "./srs-points";
export {
  CircuitArtifact,
  type CircuitKeys,
  type CompiledVerifier,
  type Hex,
  type OnProgress,
  type Progress,
  type Proof,
  type PublicInputLayout,
  type Srs,
  type SrsKind,
} from "./types";

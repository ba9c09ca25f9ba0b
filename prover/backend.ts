import { existsSync } from "node:fs";
import { bytesToHex } from "viem";
import { type CircuitId, circuitIds, type Deployment } from "@/lib/proofs/deployment";
import { layoutWords } from "@/lib/proofs/signed-digest";
import { verifyOnChain } from "@/lib/proofs/verify";
import { noTracing, type Tracing, traceRpc } from "@/lib/tracing";
import {
  artifactFile,
  type CircuitArtifact,
  closeExecutor,
  createRunner,
  defaultProcesses,
  ensureKeys,
  ensureSrs,
  executeCircuit,
  loadArtifact,
  ProverError,
  requiredPoints,
} from "./barretenberg/index";
import type { Execute } from "./circuits/types";
import { StartRefusedError } from "./env";
import { InterruptedError, type ProofMaker } from "./jobs/run";

/** Barretenberg with the keys of this deployment's circuits. */
export interface Backend extends ProofMaker {
  /** Proofs it makes at once; the caller asks for no more. */
  readonly parallel: number;
  /** Proofs being made now. */
  running(): number;
  /** How often a bb process was replaced. */
  restarts(): number;
  execute: Execute;
  /** Loads the setup data and checks a key against it, once. Takes every bb: no proof may be asked for meanwhile. */
  warm(): Promise<void>;
  isWarm(): boolean;
  close(): Promise<void>;
}

export interface BackendOptions {
  /** bb processes; default one for every two cores */
  processes?: number;
  /** megabytes per process; default by its threads */
  memoryMb?: number;
  /** milliseconds one proof may take */
  timeoutMs?: number;
  /** receives progress of slow steps: the first start makes and caches setup data and keys */
  onProgress?(step: string, fraction: number): void;
  /** traces of checks on chain */
  tracing?: Tracing;
}

/**
 * Loads artifacts, setup data and keys for every circuit of the deployment.
 * @throws StartRefusedError if they do not match the deployed verifiers
 */
export async function loadBackend(deployment: Deployment, options: BackendOptions = {}): Promise<Backend> {
  const ids = circuitIds.filter((id) => deployment.verifiers[id] !== undefined);
  const loaded = new Map<CircuitId, CircuitArtifact>();
  for (const id of ids) {
    const file = artifactFile(id, deployment.mode);
    if (!existsSync(file)) throw new StartRefusedError(`cannot start: ${id} is deployed but not built here`);
    loaded.set(id, await loadArtifact(file));
  }
  const { kind } = deployment.srs;
  const progress = (p: { step: string; fraction: number }) => options.onProgress?.(p.step, p.fraction);
  const points = await requiredPoints([...loaded.values()]);
  const srs = await ensureSrs({ points, require: kind, onProgress: progress });
  const circuits = [];
  for (const [id, artifact] of loaded) {
    const keys = await ensureKeys({ artifact, srs, onProgress: progress });
    if (keys.vkHash !== deployment.verifiers[id]?.vkHash) {
      throw new StartRefusedError(
        `cannot start: the verifier of ${id} was deployed for another build of the circuit or other setup data`,
      );
    }
    circuits.push({ artifact, keys });
  }
  const { processes = defaultProcesses(), memoryMb, timeoutMs } = options;
  const runner = createRunner({ srs, circuits, processes, memoryMb, timeoutMs });
  let warm = false;
  let warming: Promise<void> | undefined;
  const traceOf = (chainId: number) => traceRpc(options.tracing ?? noTracing, chainId);

  return {
    parallel: runner.parallel,
    running: () => runner.running,
    restarts: () => runner.restarts,
    async execute(circuit, inputs, unpaid) {
      const artifact = loaded.get(circuit);
      if (!artifact) throw new Error(`no artifact of ${circuit}`);
      return (await executeCircuit(artifact, inputs, { unpaid })).witness;
    },
    async prove(circuit, witness) {
      const make = async () => {
        const { proof, publicInputs } = await runner.prove({ circuit, witness });
        return { proof: bytesToHex(proof), publicInputs: layoutWords(circuit, publicInputs) };
      };
      try {
        return await make();
      } catch (error) {
        if (!(error instanceof ProverError)) throw error;
        if (error.code === "closed") throw new InterruptedError("the prover stops", { cause: error });
        if (!error.retry) throw error;
        // bb died or hung; a new one gets the same witness once.
        return await make();
      }
    },
    async check(circuit, proof) {
      return (await verifyOnChain(deployment, { circuit, ...proof }, traceOf)) === "valid";
    },
    warm() {
      warming ??= runner.warm().then(() => {
        warm = true;
      });
      return warming;
    },
    isWarm: () => warm,
    async close() {
      warm = false;
      await runner.close();
      await closeExecutor();
    },
  };
}

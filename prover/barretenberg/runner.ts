import { availableParallelism } from "node:os";
import { gunzipSync } from "node:zlib";
import { circuitBytecode } from "./artifact";
import { type BbProcess, EVM_SETTINGS, startBb } from "./bb";
import { ProverError } from "./errors";
import type { CircuitArtifact, CircuitKeys, Hex, Proof, Srs } from "./types";

export interface RunnerOptions {
  srs: Srs;
  circuits: readonly { artifact: CircuitArtifact; keys: CircuitKeys }[];
  /** cores bb may use; default all */
  threads?: number;
  /** milliseconds one proof may take before bb is killed; default 120,000 */
  timeoutMs?: number;
}

export interface ProveRequest {
  /** circuit id */
  circuit: string;
  /** gzipped witness, as `executeCircuit` and noir_js give it */
  witness: Uint8Array;
}

export interface Runner {
  /**
   * Proves one witness. Requests queue up: bb works on one at a time, with all its threads.
   *
   * @throws ProverError; `retry` says whether the same request may succeed later. A witness that does not
   * satisfy the circuit is not noticed here: bb proves it, and the verifier refuses the proof.
   */
  prove(request: ProveRequest): Promise<Proof & { durationMs: number }>;
  /** Starts bb, has it load the SRS, and checks the smallest circuit's key against it. */
  warm(): Promise<void>;
  /** Fails what is queued or running as `closed`, ends bb and waits for it. */
  close(): Promise<void>;
  /** Requests waiting or running. */
  readonly pending: number;
  /** process id of bb while one runs */
  readonly pid: number | undefined;
}

/** A witness of a million fields is 40 MB; more is not one of ours. */
const MAX_WITNESS_BYTES = 256 * 1024 * 1024;

/**
 * Keeps one bb process for proving. A bb that dies or hangs is killed and replaced; the job it had fails.
 * Witnesses never leave memory.
 *
 * @throws ProverError `rejected` when keys and SRS or artifact do not belong together.
 */
export function createRunner(options: RunnerOptions): Runner {
  const { srs, threads = availableParallelism(), timeoutMs = 120_000 } = options;
  const circuits = new Map<string, { bytecode: Uint8Array; keys: CircuitKeys }>();
  for (const { artifact, keys } of options.circuits) {
    if (keys.srs.digest !== srs.digest || 2 ** keys.logCircuitSize > srs.points) {
      throw new ProverError("rejected", `the key of ${artifact.name} is for another SRS`);
    }
    circuits.set(artifact.name, { bytecode: circuitBytecode(artifact), keys });
  }

  let bb: BbProcess | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  let pending = 0;
  let closed = false;
  const closing = new AbortController();

  /** Runs work on bb, alone, within the time limit; afterwards bb is either healthy or gone. */
  function withBb<T>(work: (api: BbProcess["api"]) => Promise<T>): Promise<T> {
    pending++;
    const job = queue.then(async () => {
      if (closed) throw new ProverError("closed", "the prover is shutting down");
      const current = bb ?? (await startBb({ srsPath: srs.path, threads }));
      bb = current;
      void current.ended.then(() => {
        if (bb === current) bb = undefined;
      });
      try {
        return await within(timeoutMs, closing.signal, work(current.api));
      } catch (error) {
        const failure = asProverError(error);
        // After a refusal bb is healthy; after anything else its state is unknown.
        if (failure.code !== "rejected") {
          bb = undefined;
          await current.kill();
        }
        throw failure;
      }
    });
    queue = job.catch(() => {});
    return job.finally(() => pending--);
  }

  return {
    get pending() {
      return pending;
    },

    get pid() {
      return bb?.pid;
    },

    async prove({ circuit, witness }) {
      const known = circuits.get(circuit);
      if (!known) throw new ProverError("unknown-circuit", `no circuit ${circuit} here`);
      return withBb(async (api) => {
        const started = performance.now();
        const raw = unzip(witness);
        try {
          const { proof, publicInputs } = await api.circuitProve({
            circuit: { name: circuit, bytecode: known.bytecode, verificationKey: known.keys.vk },
            witness: raw,
            settings: EVM_SETTINGS,
          });
          return {
            proof: new Uint8Array(Buffer.concat(proof)),
            publicInputs: publicInputs.map((word): Hex => `0x${Buffer.from(word).toString("hex")}`),
            durationMs: performance.now() - started,
          };
        } finally {
          raw.fill(0);
        }
      });
    },

    async warm() {
      const [smallest] = [...circuits].sort(([, a], [, b]) => a.keys.logCircuitSize - b.keys.logCircuitSize);
      if (!smallest) return;
      const [name, { bytecode, keys }] = smallest;
      const { bytes } = await withBb((api) =>
        api.circuitComputeVk({ circuit: { name, bytecode }, settings: EVM_SETTINGS }),
      );
      if (!Buffer.from(bytes).equals(keys.vk)) {
        throw new ProverError("rejected", `the key of ${name} is not the one this SRS and bb give`);
      }
    },

    async close() {
      closed = true;
      closing.abort();
      await queue;
      await bb?.kill();
      bb = undefined;
    },
  };
}

function unzip(witness: Uint8Array): Buffer {
  try {
    return gunzipSync(witness, { maxOutputLength: MAX_WITNESS_BYTES });
  } catch {
    throw new ProverError("rejected", "the witness is not what noir_js makes");
  }
}

function within<T>(timeoutMs: number, closing: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new ProverError("timeout", `bb did not finish in ${timeoutMs} ms`)),
      timeoutMs,
    );
    const onClose = () => reject(new ProverError("closed", "the prover is shutting down"));
    // Closed while bb started: the event has been.
    if (closing.aborted) onClose();
    closing.addEventListener("abort", onClose, { once: true });
    work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      closing.removeEventListener("abort", onClose);
    });
  });
}

/** bb.js reports bb's refusals as BBApiException; its text stays here, it may quote what it was given. */
function asProverError(error: unknown): ProverError {
  if (error instanceof ProverError) return error;
  return new ProverError("rejected", "bb refused the job");
}

import { availableParallelism } from "node:os";
import { gunzipSync } from "node:zlib";
import { BBApiException } from "@aztec/bb.js";
import { bytesToHex } from "viem";
import { circuitBytecode } from "./artifact";
import { type BbOptions, type BbProcess, EVM_SETTINGS, startBb, within } from "./bb";
import { ProverError } from "./errors";
import type { CircuitArtifact, CircuitKeys, Proof, Srs } from "./types";

/**
 * One place where bb works: a process that is started when it is needed, killed when it hangs, grows too large or its
 * state is unknown, and replaced for the next job. One job at a time; the caller sees to that.
 */
class Slot {
  #bb: BbProcess | undefined;
  #started = 0;

  constructor(
    readonly options: BbOptions & { timeoutMs: number },
    readonly closing: AbortSignal,
  ) {}

  /** process id of bb while one runs */
  get pid(): number | undefined {
    return this.#bb?.pid;
  }

  /** How often bb had to be replaced. */
  get restarts(): number {
    return Math.max(0, this.#started - 1);
  }

  /**
   * Runs work on bb within the time limit; afterwards bb is either healthy or gone.
   * @throws ProverError
   */
  async run<T>(work: (api: BbProcess["api"]) => Promise<T>): Promise<T> {
    this.closing.throwIfAborted();
    const bb = this.#bb ?? (await this.#start());
    try {
      return await within(this.options.timeoutMs, work(bb.api), this.closing);
    } catch (error) {
      const failure = asProverError(error);
      // After a refusal bb is healthy; after anything else its state is unknown.
      if (failure.code !== "rejected") {
        this.#bb = undefined;
        await bb.kill();
      }
      throw failure;
    }
  }

  /** Ends bb and waits for it. */
  async close(): Promise<void> {
    await this.#bb?.kill();
    this.#bb = undefined;
  }

  async #start(): Promise<BbProcess> {
    const bb = await startBb(this.options);
    this.#bb = bb;
    this.#started += 1;
    void bb.ended.then(() => {
      if (this.#bb === bb) this.#bb = undefined;
    });
    return bb;
  }
}

/** bb's refusals reach us as BBApiException. Their text stays here: it may quote what bb was given. */
function asProverError(error: unknown): ProverError {
  if (error instanceof ProverError) return error;
  const outOfMemory = error instanceof BBApiException && error.message.includes("bad_alloc");
  return outOfMemory
    ? new ProverError("memory", "bb came to its memory limit")
    : new ProverError("rejected", "bb refused the job");
}

export interface RunnerOptions {
  srs: Srs;
  circuits: readonly { artifact: CircuitArtifact; keys: CircuitKeys }[];
  /** cores divided among the bb processes; default all */
  threads?: number;
  /** bb processes, each with one proof at a time; default one */
  processes?: number;
  /** megabytes each of them may take; default by its threads (`defaultMemoryMb`) */
  memoryMb?: number;
  /** milliseconds one proof may take before bb is killed; default 120,000 */
  timeoutMs?: number;
}

interface ProveRequest {
  /** circuit id */
  circuit: string;
  /** gzipped witness, as `executeCircuit` and noir_js give it */
  witness: Uint8Array;
}

export interface Runner {
  /**
   * Proves one witness. The caller asks for no more at once than `parallel`.
   *
   * @throws ProverError; `retry` says whether the same request may succeed later. A witness that does not
   * satisfy the circuit is not noticed here: bb proves it, and the verifier refuses the proof.
   */
  prove(request: ProveRequest): Promise<Proof & { durationMs: number }>;
  /** Starts every bb, has it load the SRS, and checks the smallest circuit's key against it. */
  warm(): Promise<void>;
  /** Fails what runs as `closed`, ends bb and waits for it. */
  close(): Promise<void>;
  /** Proofs made at once. */
  readonly parallel: number;
  /** Proofs being made now. */
  readonly running: number;
  /** How often a bb was replaced that had died, hung or grown too large. */
  readonly restarts: number;
  /** process ids of the bbs that run */
  readonly pids: readonly number[];
}

/** A witness of a million fields is 40 MB; more is not one of ours. */
const MAX_WITNESS_BYTES = 256 * 1024 * 1024;

/** One bb process for every two cores: a second core makes a proof nearly twice as fast, further ones help less. */
export function defaultProcesses(cores = availableParallelism()): number {
  return Math.max(1, Math.floor(cores / 2));
}

/** Cores of each process: all of them used, none given twice, one at least. */
export function threadsPerProcess(cores: number, processes: number): number[] {
  return Array.from({ length: processes }, (_, i) =>
    Math.max(1, Math.floor(cores / processes) + (i < cores % processes ? 1 : 0)),
  );
}

/**
 * Keeps bb processes for proving. A bb that dies, hangs or takes too much memory is killed and replaced; the job it had
 * fails, the others go on. All read the same SRS file, so that it is in the page cache once. Witnesses never leave
 * memory.
 *
 * @throws ProverError `rejected` when keys and SRS or artifact do not belong together.
 */
export function createRunner(options: RunnerOptions): Runner {
  const { srs, threads = availableParallelism(), processes = 1, memoryMb, timeoutMs = 120_000 } = options;
  const circuits = new Map<string, { bytecode: Uint8Array; keys: CircuitKeys }>();
  for (const { artifact, keys } of options.circuits) {
    if (keys.srs.digest !== srs.digest || 2 ** keys.logCircuitSize > srs.points) {
      throw new ProverError("rejected", `the key of ${artifact.name} is for another SRS`);
    }
    circuits.set(artifact.name, { bytecode: circuitBytecode(artifact), keys });
  }

  const closing = new AbortController();
  const slots = threadsPerProcess(threads, processes).map(
    (share) => new Slot({ srsPath: srs.path, threads: share, memoryMb, timeoutMs }, closing.signal),
  );
  const free = [...slots];
  const active = new Set<Promise<unknown>>();

  /** Runs work on a bb that is free. */
  async function onSlot<T>(work: (api: BbProcess["api"]) => Promise<T>): Promise<T> {
    // The one used last: its memory is warm.
    const slot = free.pop();
    if (!slot) throw new Error("more jobs at once than bb processes");
    const done = slot.run(work).finally(() => free.push(slot));
    active.add(done);
    return await done.finally(() => active.delete(done));
  }

  return {
    parallel: slots.length,

    get running() {
      return active.size;
    },

    get restarts() {
      return slots.reduce((sum, slot) => sum + slot.restarts, 0);
    },

    get pids() {
      return slots.flatMap((slot) => slot.pid ?? []);
    },

    async prove({ circuit, witness }) {
      const known = circuits.get(circuit);
      if (!known) throw new ProverError("unknown-circuit", `no circuit ${circuit} here`);
      return onSlot(async (api) => {
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
            publicInputs: publicInputs.map((word) => bytesToHex(word)),
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
      // All at once, so that each slot gets one.
      const checked = await Promise.all(
        slots.map(() =>
          onSlot((api) => api.circuitComputeVk({ circuit: { name, bytecode }, settings: EVM_SETTINGS })),
        ),
      );
      if (!checked.every(({ bytes }) => Buffer.from(bytes).equals(keys.vk))) {
        throw new ProverError("rejected", `the key of ${name} is not the one this SRS and bb give`);
      }
    },

    async close() {
      closing.abort(new ProverError("closed", "the prover is shutting down"));
      await Promise.allSettled(active);
      await Promise.all(slots.map((slot) => slot.close()));
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

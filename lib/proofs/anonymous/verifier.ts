import type { Barretenberg } from "@aztec/bb.js";
import PQueue from "p-queue";
import { type Hex, hexToBytes } from "viem";
import { EVM_SETTINGS } from "../artifact";
import { CEREMONY_G2, POINT_BYTES } from "../ceremony";

/** Bytes of a proof: its size depends on the circuit alone. */
export const PROOF_BYTES = 7_616;

/** What a verifier works with; see `verifier.server.ts` for where the app has it from. */
export interface VerifierParts {
  /** The circuit's key for the ceremony's points. */
  readonly verificationKey: Uint8Array;
  /** Of the ceremony, from the first on. Verifying takes that one alone. */
  readonly points: Uint8Array;
  /** 1 where the page is not isolated. */
  readonly threads: number;
  /** Where Barretenberg runs: in a worker that it starts, or here, where here is one already. */
  readonly backend?: "worker" | "here";
}

/** Waits its turn however long that takes; the option says so to the compiler. */
const QUEUED = { throwOnTimeout: true } as const;

/** Malformed proofs after which Barretenberg is started anew: each leaves some of its WebAssembly stack taken, and seventy take all. */
const MALFORMED_PROOFS = 20;

/** Proofs that may wait: some seconds' worth. */
const MAX_WAITING = 100;

/** So many proofs wait that another one has to come back: a flood of them must not take all memory. */
export class VerifierBusyError extends Error {
  override name = "VerifierBusyError";
}

/**
 * Checks proofs of anonymous_membership, one after the other, in a worker of its own: never on the thread that calls it.
 * The worker starts with the first.
 */
export class MembershipVerifier<Parts extends VerifierParts = VerifierParts> {
  readonly #load: () => Parts;
  readonly #queue = new PQueue({ concurrency: 1 });
  #parts: Parts | undefined;
  #api: Barretenberg | undefined;
  #malformed = 0;

  /** @param load called with the first proof: most processes never see one */
  constructor(load: () => Parts) {
    this.#load = load;
  }

  protected get parts(): Parts {
    this.#parts ??= this.#load();
    return this.#parts;
  }

  /**
   * Returns whether a proof shows these public inputs. What is malformed shows nothing.
   * @param words 74, canonical; see `publicWords`
   * @throws VerifierBusyError; Error when Barretenberg itself fails: the proof's validity is then unknown
   */
  async verify(proof: Uint8Array, words: readonly Hex[]): Promise<boolean> {
    if (proof.length !== PROOF_BYTES) return false;
    if (this.#queue.size >= MAX_WAITING) throw new VerifierBusyError("too many proofs wait");
    return this.#queue.add(async () => {
      try {
        return await this.#verify(proof, words);
      } catch (error) {
        if (!isOutOfOrder(error)) return this.#refused();
        await this.#stop();
        return this.#verify(proof, words);
      }
    }, QUEUED);
  }

  /** Ends the worker. A later call starts it anew. */
  async close(): Promise<void> {
    await this.#queue.add(() => this.#stop());
  }

  /** Runs work on Barretenberg, once it is free. */
  protected on<T>(work: (api: Barretenberg) => Promise<T>): Promise<T> {
    return this.#queue.add(async () => work(await this.#started()), QUEUED);
  }

  async #verify(proof: Uint8Array, words: readonly Hex[]): Promise<boolean> {
    const api = await this.#started();
    const { verified } = await api.circuitVerify({
      verificationKey: this.parts.verificationKey,
      publicInputs: words.map((word) => hexToBytes(word)),
      proof: Array.from({ length: PROOF_BYTES / 32 }, (_, i) => proof.slice(32 * i, 32 * i + 32)),
      settings: EVM_SETTINGS,
    });
    return verified;
  }

  /** bb does not say no to a proof that is none: it throws, and does not clean up. */
  async #refused(): Promise<false> {
    this.#malformed++;
    if (this.#malformed >= MALFORMED_PROOFS) await this.#stop();
    return false;
  }

  async #started(): Promise<Barretenberg> {
    if (this.#api) return this.#api;
    const { points, threads, backend = "worker" } = this.parts;
    const { BackendType, Barretenberg } = await import("@aztec/bb.js");
    const api = await Barretenberg.new({
      backend: backend === "here" ? BackendType.Wasm : BackendType.WasmWorker,
      threads,
      // Its own download would use a host that the operator did not choose.
      skipSrsInit: true,
      unref: true,
    });
    const numPoints = points.length / POINT_BYTES;
    await api.srsInitSrs({ pointsBuf: points, numPoints, g2Point: CEREMONY_G2 });
    this.#api = api;
    this.#malformed = 0;
    return api;
  }

  async #stop(): Promise<void> {
    const api = this.#api;
    this.#api = undefined;
    await api?.destroy();
  }
}

/** Whether WebAssembly itself failed (no memory, no stack), which says nothing about the proof. Its error comes from another thread. */
function isOutOfOrder(error: unknown): boolean {
  return !(error instanceof Error) || error.name === "RuntimeError" || error.name === "RangeError";
}

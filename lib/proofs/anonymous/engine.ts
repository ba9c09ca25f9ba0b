import { BackendType, Barretenberg } from "@aztec/bb.js";
import { type CompiledCircuit, type InputMap, Noir } from "@noir-lang/noir_js";
import PQueue from "p-queue";
import { type Hex, hexToBytes } from "viem";
import { EVM_SETTINGS } from "../artifact";
import { CEREMONY_G2, POINT_BYTES } from "../ceremony";

/** The circuit's name, and its size as bb pads it: 2^13 gates need one point more. */
const NAME = "anonymous_membership";
export const MEMBERSHIP_POINTS = 8_193;

/** Bytes of a proof: its size depends on the circuit alone. */
export const PROOF_BYTES = 7_616;

/** What an engine works with; see `engine.server.ts` and the browser's worker for where it comes from. */
export interface EngineParts {
  readonly circuit: CompiledCircuit;
  /** The circuit's key for the ceremony's points, as `npm run circuits:build` writes it. */
  readonly verificationKey: Uint8Array;
  /** The first `MEMBERSHIP_POINTS` of the ceremony. Whoever only verifies gives the first one alone. */
  readonly points: Uint8Array;
  /** 1 where the page is not isolated. */
  readonly threads: number;
}

/** Waits its turn however long that takes; the option says so to the compiler. */
const QUEUED = { throwOnTimeout: true } as const;

/** Malformed proofs after which Barretenberg is started anew: each leaves some of its WebAssembly stack taken, and seventy take all. */
const MALFORMED_PROOFS = 20;

/**
 * Makes and checks proofs of anonymous_membership, one after the other, in a worker of its own: never on the thread that
 * calls it.
 */
export class MembershipEngine {
  readonly #parts: EngineParts;
  readonly #queue = new PQueue({ concurrency: 1 });
  #api: Barretenberg | undefined;
  #malformed = 0;
  #program: Promise<Uint8Array> | undefined;

  constructor(parts: EngineParts) {
    this.#parts = parts;
  }

  /**
   * Makes a proof. @param inputs see `circuitInputs`
   * @throws Error when they do not satisfy the circuit; its message does not quote them
   */
  prove(inputs: InputMap): Promise<Uint8Array> {
    return this.#queue.add(async () => {
      const { circuit, verificationKey } = this.#parts;
      const api = await this.#started();
      this.#program ??= gunzip(fromBase64(circuit.bytecode));
      const witness = await solve(circuit, inputs);
      const { proof } = await api.circuitProve({
        circuit: { name: NAME, bytecode: await this.#program, verificationKey },
        witness: await gunzip(witness),
        settings: EVM_SETTINGS,
      });
      return joined(proof);
    }, QUEUED);
  }

  /**
   * Returns whether a proof shows these public inputs. What is malformed shows nothing.
   * @param words 74, canonical; see `publicWords`
   * @throws Error when Barretenberg itself fails: the proof's validity is then unknown
   */
  async verify(proof: Uint8Array, words: readonly Hex[]): Promise<boolean> {
    if (proof.length !== PROOF_BYTES) return false;
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

  async #verify(proof: Uint8Array, words: readonly Hex[]): Promise<boolean> {
    const api = await this.#started();
    const { verified } = await api.circuitVerify({
      verificationKey: this.#parts.verificationKey,
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
    const { points, threads } = this.#parts;
    const api = await Barretenberg.new({
      backend: BackendType.WasmWorker,
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

/** Returns the witness, gzipped. noir_js's own message would quote the inputs. */
async function solve(circuit: CompiledCircuit, inputs: InputMap): Promise<Uint8Array> {
  try {
    return (await new Noir(circuit).execute(inputs)).witness;
  } catch {
    throw new Error("the inputs do not satisfy the circuit");
  }
}

async function gunzip(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

function joined(words: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(32 * words.length);
  words.forEach((word, i) => {
    bytes.set(word, 32 * i);
  });
  return bytes;
}

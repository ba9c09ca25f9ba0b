import type { ProvingSheet } from "@/lib/proofs/artifact";
import type { CircuitId } from "@/lib/proofs/deployment";
import type { BrowserProvingCode } from "./errors";

/** What the page and its worker say to each other. Both are parts of one build, so that shapes are enough. */

/** One proof to make. */
export interface ProvingTask {
  readonly circuit: CircuitId;
  readonly sheet: ProvingSheet;
  /** Addresses below which the ceremony's points lie, asked in this order. */
  readonly pointSources: readonly string[];
  /** The circuit's inputs by parameter name. They go to the worker and no further. */
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly threads: number;
}

/** What is done, in this order: programs and circuit · points · witness · the circuit's key, once per browser · proof. */
const provingStages = ["loading", "points", "witness", "key", "proving"] as const;
type ProvingStage = (typeof provingStages)[number];

export interface ProvingProgress {
  readonly stage: ProvingStage;
  /** 0 to 1 where it can be told: bytes of points that have come. */
  readonly fraction: number | null;
}

export interface ProvedHere {
  readonly proof: `0x${string}`;
  /** One 32-byte word each. */
  readonly publicInputs: readonly `0x${string}`[];
}

export type WorkerReply =
  | ({ readonly kind: "progress" } & ProvingProgress)
  | ({ readonly kind: "done" } & ProvedHere)
  | { readonly kind: "failed"; readonly code: BrowserProvingCode };

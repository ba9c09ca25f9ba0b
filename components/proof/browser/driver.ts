import type { ProvingSheet } from "@/lib/proofs/artifact";
import type { CircuitId } from "@/lib/proofs/deployment";
import { type BrowserProvingCode, BrowserProvingError } from "./errors";
import { availableThreads } from "./expected";

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

export interface ProveHereRequest extends Omit<ProvingTask, "threads"> {
  readonly onProgress: (progress: ProvingProgress) => void;
  /** Ends the worker, whatever it is at. */
  readonly signal: AbortSignal;
}

/**
 * Makes a proof in a worker of this page, which is gone afterwards.
 * @throws BrowserProvingError, or the signal's reason
 */
export function proveHere({ onProgress, signal, ...task }: ProveHereRequest): Promise<ProvedHere> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const worker = startWorker();
    const end = () => {
      signal.removeEventListener("abort", onAbort);
      // Its own threads go with it.
      worker.terminate();
    };
    const fail = (error: unknown) => {
      end();
      reject(error);
    };
    const onAbort = () => fail(signal.reason);
    signal.addEventListener("abort", onAbort);
    // A worker that could not be loaded, or was killed for its memory.
    worker.addEventListener("error", () => fail(new BrowserProvingError("crashed")));
    worker.addEventListener("messageerror", () => fail(new BrowserProvingError("crashed")));
    worker.addEventListener("message", ({ data }: MessageEvent<WorkerReply>) => {
      switch (data.kind) {
        case "progress":
          return onProgress(data);
        case "failed":
          return fail(new BrowserProvingError(data.code));
        case "done":
          end();
          return resolve({ proof: data.proof, publicInputs: data.publicInputs });
      }
    });
    worker.postMessage({ ...task, threads: availableThreads() } satisfies ProvingTask);
  });
}

function startWorker(): Worker {
  try {
    return new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  } catch {
    throw new BrowserProvingError("no_worker");
  }
}

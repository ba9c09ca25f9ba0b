import type { ProvingSheet } from "@/lib/proofs/artifact";
import type { CircuitId } from "@/lib/proofs/deployment";
import { type BrowserProvingCode, BrowserProvingError } from "./errors";
import { availableThreads } from "./support";

/** One proof to make: the message to the worker. Page and worker are of one build, so messages are not validated. */
export interface ProvingTask {
  readonly circuit: CircuitId;
  readonly sheet: ProvingSheet;
  /** Base URLs of the ceremony's points, in order of preference. */
  readonly pointSources: readonly string[];
  /** The circuit's inputs by parameter name. They do not leave the worker. */
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly threads: number;
}

/** Stages in order. "loading" fetches programs and circuit; "key" makes the circuit's key, once per browser. */
type ProvingStage = "loading" | "points" | "witness" | "key" | "proving";

export interface ProvingProgress {
  readonly stage: ProvingStage;
  /** Downloaded fraction of the points, 0 to 1; null in other stages. */
  readonly fraction: number | null;
}

export interface ProvedHere {
  readonly proof: `0x${string}`;
  /** 32 bytes each. */
  readonly publicInputs: readonly `0x${string}`[];
}

export type WorkerReply =
  | ({ readonly kind: "progress" } & ProvingProgress)
  | ({ readonly kind: "done" } & ProvedHere)
  | { readonly kind: "failed"; readonly code: BrowserProvingCode };

export interface ProveHereRequest extends Omit<ProvingTask, "threads"> {
  readonly onProgress: (progress: ProvingProgress) => void;
  readonly signal: AbortSignal;
}

/** Makes a proof in a new worker, which ends with it. @throws BrowserProvingError, or the signal's reason */
export function proveHere({ onProgress, signal, ...task }: ProveHereRequest): Promise<ProvedHere> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const worker = startWorker();
    const end = () => {
      signal.removeEventListener("abort", onAbort);
      // This ends its threads too.
      worker.terminate();
    };
    const fail = (error: unknown) => {
      end();
      reject(error);
    };
    const onAbort = () => fail(signal.reason);
    signal.addEventListener("abort", onAbort);
    // The worker could not be loaded, or was killed for its memory use.
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

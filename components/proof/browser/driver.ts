import { BrowserProvingError } from "./errors";
import type { ProvedHere, ProvingProgress, ProvingTask, WorkerReply } from "./messages";
import { availableThreads } from "./threads";

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

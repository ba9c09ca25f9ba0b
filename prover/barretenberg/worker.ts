import { Worker } from "node:worker_threads";
import { isBundled } from "../bundled";

/** Programs of worker threads: files of this folder, or beside the bundle. */
export type WorkerName = "execute-worker" | "srs-worker" | "verifier-worker";

/**
 * Starts a worker thread. In a bundle, its program is a JavaScript file beside this one. In the sources it is TypeScript,
 * which Node 20 cannot load itself; the parent may run under tsx or vitest, and tsx's `--import` has no effect in a
 * thread. A line of JavaScript then registers the loader and imports the file.
 * @param data passed as `workerData`
 */
export function startWorker(name: WorkerName, data?: unknown): Worker {
  if (isBundled) return new Worker(new URL(`./${name}.js`, import.meta.url), { workerData: data });
  const file = new URL(`./${name}.ts`, import.meta.url);
  const loader = import.meta.resolve("tsx/esm/api");
  const source = `import { register } from ${JSON.stringify(loader)}; register(); await import(${JSON.stringify(file.href)});`;
  return new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), {
    workerData: data,
    // Without the parent's flags, which would load its loader twice.
    execArgv: [],
  });
}

/** For work of minutes at most: a development SRS on a slow machine, or a compilation. */
const WORK_TIMEOUT_MS = 15 * 60_000;

/**
 * Runs a worker to its end and returns the last value it posted.
 * @param onMessage receives every value it posts
 * @throws what the worker threw, or an Error if it posted nothing or did not end in time
 */
export function runWorker(
  name: WorkerName,
  data: unknown,
  onMessage: (message: unknown) => void = () => {},
  timeoutMs = WORK_TIMEOUT_MS,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const worker = startWorker(name, data);
    const timer = setTimeout(() => {
      reject(new Error(`worker did not finish in ${timeoutMs} ms`));
      void worker.terminate();
    }, timeoutMs);
    let last: unknown;
    worker.on("message", (message: unknown) => {
      last = message;
      onMessage(message);
    });
    worker.once("error", reject);
    worker.once("exit", (code) => {
      clearTimeout(timer);
      if (code === 0 && last !== undefined) resolve(last);
      else reject(new Error(`worker ended with code ${code}`));
    });
  });
}

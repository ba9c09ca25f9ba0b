import { Worker } from "node:worker_threads";

/**
 * Starts a TypeScript file as a worker thread. Node 20 cannot load one by itself, the parent may run under tsx
 * or under vitest, and tsx's `--import` does nothing in a thread: so the thread starts with two lines of
 * JavaScript that register the loader and import the file.
 *
 * @param file URL of the worker's source, made with `new URL("./x-worker.ts", import.meta.url)`.
 * @param data passed as `workerData`.
 */
export function startWorker(file: URL, data?: unknown): Worker {
  const loader = import.meta.resolve("tsx/esm/api");
  const source = `import { register } from ${JSON.stringify(loader)}; register(); await import(${JSON.stringify(file.href)});`;
  return new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`), {
    workerData: data,
    // Not the parent's flags: its loader would be there twice.
    execArgv: [],
  });
}

/** A worker's work that takes minutes at most: a development SRS on a slow machine, a compilation. */
const WORK_TIMEOUT_MS = 15 * 60_000;

/**
 * Runs a worker to its end and resolves with the last value it posted.
 *
 * @param onMessage sees every value it posts.
 * @throws what the worker threw, or an Error when it ended without posting anything or did not end in time.
 */
export function runWorker(
  file: URL,
  data: unknown,
  onMessage: (message: unknown) => void = () => {},
  timeoutMs = WORK_TIMEOUT_MS,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const worker = startWorker(file, data);
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

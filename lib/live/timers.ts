import { setTimeout as sleep } from "node:timers/promises";

/** Waits without keeping the process alive; not at all for zero or less. */
export async function pause(ms: number): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { ref: false });
}

/** Runs repeatedly, never twice at once, without keeping the process alive. @returns the function that stops it */
export function every(ms: number, work: () => void | Promise<void>): () => void {
  let running = false;
  const timer = setInterval(async () => {
    if (running) return;
    running = true;
    try {
      await work();
    } finally {
      running = false;
    }
  }, ms);
  timer.unref();
  return () => clearInterval(timer);
}

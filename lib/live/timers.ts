import { setTimeout as sleep } from "node:timers/promises";
/** Waits; the wait keeps no process alive. Not at all for zero or less. */
export async function pause(ms: number): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { ref: false });
}

/** Runs again and again, never twice at once, and keeps no process alive. @returns what stops it */
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

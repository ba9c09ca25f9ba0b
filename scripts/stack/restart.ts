import { setTimeout as sleep } from "node:timers/promises";

/** When to restart a program of the stack. All times are in milliseconds. */
export interface RestartPolicy {
  /** Delay before the first restart; doubles with each further one, up to `longestDelayMs`. */
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
  /** A program that died this often within `withinMs` is not restarted again. */
  readonly times: number;
  readonly withinMs: number;
  /** Interval between two checks of the event loop. */
  readonly everyMs: number;
  /** An event loop that has not responded for this long is stuck. */
  readonly stuckMs: number;
}

export const usualRestarts: RestartPolicy = {
  firstDelayMs: 1_000,
  longestDelayMs: 30_000,
  times: 5,
  withinMs: 600_000,
  everyMs: 5_000,
  stuckMs: 30_000,
};

/**
 * Watches the event loop of another process with a cheap request.
 * @param alive sends one request; a rejection counts as false, as does no response within `everyMs`
 * @param onStuck called once, after `stuckMs` without a response
 * @returns a function that stops watching
 */
export function watchLoop(
  alive: () => Promise<boolean>,
  { everyMs, stuckMs }: Pick<RestartPolicy, "everyMs" | "stuckMs">,
  onStuck: () => void,
): () => void {
  let silentMs = 0;
  let stopped = false;
  let last = performance.now();
  const check = async () => {
    const answered = await Promise.race([alive().catch(() => false), sleep(everyMs).then(() => false)]);
    if (stopped) return;
    const now = performance.now();
    // Time in which this process did not run (a suspended machine, a busy CPU) counts as one check at most.
    silentMs = answered ? 0 : silentMs + Math.min(now - last, 2 * everyMs);
    last = now;
    if (silentMs >= stuckMs) {
      stopped = true;
      return onStuck();
    }
    timer = setTimeout(() => void check(), everyMs);
  };
  let timer = setTimeout(() => void check(), everyMs);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

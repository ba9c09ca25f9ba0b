import { setTimeout as sleep } from "node:timers/promises";
/** When a program of the stack is started again. Milliseconds. */
export interface RestartPolicy {
  /** Before the first restart; doubled for each further one, up to `longestDelayMs`. */
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
  /** A program that died this often within `withinMs` is given up. */
  readonly times: number;
  readonly withinMs: number;
  /** Between two looks at the event loop. */
  readonly everyMs: number;
  /** A loop that has not turned for this long is stuck. */
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
 * Watches the event loop of another process by asking it something that takes no more than that.
 * @param alive asks once; a rejection is as good as false. Never waited for longer than `everyMs`
 * @param onStuck called once, after `stuckMs` without an answer
 * @returns stop
 */
export function watchLoop(
  alive: () => Promise<boolean>,
  { everyMs, stuckMs }: Pick<RestartPolicy, "everyMs" | "stuckMs">,
  onStuck: () => void,
): () => void {
  let silentMs = 0;
  let stopped = false;
  let last = performance.now();
  const look = async () => {
    const answered = await Promise.race([alive().catch(() => false), sleep(everyMs).then(() => false)]);
    if (stopped) return;
    const now = performance.now();
    // Time in which we did not run ourselves (a suspended machine, too little of a processor) counts as one look at most.
    silentMs = answered ? 0 : silentMs + Math.min(now - last, 2 * everyMs);
    last = now;
    if (silentMs >= stuckMs) {
      stopped = true;
      return onStuck();
    }
    timer = setTimeout(() => void look(), everyMs);
  };
  let timer = setTimeout(() => void look(), everyMs);
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}

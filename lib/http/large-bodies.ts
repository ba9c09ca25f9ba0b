import PQueue from "p-queue";
import { Refusal } from "@/lib/errors";

/** Bodies beyond the usual size that are in memory at once; whoever comes later waits before sending on. */
const atOnce = 2;
/** Longest pause of somebody who has a place, and longest time for a whole body. */
const idleMs = 10_000;
const totalMs = 120_000;

declare global {
  /** On globalThis because bundlers may load this module more than once. */
  var parleyLargeBodies: PQueue | undefined;
}

/** A request's place among the large bodies, should its body turn out to be one. */
export interface BodyPlace {
  /** Waits for the place; at once when the request has it. */
  take(): Promise<void>;
  /** Gives it to the next; to be called when the request is answered, since its body is in memory until then. */
  release(): void;
  /**
   * What is read, as long as it comes in time: places are few, and nobody holds one by sending slowly.
   * @throws Refusal body_too_slow
   */
  inTime<T>(read: Promise<T>): Promise<T>;
}

export function bodyPlace(): BodyPlace {
  let done: (() => void) | null = null;
  let until = 0;
  return {
    async take() {
      if (done) return;
      globalThis.parleyLargeBodies ??= new PQueue({ concurrency: atOnce });
      const queue = globalThis.parleyLargeBodies;
      await new Promise<void>((taken) => {
        void queue.add(async () => {
          await new Promise<void>((resolve) => {
            done = resolve;
            taken();
          });
        });
      });
      until = Date.now() + totalMs;
    },
    release: () => done?.(),
    async inTime(read) {
      if (!done) return await read;
      let timer: NodeJS.Timeout | undefined;
      const tooSlow = new Promise<never>((_, reject) => {
        const refuse = () => reject(new Refusal("body_too_slow", "The body came too slowly. Try again."));
        timer = setTimeout(refuse, Math.min(idleMs, Math.max(0, until - Date.now())));
      });
      try {
        return await Promise.race([read, tooSlow]);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

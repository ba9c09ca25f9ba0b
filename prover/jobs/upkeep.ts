import type { Settlers } from "../payment/settler";
import type { Store } from "../store/index";
import type { ProofQueue } from "./queue";

/** How long a proof is kept for redelivery. */
const keepProofsMs = 24 * 3_600_000;

export interface UpkeepDependencies {
  store: Store;
  settlers: Settlers;
  queue: Pick<ProofQueue, "releaseAbandoned">;
  /** Of this process, should it have to enter again. */
  publicKey: string;
  parallel: number;
  /** One round of the books (`reconcile`). */
  reconcile(): Promise<void>;
  /** Told of failures; the next round tries again. */
  defect(error: Error): void;
}

/**
 * What a prover does by the clock: it says that it lives, looks after its settlements, keeps its books, removes expired
 * nonces and old proofs. Each may be done by several processes at once.
 */
export function startUpkeep(deps: UpkeepDependencies): { stop(): Promise<void> } {
  const { store, settlers, queue, publicKey, parallel, reconcile, defect } = deps;
  const { instances, nonces, payments } = store;
  const rounds = [
    every(instances.heartbeatMs, defect, async () => {
      // A process that was away for long was removed: what it does is still its own until somebody claims it.
      if (!(await instances.beat())) await instances.enter(publicKey, parallel);
    }),
    every(instances.silenceMs / 2, defect, () => queue.releaseAbandoned()),
    every(15_000, defect, async () => await settlers.payee?.sweep()),
    every(30_000, defect, reconcile),
    every(60_000, defect, async () => {
      await nonces.prune();
      await instances.prune();
      await payments.removeProofs(new Date(Date.now() - keepProofsMs));
    }),
  ];
  return {
    async stop() {
      await Promise.all(rounds.map((round) => round.stop()));
    },
  };
}

/** Repeats work with pauses between; never two rounds at once. */
function every(ms: number, defect: (error: Error) => void, work: () => Promise<void>) {
  let running = Promise.resolve();
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    running = work()
      .catch((error: unknown) => defect(error instanceof Error ? error : new Error("unknown")))
      .finally(() => {
        busy = false;
      });
  }, ms);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}

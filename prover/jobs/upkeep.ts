import { hex32Schema } from "@/lib/proofs/hex";
import type { Settlers } from "../payment/settler";
import type { Store } from "../store/index";
import type { PaymentStore } from "../store/payments";
import type { ProofQueue } from "./queue";

/** How long a proof is stored for redelivery. */
export const keepProofsMs = 24 * 3_600_000;

export interface UpkeepDependencies {
  store: Store;
  settlers: Settlers;
  queue: Pick<ProofQueue, "releaseAbandoned">;
  /** Of this process, in case it has to register again. */
  publicKey: string;
  parallel: number;
  /** One round of the books (`reconcile`). */
  reconcile(): Promise<void>;
  /** Receives failures; the next round tries again. */
  defect(error: Error): void;
}

/**
 * Starts the prover's periodic work: heartbeat, abandoned jobs, settlements, books, expired nonces and old proofs. Several
 * processes may do each of them at once.
 */
export function startUpkeep(deps: UpkeepDependencies): { stop(): Promise<void> } {
  const { store, settlers, queue, publicKey, parallel, reconcile, defect } = deps;
  const { instances, nonces, payments } = store;
  const rounds = [
    every(instances.heartbeatMs, defect, async () => {
      // A process without a heartbeat for an hour was deleted; it still owns its payments until another claims them.
      if (!(await instances.beat())) await instances.enter(publicKey, parallel);
    }),
    every(instances.silenceMs / 2, defect, () => queue.releaseAbandoned()),
    every(15_000, defect, async () => await settlers.payee?.sweep()),
    every(30_000, defect, reconcile),
    every(60_000, defect, async () => {
      await nonces.prune();
      await store.signIns.prune();
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

/** Repeats work at an interval; never two rounds at once. */
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

/**
 * After a restart: broadcasts signed transactions again, in the order of signing, and learns the outcome of open
 * settlements. A settled payment then waits for its client's resend, since inputs are not stored. A service that cannot be
 * reached now changes nothing: the resend asks it again. Other processes may work on the same payments; facts on
 * chain hold for them too.
 */
export async function recoverPayments(payments: PaymentStore, settlers: Settlers): Promise<void> {
  await settlers.payee?.recover();
  for (const row of await payments.open()) {
    const outcome = await settlers[row.settlement]?.learn(row);
    if (outcome && outcome.status !== "unconfirmed")
      await payments.settle(hex32Schema.parse(row.id), outcome);
  }
}

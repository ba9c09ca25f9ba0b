import type { PaymentOffer } from "@/lib/proofs/deployment";
import type { Chains } from "../chains";
import { recoverPayments } from "../jobs/recover";
import type { Settlers } from "../payment/settler";
import type { Store } from "../store/index";
import { settleRefunds } from "./refund";
import { copyTransfers, recipients } from "./transfers";

/** A paid request whose client has not come back for its proof by then is owed its money. */
export const forgottenAfterMs = 3_600_000;
/** Recipients we had before are searched for as long: a week of nonces, and the patience of a payer. */
const recipientsKeptMs = 30 * 24 * 3_600_000;

export interface ReconcileDependencies {
  store: Pick<Store, "payments" | "credits" | "prices" | "transfers" | "refunds">;
  settlers: Settlers;
  chains: Chains;
  /** What is asked now. */
  offers: readonly PaymentOffer[];
  /** Told of what could not be asked; the next round asks again. */
  defect(error: Error): void;
}

/**
 * One round of the books. Afterwards every payment that the chain has decided is decided here, whoever asked for it and
 * whether or not he is still there; every settled payment that nobody works on is a credit after an hour; and every
 * transfer to a recipient of ours is listed, with what became of it. Any process may do it at any time.
 */
export async function reconcile(deps: ReconcileDependencies, now = Date.now()): Promise<void> {
  const { store, settlers, chains, offers, defect } = deps;
  const patiently = async (work: () => Promise<void>) => {
    await work().catch((error: unknown) => defect(error instanceof Error ? error : new Error("unknown")));
  };
  await store.prices.enter(offers);
  await patiently(() => recoverPayments(store.payments, settlers));
  await patiently(async () => void (await store.credits.recordForgotten(new Date(now - forgottenAfterMs))));
  const known = await store.prices.since(new Date(now - recipientsKeptMs));
  for (const recipient of recipients(known)) {
    await patiently(() => copyTransfers(chains, store.transfers, recipient));
  }
  await patiently(() => settleRefunds(chains, store.refunds));
}

import { hex32Schema } from "@/lib/proofs/hex";
import type { Settlers } from "../payment/settler";
import type { PaymentStore } from "../store/payments";

/**
 * After a restart: broadcasts again what we had signed, in the order of signing, and learns what became of settlements
 * whose outcome was open. A paid job then waits for its client's resend, since inputs are not kept. Who cannot be
 * asked now changes nothing: the resend asks again. Other processes may be at work on the same payments: what is on
 * chain is true for them as well.
 */
export async function recoverPayments(payments: PaymentStore, settlers: Settlers): Promise<void> {
  await settlers.payee?.recover();
  for (const row of await payments.open()) {
    const outcome = await settlers[row.settlement]?.learn(row);
    if (outcome && outcome.status !== "unconfirmed")
      await payments.settle(hex32Schema.parse(row.id), outcome);
  }
}

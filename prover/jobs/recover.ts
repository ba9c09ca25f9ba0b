import { hex32Schema } from "@/lib/proofs/hex";
import type { Ledger } from "../payment/ledger";
import type { PayeeSettler } from "../payment/payee-settler";
import { authorizedFromRow } from "../payment/payment";
import type { Payments } from "../store/payments";

interface RecoverDependencies {
  payments: Payments;
  ledger: Ledger;
  payee: PayeeSettler | undefined;
}

/**
 * After a restart: broadcasts again what we had signed, in the order of signing, and learns from the chain
 * what became of settlements whose outcome was open. A paid job then waits for its client's resend, since
 * inputs are not kept. A chain that is away changes nothing: the resend asks again.
 */
export async function recoverPayments({ payments, ledger, payee }: RecoverDependencies): Promise<void> {
  await payee?.recover(await payments.unconfirmedOwn());
  for (const row of await payments.open()) {
    const id = hex32Schema.parse(row.id);
    const outcome = await ledger
      .outcome(authorizedFromRow(row), BigInt(row.from_block))
      .catch(() => ({ status: "unknown" as const }));
    if (outcome.status === "settled") {
      await payments.apply(id, { type: "settled", transaction: outcome.transaction });
    } else if (outcome.status === "void") {
      await payments.apply(id, { type: "voided" });
    }
  }
}

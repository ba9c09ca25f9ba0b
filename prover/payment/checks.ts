import { type Address, hashTypedData, parseSignature, recoverAddress } from "viem";
import { transferTypes } from "@/lib/proofs/eip3009";
import type { Ledger } from "./ledger";
import type { AuthorizedPayment, PaymentRefusal } from "./payment";

/** An authorization that expires sooner than this could die between our check and its block. */
const marginSeconds = 10n;

/** secp256k1 order / 2: tokens refuse the larger of the two equivalent values of s (EIP-2). */
const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/** `block`: where a later search for the settlement begins. `payer`: who paid, and `amount` how much (atomic units). */
export type Checked =
  | { ok: true; block: bigint; payer: Address; amount: bigint }
  | { ok: false; reason: PaymentRefusal };

/**
 * Our own check of a payment, before and whatever a facilitator says: time, signature, use and balance, each
 * with its own reason. Offer fields were compared by `matchOffer`.
 *
 * @param now seconds
 * @throws ChainUnavailableError
 */
export async function checkPayment(
  payment: AuthorizedPayment,
  ledger: Ledger,
  now: bigint,
): Promise<Checked> {
  if (payment.validBefore <= now + marginSeconds) return { ok: false, reason: "expired" };
  if (payment.validAfter > now) return { ok: false, reason: "not_yet_valid" };
  if (!(await signatureFits(payment))) return { ok: false, reason: "invalid_signature" };
  const { used, balance, block } = await ledger.state(payment);
  if (used) return { ok: false, reason: "already_used" };
  if (balance < payment.amount) return { ok: false, reason: "insufficient_balance" };
  return { ok: true, block, payer: payment.payer, amount: payment.amount };
}

/** Whether the payer's key signed this authorization. Contract wallets (ERC-1271) are not accepted yet. */
async function signatureFits(payment: AuthorizedPayment): Promise<boolean> {
  if (payment.signature.length !== 2 + 65 * 2) return false;
  try {
    if (BigInt(parseSignature(payment.signature).s) > halfOrder) return false;
    const hash = hashTypedData({
      domain: {
        ...payment.offer.eip712,
        chainId: payment.chainId,
        verifyingContract: payment.offer.verifyingContract ?? payment.asset,
      },
      types: transferTypes,
      primaryType: "TransferWithAuthorization",
      message: {
        from: payment.payer,
        to: payment.payTo,
        value: payment.amount,
        validAfter: payment.validAfter,
        validBefore: payment.validBefore,
        nonce: payment.nonce,
      },
    });
    return (await recoverAddress({ hash, signature: payment.signature })) === payment.payer;
  } catch {
    return false;
  }
}

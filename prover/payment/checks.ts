import { type Address, type Hex, hashTypedData, parseSignature, recoverAddress } from "viem";
import { transferTypes } from "@/lib/proofs/wire";
import type { Ledger } from "./ledger";
import type { AuthorizedPayment } from "./payment";
import type { PaymentRefusal, Settled } from "./settlement";
import { isKeySignature, unwrapped } from "./token";

/** An authorization that expires sooner could expire between our check and its block. */
const marginSeconds = 10n;

/** secp256k1 order / 2: tokens refuse the larger of the two equivalent values of s (EIP-2). */
const halfOrder = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/**
 * `block`: where a later search for the settlement begins. `payer` and `amount`: who pays how much (atomic units).
 * `balance`: the payer's, in atomic units; null when the money has moved already. `settled`: someone submitted the
 * payment already, and it paid us.
 */
export type Checked =
  | {
      ok: true;
      block: bigint;
      payer: Address;
      amount: bigint;
      balance: bigint | null;
      settled?: Settled;
    }
  | { ok: false; reason: PaymentRefusal };

/**
 * Checks time, signature, use and balance of a payment, each with its own reason, whatever a facilitator says.
 * `matchOffer` has compared the offer's fields.
 * @throws ChainUnavailableError
 */
export async function checkPayment(payment: AuthorizedPayment, ledger: Ledger): Promise<Checked> {
  const wrongTime = checkTime(payment, marginSeconds);
  if (wrongTime) return { ok: false, reason: wrongTime };
  // Finding out takes a search of the chain's logs, which a resend must not repeat.
  if (ledger.isSpent(payment)) return { ok: false, reason: "already_used" };
  const wrongSignature = await checkSignature(payment, ledger);
  if (wrongSignature) return { ok: false, reason: wrongSignature };
  const { used, balance, block } = await ledger.state(payment);
  const { payer, amount } = payment;
  if (used) {
    // Whoever submitted it: a transfer to us that has no proof is owed one.
    const start = await ledger.searchStart(payment);
    const outcome = await ledger.outcome(payment, start);
    if (outcome.status !== "settled") return { ok: false, reason: "already_used" };
    return { ok: true, block: start, payer, amount, balance: null, settled: outcome };
  }
  if (balance < amount) return { ok: false, reason: "insufficient_balance" };
  return { ok: true, block, payer, amount, balance };
}

/** @param margin seconds the authorization must still be valid for */
export function checkTime(
  { validAfter, validBefore }: AuthorizedPayment,
  margin: bigint,
  now = nowSeconds(),
): PaymentRefusal | undefined {
  if (validBefore <= now + margin) return "expired";
  // Exclusive, as in the token: nobody can settle it within this second.
  if (validAfter >= now) return "not_yet_valid";
  return undefined;
}

/** Returns the time as authorizations state it. */
export function nowSeconds(): bigint {
  return BigInt(Math.floor(Date.now() / 1000));
}

/** Checks what the token will check: a contract's answer (ERC-1271), or a key's signature. */
async function checkSignature(
  payment: AuthorizedPayment,
  ledger: Ledger,
): Promise<PaymentRefusal | undefined> {
  const { chainId, payer, signature } = payment;
  const fits = (await ledger.hasCode(chainId, payer))
    ? await ledger.walletAccepts(chainId, payer, signedHash(payment), unwrapped(signature))
    : await keySigned(payment);
  if (fits) return undefined;
  return unwrapped(signature) === signature ? "invalid_signature" : "wallet_not_deployed";
}

const keySignatures = new WeakMap<AuthorizedPayment, Promise<boolean>>();

/** Whether the payer's own key signed this authorization. Computed once per payment. */
export async function keySigned(payment: AuthorizedPayment): Promise<boolean> {
  const known = keySignatures.get(payment) ?? recoversPayer(payment);
  keySignatures.set(payment, known);
  return await known;
}

async function recoversPayer(payment: AuthorizedPayment): Promise<boolean> {
  const { payer, signature } = payment;
  if (!isKeySignature(signature)) return false;
  try {
    if (BigInt(parseSignature(signature).s) > halfOrder) return false;
    return (await recoverAddress({ hash: signedHash(payment), signature })) === payer;
  } catch {
    return false;
  }
}

/** EIP-712 hash of the authorization under the offer's domain. */
function signedHash({ offer, chainId, asset, ...payment }: AuthorizedPayment): Hex {
  return hashTypedData({
    domain: { ...offer.eip712, chainId, verifyingContract: offer.verifyingContract ?? asset },
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
}

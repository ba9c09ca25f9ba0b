import type { PaymentRefusal } from "../payment/settlement";
import { type ProverRefusal, refusals } from "../refusal";
import type { NonceRefusal } from "../store/nonces";

const field = "X-Payment-Nonce";

const nonceMessages: Record<Exclude<NonceRefusal, "other-circuit">, string> = {
  unknown: "the nonce was not given by this service",
  expired: "the nonce has expired; ask for the price again",
  used: "the nonce was already used for another payment",
};

/** Returns the refusal of a request whose nonce does not fit. */
export function nonceRefusal(refused: NonceRefusal): ProverRefusal {
  if (refused === "other-circuit") {
    return refusals.invalid("NONCE_CIRCUIT_MISMATCH", "the nonce was given for another circuit", field);
  }
  return refusals.invalid("INVALID_NONCE", nonceMessages[refused], field, refused);
}

const paymentMessages: Record<PaymentRefusal, string> = {
  wrong_network: "the payment is for a network that is not offered",
  wrong_asset: "the payment is in a token that is not offered",
  wrong_recipient: "the payment goes to another recipient",
  wrong_amount: "the payment is not the price",
  expired: "the authorization has expired, or is about to",
  not_yet_valid: "the authorization is not valid yet",
  invalid_signature: "the authorization was not signed by its payer",
  already_used: "the authorization was already used on chain",
  insufficient_balance: "the payer does not have enough of the token",
  refused_by_facilitator: "the facilitator refused the payment",
  refused_by_gateway: "the gateway refused the payment",
  insufficient_deposit: "the payer has not deposited enough with the gateway",
  transaction_not_found:
    "there is no such transaction on this chain; if it was sent just now, send the same request again",
  transaction_failed: "the transaction failed on chain",
  settlement_reverted:
    "a settlement from this wallet failed on chain within the last hour; pay from another wallet, or later",
  wallet_not_deployed: "the paying wallet is a contract that is not deployed yet",
  wrong_nonce: "the transaction's calldata does not end with keccak256 of this nonce",
};

/** Returns 402 PAYMENT_INVALID with its reason. */
export function paymentRefusal(reason: PaymentRefusal): ProverRefusal {
  return refusals.paymentInvalid(reason, paymentMessages[reason]);
}

/** Returns the refusal of an accepted payment that turned out not to pay us. */
export function voidRefusal(reason: PaymentRefusal): ProverRefusal {
  const message = `the payment can no longer be settled: ${paymentMessages[reason]}; it did not pay this service`;
  return refusals.paymentInvalid(reason, message);
}

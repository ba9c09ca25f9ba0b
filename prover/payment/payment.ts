import { type Address, encodeAbiParameters, getAddress, type Hex, isAddressEqual, keccak256 } from "viem";
import type { PaymentOffer } from "@/lib/proofs/deployment";
import { addressSchema, hex32Schema } from "@/lib/proofs/hex";
import {
  decodeHeader,
  type PaymentPayload,
  type PaymentRequirements,
  paymentPayloadSchema,
} from "@/lib/proofs/wire";
import type { PaymentRow } from "../store/payments";

/** What the chain is asked about a transfer authorization (EIP-3009). Known from the row alone. */
export interface Authorized {
  chainId: number;
  asset: Address;
  payer: Address;
  payTo: Address;
  /** Atomic units. */
  amount: bigint;
  nonce: Hex;
  /** Seconds; the authorization is dead from this moment on. */
  validBefore: bigint;
}

/** A signed authorization that fits one of our offers. */
export interface Payment extends Authorized {
  id: Hex;
  offer: PaymentOffer;
  validAfter: bigint;
  signature: Hex;
  /** As sent, for a facilitator. */
  payload: PaymentPayload;
}

/** Reads a PAYMENT-SIGNATURE header; null when it is not an x402 v2 "exact" payment on an EVM chain. */
export function readPaymentHeader(header: string): PaymentPayload | null {
  return decodeHeader(paymentPayloadSchema, header);
}

/**
 * Identity of a payment: keccak256(abi.encode(network, asset, payer, authorization nonce)). The chain uses an
 * authorization nonce once per payer and asset, so two different payments never share an id.
 */
export function paymentId({ accepted, payload }: PaymentPayload): Hex {
  const { from, nonce } = payload.authorization;
  return keccak256(
    encodeAbiParameters(
      [{ type: "string" }, { type: "address" }, { type: "address" }, { type: "bytes32" }],
      [accepted.network, getAddress(accepted.asset), getAddress(from), nonce],
    ),
  );
}

/** Why a payment is refused; sent as `reason` with PAYMENT_INVALID. */
export type PaymentRefusal =
  | "wrong_network"
  | "wrong_asset"
  | "wrong_recipient"
  | "wrong_amount"
  | "expired"
  | "not_yet_valid"
  | "invalid_signature"
  | "already_used"
  | "insufficient_balance"
  | "refused_by_facilitator";

/** Finds the offer a payment is for. What the client echoes is compared, never used. */
export function matchOffer(
  payload: PaymentPayload,
  offers: readonly PaymentOffer[],
): { payment: Payment } | { reason: PaymentRefusal } {
  const { accepted } = payload;
  const { authorization, signature } = payload.payload;
  const onNetwork = offers.filter((offer) => offer.network === accepted.network);
  if (onNetwork.length === 0) return { reason: "wrong_network" };
  const offer = onNetwork.find((each) => isAddressEqual(each.asset, accepted.asset));
  if (!offer) return { reason: "wrong_asset" };
  if (!isAddressEqual(authorization.to, offer.payTo) || !isAddressEqual(accepted.payTo, offer.payTo)) {
    return { reason: "wrong_recipient" };
  }
  // Exactly the price: the scheme is "exact", and what is paid beyond it could not be given back.
  if (authorization.value !== offer.amount || accepted.amount !== offer.amount)
    return { reason: "wrong_amount" };
  return {
    payment: {
      id: paymentId(payload),
      offer,
      chainId: offer.chainId,
      asset: offer.asset,
      payer: getAddress(authorization.from),
      payTo: offer.payTo,
      amount: BigInt(offer.amount),
      nonce: authorization.nonce,
      validAfter: BigInt(authorization.validAfter),
      validBefore: BigInt(authorization.validBefore),
      signature,
      payload,
    },
  };
}

/** The same facts from a stored payment. */
export function authorizedFromRow(row: PaymentRow): Authorized {
  return {
    chainId: row.chain_id,
    asset: addressSchema.parse(row.asset),
    payer: addressSchema.parse(row.payer),
    payTo: addressSchema.parse(row.pay_to),
    amount: BigInt(row.amount),
    nonce: hex32Schema.parse(row.authorization_nonce),
    validBefore: BigInt(row.valid_before),
  };
}

/** How long a client may take between challenge and settlement. */
const maxTimeoutSeconds = 300;

/** An entry of `accepts`. */
export function requirements(offer: PaymentOffer): PaymentRequirements {
  return {
    scheme: "exact",
    network: offer.network,
    amount: offer.amount,
    asset: offer.asset,
    payTo: offer.payTo,
    maxTimeoutSeconds,
    extra: offer.eip712,
    decimals: offer.decimals,
    settlement: offer.settlement,
    eip712_domain: { ...offer.eip712, chainId: offer.chainId, verifyingContract: offer.asset },
  };
}

import { GATEWAY_AUTH_VALIDITY_WINDOW_SECONDS } from "@circle-fin/x402-batching";
import { type Address, encodeAbiParameters, getAddress, type Hex, isAddressEqual, keccak256 } from "viem";
import type { PaymentOffer } from "@/lib/proofs/deployment";
import { addressSchema, hex32Schema } from "@/lib/proofs/hex";
import {
  decodeHeader,
  type Network,
  networkSchema,
  type PaymentPayload,
  type PaymentRequirements,
  paymentPayloadSchema,
} from "@/lib/proofs/wire";
import type { PaymentRow } from "../store/payments";
import type { PaymentRefusal } from "./settlement";

/** Names of networks beside their CAIP-2 identifiers. */
const networkNames: Readonly<Record<string, Network>> = { "arc-testnet-nano": "eip155:5042002" };

/** Reads X-Payment-Network: a CAIP-2 identifier or a name; undefined if it is neither. */
export function readNetwork(text: string): Network | undefined {
  const named = Object.hasOwn(networkNames, text) ? networkNames[text] : undefined;
  return named ?? networkSchema.safeParse(text).data;
}

/** What a client presents as its payment: a signed authorization, or a transfer it made. */
export type PaymentRequest =
  | {
      kind: "authorization";
      payload: PaymentPayload;
      /** The client's name for its purchase (`readIdentifier`). */
      identifier?: string;
    }
  /** X-Payment-TX on a network (X-Payment-Network), with the challenge's nonce. */
  | { kind: "transaction"; network: Network; hash: Hex; nonce: Hex };

/** A transfer authorization (EIP-3009) as its token knows it. The row alone has it all. */
export interface Authorized {
  chainId: number;
  asset: Address;
  payer: Address;
  payTo: Address;
  /** Atomic units. */
  amount: bigint;
  nonce: Hex;
  /** Seconds; the authorization is invalid from then on. */
  validBefore: bigint;
}

/** A signed authorization that matches one of our offers. */
export interface AuthorizedPayment extends Authorized {
  kind: "authorization";
  id: Hex;
  offer: PaymentOffer;
  validAfter: bigint;
  /** 65 bytes of a key, or whatever a contract wallet (ERC-1271) accepts. */
  signature: Hex;
  /** As sent, for a facilitator. */
  payload: PaymentPayload;
}

/** A transfer the payer made; only its hash is known yet. */
export interface TransactionPayment {
  kind: "transaction";
  id: Hex;
  offer: PaymentOffer;
  chainId: number;
  hash: Hex;
  /** The challenge's nonce: the transaction's calldata ends with its keccak256. */
  nonce: Hex;
}

/** A payment that names one of our offers; its settler checks whether it is good. */
export type Payment = AuthorizedPayment | TransactionPayment;

/** Reads a PAYMENT-SIGNATURE header; null if it is not an x402 v2 "exact" payment on an EVM chain. */
export function readPaymentHeader(header: string): PaymentPayload | null {
  return decodeHeader(paymentPayloadSchema, header);
}

/**
 * Returns the id of a payment: keccak256(abi.encode(network, asset, payer, authorization nonce)), or
 * keccak256(abi.encode("transaction", network, transaction hash)). The chain uses an authorization nonce once per payer
 * and asset, so two different payments never share an id, and one transaction pays once whatever else it carries.
 */
export function paymentId(request: PaymentRequest): Hex {
  if (request.kind === "transaction") {
    return keccak256(
      encodeAbiParameters(
        [{ type: "string" }, { type: "string" }, { type: "bytes32" }],
        ["transaction", request.network, request.hash],
      ),
    );
  }
  const { accepted, payload } = request.payload;
  const { from, nonce } = payload.authorization;
  return keccak256(
    encodeAbiParameters(
      [{ type: "string" }, { type: "address" }, { type: "address" }, { type: "bytes32" }],
      [accepted.network, getAddress(accepted.asset), getAddress(from), nonce],
    ),
  );
}

/** Finds the offer a payment is for. What the client echoes is compared, never used. */
export function matchOffer(
  request: PaymentRequest,
  offers: readonly PaymentOffer[],
): { payment: Payment } | { reason: PaymentRefusal } {
  if (request.kind === "transaction") {
    const offer = offers.find((each) => each.network === request.network && each.transactions !== undefined);
    if (!offer) return { reason: "wrong_network" };
    const { hash, nonce } = request;
    return {
      payment: { kind: "transaction", id: paymentId(request), offer, chainId: offer.chainId, hash, nonce },
    };
  }
  const { payload } = request;
  const { accepted } = payload;
  const { authorization, signature } = payload.payload;
  const onNetwork = offers.filter((offer) => offer.network === accepted.network);
  if (onNetwork.length === 0) return { reason: "wrong_network" };
  const inAsset = onNetwork.filter((each) => isAddressEqual(each.asset, accepted.asset));
  // A network may have two offers in one token, one of them through a gateway: their domains differ.
  const offer = inAsset.find((each) => each.eip712.name === accepted.extra.name) ?? inAsset[0];
  if (!offer) return { reason: "wrong_asset" };
  if (!isAddressEqual(authorization.to, offer.payTo) || !isAddressEqual(accepted.payTo, offer.payTo)) {
    return { reason: "wrong_recipient" };
  }
  // Exactly the price: the scheme is "exact", and anything above it could not be returned.
  if (authorization.value !== offer.amount || accepted.amount !== offer.amount)
    return { reason: "wrong_amount" };
  return {
    payment: {
      kind: "authorization",
      id: paymentId(request),
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

/** Reads the authorization of a row; undefined for a gateway's payment and for a transfer. */
export function authorizedFromRow(row: PaymentRow): Authorized | undefined {
  if (row.settlement === "gateway" || row.authorization_nonce === null || row.valid_before === null)
    return undefined;
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

/**
 * Returns how long an authorization is valid, and so how long a client may take from challenge to settlement. A gateway
 * settles in batches and refuses anything that expires within its own time.
 */
function maxTimeoutSeconds({ settlement }: PaymentOffer): number {
  return settlement === "gateway" ? GATEWAY_AUTH_VALIDITY_WINDOW_SECONDS : 300;
}

/** Returns an offer as an entry of `accepts`. */
export function requirements(offer: PaymentOffer): PaymentRequirements {
  return {
    scheme: "exact",
    network: offer.network,
    amount: offer.amount,
    asset: offer.asset,
    payTo: offer.payTo,
    maxTimeoutSeconds: maxTimeoutSeconds(offer),
    // A gateway's clients look here for the contract to sign for; a token's clients know it.
    extra: offer.verifyingContract
      ? { ...offer.eip712, verifyingContract: offer.verifyingContract }
      : offer.eip712,
    decimals: offer.decimals,
    settlement: offer.settlement,
    eip712_domain: {
      ...offer.eip712,
      chainId: offer.chainId,
      verifyingContract: offer.verifyingContract ?? offer.asset,
    },
    transaction: offer.transactions,
  };
}

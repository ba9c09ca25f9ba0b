import { CIRCLE_BATCHING_NAME, CIRCLE_BATCHING_VERSION } from "@circle-fin/x402-batching";
import { type Address, isAddressEqual, recoverTypedDataAddress } from "viem";
import { transferTypes } from "@/lib/proofs/eip3009";
import type { Payment } from "./requests";

/** A network the gateway moves deposits on. */
export interface GatewayNetwork {
  network: `eip155:${number}`;
  asset: Address;
  /** The wallet contract payers sign for. */
  verifyingContract: Address;
}

/** Circle's minimum: a batch may take that long. */
const minimumSeconds = 7n * 24n * 3600n;

/**
 * The read-only checks of Circle Gateway, with its names of what is wrong
 * (developers.circle.com/openapi/gateway-nanopayments.yaml). Balance and use are looked at when a payment settles.
 * @param now seconds
 */
export async function wrongWith(
  payment: Payment,
  networks: readonly GatewayNetwork[],
  now: bigint,
): Promise<string | undefined> {
  const { paymentRequirements: asked, paymentPayload } = payment;
  const { authorization, signature } = paymentPayload.payload;
  const served = networks.find(({ network }) => network === asked.network);
  if (asked.scheme !== "exact") return "unsupported_scheme";
  if (!served) return "unsupported_network";
  if (!isAddressEqual(asked.asset, served.asset)) return "unsupported_asset";
  if (!isAddressEqual(asked.extra.verifyingContract, served.verifyingContract)) return "unsupported_domain";
  if (!isAddressEqual(authorization.to, asked.payTo)) return "address_mismatch";
  if (authorization.value !== asked.amount) return "amount_mismatch";
  if (isAddressEqual(authorization.from, authorization.to)) return "self_transfer";
  const validBefore = BigInt(authorization.validBefore);
  if (BigInt(authorization.validAfter) > now) return "authorization_not_yet_valid";
  if (validBefore <= now) return "authorization_expired";
  if (validBefore - now < minimumSeconds) return "authorization_validity_too_short";
  const signer = await recoverTypedDataAddress({
    domain: {
      name: CIRCLE_BATCHING_NAME,
      version: CIRCLE_BATCHING_VERSION,
      chainId: Number(served.network.slice("eip155:".length)),
      verifyingContract: served.verifyingContract,
    },
    types: transferTypes,
    primaryType: "TransferWithAuthorization",
    message: {
      from: authorization.from,
      to: authorization.to,
      value: BigInt(authorization.value),
      validAfter: BigInt(authorization.validAfter),
      validBefore,
      nonce: authorization.nonce,
    },
    signature,
  }).catch(() => undefined);
  return signer && isAddressEqual(signer, authorization.from) ? undefined : "invalid_signature";
}

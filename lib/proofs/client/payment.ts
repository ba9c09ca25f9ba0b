import { bytesToHex, isAddressEqual } from "viem";
import type { PaymentOffer } from "../deployment";
import {
  encodeHeader,
  type PaymentPayload,
  type PaymentRequirements,
  paymentRequirementsSchema,
  transferTypes,
} from "../wire";
import { BuyProofError } from "./errors";
import type { PayingWallet } from "./wallets";

/** Maximum validity of a signature, whatever the prover requests. */
const MAX_VALIDITY_SECONDS = 3600;
/** A gateway settles in batches and requires signatures valid for 7 days; its own client adds 100 s. */
const GATEWAY_VALIDITY_SECONDS = 7 * 24 * 3600 + 100;
/** Domain of the gateway's wallet contract (@circle-fin/x402-batching). */
const GATEWAY_DOMAIN = { name: "GatewayWalletBatched", version: "1" };

export type OfferRules = {
  /** Atomic units. */
  maxAmount: bigint;
  /**
   * Offers of the deployment: asset, recipient and domain must match one of them. Otherwise `maxAmount` would not limit
   * anything, since the prover could choose the token.
   */
  expectedOffers: readonly PaymentOffer[];
  /**
   * The wallet has a deposit at the gateway, a balance apart from its own. Then offers that settle there come first;
   * otherwise they are skipped.
   */
  allowGateway?: boolean;
  /** Chooses one of the acceptable offers, which are in the prover's order; default the first. */
  accept?: (offers: readonly PaymentRequirements[]) => PaymentRequirements | undefined;
};

/**
 * Chooses the offer to pay. Skips entries that this client cannot pay: another scheme or shape, or a gateway deposit
 * without `allowGateway`.
 * @throws BuyProofError OFFER_UNKNOWN or PRICE_TOO_HIGH.
 */
export function chooseOffer(accepts: readonly unknown[], rules: OfferRules): PaymentRequirements {
  const known = accepts
    .map((entry) => paymentRequirementsSchema.safeParse(entry))
    .flatMap((parsed) => (parsed.success ? [parsed.data] : []))
    .filter((offer) => isPayable(offer, rules) && isExpected(offer, rules.expectedOffers))
    .sort((a, b) => Number(isGateway(b)) - Number(isGateway(a)));
  if (known.length === 0) {
    throw new BuyProofError("OFFER_UNKNOWN", "the prover offers no way to pay that this installation knows");
  }
  const affordable = known.filter((offer) => BigInt(offer.amount) <= rules.maxAmount);
  if (affordable.length === 0) {
    throw new BuyProofError(
      "PRICE_TOO_HIGH",
      `the prover asks more than the limit of ${rules.maxAmount} atomic units`,
    );
  }
  const chosen = rules.accept ? rules.accept(affordable) : affordable[0];
  if (!chosen || !affordable.includes(chosen)) {
    throw new BuyProofError("OFFER_UNKNOWN", "none of the prover's offers was accepted");
  }
  return chosen;
}

const isGateway = (offer: PaymentRequirements) => offer.settlement === "gateway";

/**
 * Returns whether an offer describes one asset consistently: the signature covers the domain, but the comparison covers
 * asset and network. The domain is the asset's own, or the gateway's with its contract also in `extra`.
 */
function isPayable(offer: PaymentRequirements, { allowGateway }: Pick<OfferRules, "allowGateway">): boolean {
  const { eip712_domain: domain, extra } = offer;
  const consistent =
    offer.network === `eip155:${domain.chainId}` &&
    extra.name === domain.name &&
    extra.version === domain.version;
  if (!consistent) return false;
  if (!isGateway(offer)) return isAddressEqual(offer.asset, domain.verifyingContract);
  return (
    allowGateway === true &&
    domain.name === GATEWAY_DOMAIN.name &&
    domain.version === GATEWAY_DOMAIN.version &&
    typeof extra.verifyingContract === "string" &&
    extra.verifyingContract.toLowerCase() === domain.verifyingContract.toLowerCase()
  );
}

function isExpected(offer: PaymentRequirements, expected: readonly PaymentOffer[]): boolean {
  return expected.some(
    (ours) =>
      ours.network === offer.network &&
      isAddressEqual(ours.asset, offer.asset) &&
      isAddressEqual(ours.payTo, offer.payTo) &&
      isAddressEqual(ours.verifyingContract ?? ours.asset, offer.eip712_domain.verifyingContract) &&
      ours.eip712.name === offer.eip712_domain.name &&
      ours.eip712.version === offer.eip712_domain.version,
  );
}

type SignedPayment = { paymentSignature: string; validBefore: number };

/**
 * Signs one EIP-3009 authorization for an offer and encodes it as an x402 v2 PAYMENT-SIGNATURE header. The nonce is 32
 * random bytes (EIP-3009).
 * @param nowSeconds the current time.
 */
export async function signPayment(
  wallet: PayingWallet,
  offer: PaymentRequirements,
  resource: PaymentPayload["resource"],
  nowSeconds: number,
): Promise<SignedPayment> {
  const nonce = bytesToHex(crypto.getRandomValues(new Uint8Array(32)));
  const validBefore =
    nowSeconds +
    (isGateway(offer) ? GATEWAY_VALIDITY_SECONDS : Math.min(offer.maxTimeoutSeconds, MAX_VALIDITY_SECONDS));
  const authorization = {
    from: wallet.address,
    to: offer.payTo,
    value: offer.amount,
    // Not the current time: a chain whose clock is behind would reject the authorization as early.
    validAfter: "0",
    validBefore: String(validBefore),
    nonce,
  };
  const signature = await wallet.signTypedData({
    domain: offer.eip712_domain,
    types: transferTypes,
    primaryType: "TransferWithAuthorization",
    message: {
      ...authorization,
      value: BigInt(offer.amount),
      validAfter: 0n,
      validBefore: BigInt(validBefore),
    },
  });
  const payload: PaymentPayload = {
    x402Version: 2,
    resource,
    accepted: offer,
    payload: { signature, authorization },
  };
  return { paymentSignature: encodeHeader(payload), validBefore };
}

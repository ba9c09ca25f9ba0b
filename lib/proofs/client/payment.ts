import { type Address, bytesToHex, type Hex, isAddressEqual } from "viem";
import type { PaymentOffer } from "../deployment";
import { transferTypes } from "../eip3009";
import {
  encodeHeader,
  type PaymentPayload,
  type PaymentRequirements,
  paymentRequirementsSchema,
} from "../wire";
import { BuyProofError } from "./errors";

export type TransferTypedData = {
  domain: { name: string; version: string; chainId: number; verifyingContract: Address };
  types: typeof transferTypes;
  primaryType: "TransferWithAuthorization";
  message: { from: Address; to: Address; value: bigint; validAfter: bigint; validBefore: bigint; nonce: Hex };
};

/** The paying wallet: a viem account, or `{address, signTypedData: m => signTypedData(config, m)}` of wagmi. */
export type PayingWallet = { address: Address; signTypedData(data: TransferTypedData): Promise<Hex> };

/** Longest life we give a signature, whatever the prover asks for. */
const MAX_VALIDITY_SECONDS = 3600;

export type OfferRules = {
  /** Atomic units. */
  maxAmount: bigint;
  /** Offers of the deployment; when given, asset, recipient and domain must be those of one of them. */
  expectedOffers?: readonly PaymentOffer[];
  /** Picks among the acceptable offers, in the prover's order; default the first. */
  accept?: (offers: readonly PaymentRequirements[]) => PaymentRequirements | undefined;
};

/**
 * The offer to pay. Entries this client cannot pay (another scheme, another shape, a gateway balance) are
 * passed over.
 * @throws BuyProofError OFFER_UNKNOWN or PRICE_TOO_HIGH.
 */
export function chooseOffer(accepts: readonly unknown[], rules: OfferRules): PaymentRequirements {
  const known = accepts
    .map((entry) => paymentRequirementsSchema.safeParse(entry))
    .flatMap((parsed) => (parsed.success ? [parsed.data] : []))
    .filter((offer) => isPayable(offer) && isExpected(offer, rules.expectedOffers));
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

/** An offer must describe one asset only: what is signed is the domain, what is compared is asset and network. */
function isPayable(offer: PaymentRequirements): boolean {
  const domain = offer.eip712_domain;
  return (
    offer.settlement !== "gateway" &&
    offer.network === `eip155:${domain.chainId}` &&
    isAddressEqual(offer.asset, domain.verifyingContract) &&
    offer.extra.name === domain.name &&
    offer.extra.version === domain.version
  );
}

function isExpected(offer: PaymentRequirements, expected: readonly PaymentOffer[] | undefined): boolean {
  if (!expected) return true;
  return expected.some(
    (ours) =>
      ours.network === offer.network &&
      isAddressEqual(ours.asset, offer.asset) &&
      isAddressEqual(ours.payTo, offer.payTo) &&
      ours.eip712.name === offer.eip712_domain.name &&
      ours.eip712.version === offer.eip712_domain.version,
  );
}

export type SignedPayment = { paymentSignature: string; validBefore: number };

/**
 * Signs one EIP-3009 authorization for an offer and packs it as an x402 v2 PAYMENT-SIGNATURE header. The
 * authorization nonce is 32 random bytes (EIP-3009).
 * @param nowSeconds the clock, in seconds.
 */
export async function signPayment(
  wallet: PayingWallet,
  offer: PaymentRequirements,
  resource: PaymentPayload["resource"],
  nowSeconds: number,
): Promise<SignedPayment> {
  const nonce = bytesToHex(crypto.getRandomValues(new Uint8Array(32)));
  const validBefore = nowSeconds + Math.min(offer.maxTimeoutSeconds, MAX_VALIDITY_SECONDS);
  const signature = await wallet.signTypedData({
    domain: offer.eip712_domain,
    types: transferTypes,
    primaryType: "TransferWithAuthorization",
    message: {
      from: wallet.address,
      to: offer.payTo,
      value: BigInt(offer.amount),
      // Zero rather than now: a chain whose clock runs behind ours would call it early.
      validAfter: 0n,
      validBefore: BigInt(validBefore),
      nonce,
    },
  });
  const payload: PaymentPayload = {
    x402Version: 2,
    resource,
    accepted: offer,
    payload: {
      signature,
      authorization: {
        from: wallet.address,
        to: offer.payTo,
        value: offer.amount,
        validAfter: "0",
        validBefore: String(validBefore),
        nonce,
      },
    },
  };
  return { paymentSignature: encodeHeader(payload), validBefore };
}

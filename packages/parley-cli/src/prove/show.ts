import { codesOr } from "@/lib/i18n/countries";
import { words } from "@/lib/i18n/english";
import { duration, listed, tokenAmount } from "@/lib/i18n/time";
import type { ActionLine } from "@/lib/proofs/attestation/action-lines";
import type { AttestedProgress, AttestedStatement, SigningRequest } from "@/lib/proofs/client/attested";
import type { PaymentOffer } from "@/lib/proofs/deployment";

/** Name of the gateway that settles small payments in batches (spec/prover-api.md, "Payment offer"). */
const GATEWAY_NETWORK = "arc-testnet-nano";

/** Returns the name of an offer for `--network`. */
export function networkName({ network, settlement }: Pick<PaymentOffer, "network" | "settlement">): string {
  return settlement === "gateway" ? GATEWAY_NETWORK : network;
}

/** Describes the statement of a proof in one line. */
export function statementLine({ circuit, scope, list, action }: AttestedStatement): string {
  const says = list
    ? list.isIncluded
      ? `lives in ${codesOr(words, list.countries)}`
      : `lives in none of ${listed(words, list.countries)}`
    : action
      ? `a verified person authorizes ${action.primaryType}`
      : "a verified person";
  return `${circuit}: ${says} (scope "${scope}")`;
}

/** Returns what the wallet is about to sign, in full. */
export function requestText(request: SigningRequest): string {
  if (request.kind === "message") {
    return `The attested wallet signs this message (personal_sign, 32 bytes):\n  ${request.signalHash}`;
  }
  return `The attested wallet authorizes exactly this (EIP-712):\n${actionText(request.lines)}`;
}

/** Returns every value of an action, one per line and unshortened. */
function actionText(lines: readonly ActionLine[]): string {
  return lines
    .map(
      ({ label, type, value, depth }) =>
        `${"  ".repeat(depth + 1)}${label} (${type})${value ? `: ${value}` : ""}`,
    )
    .join("\n");
}

/** "0.10 USDC on eip155:8453". */
export function amountText(offer: PaymentOffer): string {
  const { amount, decimals, symbol } = offer;
  return `${tokenAmount(words, amount, decimals)} ${symbol} on ${networkName(offer)}`;
}

/** Returns a line about an event, or null for minor ones. */
export function progressLine(event: AttestedProgress, offer: PaymentOffer): string | null {
  switch (event.stage) {
    case "finding":
      return "Looking for the wallet's attestation";
    case "found":
      return `Found: made ${new Date(event.time * 1000).toISOString()}`;
    case "signing":
      return "The attested wallet signs";
    case "price":
      return `The prover asks ${amountText({ ...offer, amount: event.amount })}`;
    case "payment":
      return event.reused ? "The payment signed before is sent again" : `Paid from ${event.payer}`;
    case "settled":
      return `Payment settled, ${amountText({ ...offer, amount: event.amount })}: ${event.transaction}`;
    case "queued":
      return queueText(event);
    case "retrying":
      return `${event.reason}: again in ${Math.round(event.afterMs / 1000)} s`;
    case "settling":
    case "witness":
    case "checking":
      return null;
    case "proving":
      return event.elapsedMs === 0 ? "Proving" : null;
    case "done":
      return "The proof is made";
  }
}

/** "2 proofs ahead of yours, about 12.0 s". */
export function queueText({
  position,
  expectedMs,
}: {
  position: number | null;
  expectedMs: number | null;
}): string {
  const place =
    position === null
      ? "In line"
      : position === 0
        ? "Next in line"
        : `${position} ${position === 1 ? "proof" : "proofs"} ahead of yours`;
  return expectedMs === null ? place : `${place}, about ${duration(words, expectedMs)}`;
}

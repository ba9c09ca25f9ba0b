import { formatUnits } from "viem";
import { chainOf, type Deployment, type PaymentOffer } from "@/lib/proofs/deployment";

/** An amount of atomic units for people: 0.10 USDC. */
export function money(
  amount: string,
  { decimals, symbol }: Pick<PaymentOffer, "decimals" | "symbol">,
): string {
  const [whole = "0", part = ""] = formatUnits(BigInt(amount), decimals).split(".");
  return `${whole}.${part.padEnd(2, "0")} ${symbol}`;
}

const settlements: Readonly<Record<PaymentOffer["settlement"], string>> = {
  facilitator: "you sign, a facilitator submits and pays the gas",
  payee: "you sign, this service submits and pays the gas",
  gateway: "you sign, and a gateway takes it from your deposit there",
};

/** An offer in a line: what, where, and who submits it. */
export function offerLine(deployment: Deployment, offer: PaymentOffer): string {
  const transfer = offer.transactions
    ? `; or you send a transfer yourself, which counts after ${blocks(offer.transactions.confirmations)}`
    : "";
  return `${money(offer.amount, offer)} on ${chainOf(deployment, offer.chainId).name}: ${settlements[offer.settlement]}${transfer}`;
}

function blocks(count: number): string {
  return count === 1 ? "one block" : `${count} blocks`;
}

/** First six and last four characters of a hash. */
export function short(hash: string): string {
  return hash.length <= 14 ? hash : `${hash.slice(0, 8)}…${hash.slice(-4)}`;
}

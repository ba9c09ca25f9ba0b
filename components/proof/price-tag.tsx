import * as en from "@/lib/i18n/en";
import { tokenAmount } from "@/lib/i18n/time";
import type { PublicConfig, PublicOffer } from "./config";

/** "0.10 USDC". */
export function offerAmount(offer: Pick<PublicOffer, "amount" | "decimals" | "symbol">): string {
  return `${tokenAmount(offer.amount, offer.decimals)} ${offer.symbol}`;
}

export interface PriceTagProps {
  readonly offer: PublicOffer;
  readonly config: Pick<PublicConfig, "chains">;
}

/** Amount, token, chain, who settles, gas by whom; shown before any wallet is asked. */
export function PriceTag({ offer, config }: PriceTagProps) {
  const chain = config.chains.find((c) => c.id === offer.chainId)?.name ?? offer.network;
  return (
    <p className="flex flex-wrap items-baseline gap-x-2">
      <strong className="font-serif text-2xl font-semibold tabular-nums">{offerAmount(offer)}</strong>
      <span className="text-sm text-soft">
        {en.wallet.on(chain)} · {en.wallet.settledBy[offer.settlement]} · {en.wallet.gas}
      </span>
    </p>
  );
}

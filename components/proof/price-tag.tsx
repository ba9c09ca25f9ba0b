import { useWords } from "#words";
import { tokenAmount } from "@/lib/i18n/time";
import type { Words } from "@/lib/i18n/words";
import type { PublicConfig, PublicOffer } from "./config";

/** "0.10 USDC". */
export function offerAmount(
  words: Words,
  offer: Pick<PublicOffer, "amount" | "decimals" | "symbol">,
): string {
  return `${tokenAmount(words, offer.amount, offer.decimals)} ${offer.symbol}`;
}

export interface PriceTagProps {
  readonly offer: PublicOffer;
  readonly config: Pick<PublicConfig, "chains">;
}

/** Amount, token, chain, who settles, gas by whom, and what a payment shows the world; before any wallet is asked. */
export function PriceTag({ offer, config }: PriceTagProps) {
  const words = useWords();
  const chain = config.chains.find((c) => c.id === offer.chainId)?.name ?? offer.network;
  return (
    <div className="grid gap-1">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <strong className="font-serif text-2xl font-semibold tabular-nums">
          {offerAmount(words, offer)}
        </strong>
        <span className="text-sm text-soft">
          {words.t("wallet.on", { chain: chain })} · {words.t(`wallet.settledBy.${offer.settlement}`)} ·{" "}
          {words.t("wallet.gas")}
        </span>
      </p>
      <p className="text-sm text-soft">
        {words.t("wallet.public", { amount: offerAmount(words, offer), chain })}
      </p>
    </div>
  );
}

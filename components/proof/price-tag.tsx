import type { ReactNode } from "react";
import { useWords } from "#words";
import { tokenAmount } from "@/lib/i18n/time";
import type { Words } from "@/lib/i18n/words";
import type { PublicConfig, PublicOffer } from "./config";
import type { ProverChoice } from "./prover-choice";

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

export interface CostProps {
  readonly choice: ProverChoice;
  /** Price and what pays it, where it is the installation's prover. */
  readonly children: ReactNode;
}

/** What a proof costs, by who makes it. */
export function Cost({ choice, children }: CostProps) {
  const { t } = useWords();
  return (
    <section aria-labelledby="cost" className="grid gap-3 border-t pt-5">
      <h2 id="cost" className="text-sm font-semibold">
        {t("signIn.price")}
      </h2>
      {choice.kind === "server" ? children : null}
      {choice.kind === "own" ? <p className="text-sm text-soft">{t("prover.ownPrice")}</p> : null}
      {choice.kind === "browser" ? (
        <>
          <p>
            <strong className="font-serif text-2xl font-semibold">{t("prover.free")}</strong>
          </p>
          <p className="text-sm text-soft">{t("prover.freeNote")}</p>
        </>
      ) : null}
    </section>
  );
}

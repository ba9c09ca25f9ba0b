import type { ReactNode } from "react";
import { useWords } from "#words";
import { tokenAmount } from "@/lib/i18n/time";
import type { Words } from "@/lib/i18n/words";
import { chainName, type PublicConfig, type PublicOffer } from "./config";
import type { ProverChoice } from "./prover-choice";

/** Returns an offer's amount as text: "0.10 USDC". */
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

/** Shows amount, token, chain, who settles and pays gas, and what a payment makes public. */
export function PriceTag({ offer, config }: PriceTagProps) {
  const words = useWords();
  const chain = chainName(config, offer.chainId);
  return (
    <div className="grid gap-1">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <strong className="font-serif text-2xl font-semibold tabular-nums">
          {offerAmount(words, offer)}
        </strong>
        <span className="text-sm text-soft">
          {words.t("wallet.on", { chain })} · {words.t(`wallet.settledBy.${offer.settlement}`)} ·{" "}
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
  /** Price and payer, for the installation's prover. */
  readonly children: ReactNode;
}

/** Shows what a proof costs, depending on the prover. */
export function Cost({ choice, children }: CostProps) {
  const { t } = useWords();
  return (
    <section aria-labelledby="cost" className="grid gap-3 border-t pt-5">
      <h2 id="cost" className="text-sm font-semibold">
        {t("common.cost")}
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

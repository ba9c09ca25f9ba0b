import { useWords } from "#words";
import { Hash } from "@/components/ui/hash";
import { explorerLink, type PublicConfig } from "../config";
import { offerAmount } from "../price-tag";
import type { Run } from "./types";

export interface TransactionProps {
  readonly run: Run;
  readonly config: PublicConfig;
  readonly hash: string;
}

/** The payment on chain, and what it was. */
export function Transaction({ run, config, hash }: TransactionProps) {
  const words = useWords();
  const offer = config.offers.find((o) => o.network === run.payment?.network);
  return (
    <p className="text-sm text-soft">
      {offer && run.payment
        ? `${words.t("run.paid", { amount: offerAmount(words, { ...offer, amount: run.payment.amount }) })} · `
        : null}
      {words.t("seal.transaction")}{" "}
      <Hash
        value={hash}
        label={words.t("run.transaction")}
        href={offer ? explorerLink(config, offer.chainId, "tx", hash) : null}
      />
    </p>
  );
}

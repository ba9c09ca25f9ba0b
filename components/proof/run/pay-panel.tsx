"use client";

import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { PayWith } from "@/components/wallet/pay-with";
import type { PublicConfig } from "../config";
import { offerAmount } from "../price-tag";
import type { PayChoice, Run } from "./types";

export interface PayPanelProps {
  readonly config: PublicConfig;
  readonly run: Run;
  readonly choice: PayChoice;
  readonly onChoice: (choice: PayChoice) => void;
  /** Pays. */
  readonly onPay: () => void;
}

/** The price, what pays it, and the one button that makes a wallet ask. */
export function PayPanel({ config, run, choice, onChoice, onPay }: PayPanelProps) {
  const words = useWords();
  const offer = config.offers.find((o) => o.network === choice.network);
  return (
    <div className="grid justify-items-start gap-4 pt-2 *:first:w-full">
      <PayWith
        config={config}
        value={choice}
        onChange={onChoice}
        holderId={run.subject.kind === "wallet" ? run.subject.holderId : null}
      />
      {offer ? (
        <Button tone="primary" disabled={!choice.walletId} onClick={onPay}>
          {words.t("run.pay", { amount: offerAmount(words, offer) })}
        </Button>
      ) : null}
    </div>
  );
}

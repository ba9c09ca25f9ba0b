"use client";

import { useEffect, useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { ErrorNote, Skeleton } from "@/components/ui/notes";
import { PayWith } from "@/components/wallet/pay-with";
import { obstacle } from "../browser/support";
import type { PublicConfig, PublicOffer } from "../config";
import { offerAmount } from "../price-tag";
import { ownOffers, proverConfig } from "./own-prover";
import { circuitOf, type PayChoice, type Run } from "./types";

export interface PayPanelProps {
  readonly config: PublicConfig;
  readonly run: Run;
  readonly choice: PayChoice;
  readonly onChoice: (choice: PayChoice) => void;
  /** Pays. @param offers what an own prover asked; null where it is the installation's */
  readonly onPay: (offers: readonly PublicOffer[] | null) => void;
  /** Has this browser make the proof instead. */
  readonly onHere: () => void;
}

/** What an own prover asks: null while it is asked, "silent" when it does not answer. */
type Asked = readonly PublicOffer[] | null | "silent";

/** The price, what pays it, and the one button that makes a wallet ask. */
export function PayPanel({ config, run, choice, onChoice, onPay, onHere }: PayPanelProps) {
  const words = useWords();
  const { prover } = run;
  const own = prover.kind === "own" ? prover.origin : null;
  const [asked, setAsked] = useState<Asked>(run.offers);
  const [tries, setTries] = useState(0);
  // An own prover may ask another price on another chain than the form before could show.
  const [folded] = useState(own === null && run.subject.kind !== "wallet" && choice.walletId !== "");
  const circuit = circuitOf(run);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try asks again
  useEffect(() => {
    if (own === null) return;
    let gone = false;
    setAsked(null);
    ownOffers(own, circuit, config).then(
      (offers) => !gone && setAsked(offers),
      () => !gone && setAsked("silent"),
    );
    return () => {
      gone = true;
    };
  }, [own, circuit, config, tries]);

  if (own !== null && asked === null) {
    return (
      <div className="grid gap-3 pt-2" role="status">
        <span className="sr-only">{words.t("prover.asking")}</span>
        <Skeleton className="h-8 w-32" />
        <Skeleton className="h-16 w-full" />
      </div>
    );
  }
  if (own !== null && (asked === "silent" || asked?.length === 0)) {
    return (
      <ErrorNote action={<Button onClick={() => setTries(tries + 1)}>{words.t("common.retry")}</Button>}>
        {words.t(asked === "silent" ? "prover.unreachable" : "prover.noOffer")}
      </ErrorNote>
    );
  }
  const offers = own !== null && asked !== "silent" ? asked : null;
  const shown = proverConfig(config, { prover, offers });
  const offer = shown.offers.find((o) => o.network === choice.network) ?? shown.offers[0];
  const canBeHere = run.purpose.kind !== "petition" && obstacle(config.browserProving, circuit) === null;
  return (
    <div className="grid justify-items-start gap-4 pt-2 *:first:w-full">
      <PayWith
        config={shown}
        value={choice}
        onChange={onChoice}
        holderId={run.subject.kind === "wallet" ? run.subject.holderId : null}
        folded={folded}
      />
      <div className="flex flex-wrap gap-2">
        {offer ? (
          <Button tone="primary" disabled={!choice.walletId} onClick={() => onPay(offers)}>
            {words.t("run.pay", { amount: offerAmount(words, offer) })}
          </Button>
        ) : null}
        {canBeHere ? (
          <Button tone="quiet" wrap onClick={onHere}>
            {words.t("prover.switchHere")}
          </Button>
        ) : null}
      </div>
    </div>
  );
}

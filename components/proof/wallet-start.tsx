"use client";

import { useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Note } from "@/components/ui/notes";
import { firstPayChoice } from "@/components/wallet/pay-with";
import { useWallets, WalletCards } from "@/components/wallet/wallet-cards";
import type { PublicConfig } from "./config";
import { askedServices, type Demand } from "./demand";
import { Learns } from "./learns";
import { Cost, PriceTag } from "./price-tag";
import { serverProver } from "./prover-choice";
import { isComplete, ProverPicker, useProver } from "./prover-picker";
import { type Run, type RunPlace, walletRun } from "./run/types";

export interface WalletStartProps {
  readonly config: PublicConfig;
  readonly place: RunPlace;
  readonly demand: Extract<Demand, { kind: "wallet" }>;
  /** True where the page says beside this form what is learnt, on wide screens. */
  readonly beside: boolean;
  /** False while something outside this form is still missing. */
  readonly ready: boolean;
  readonly onBegin: (run: Run) => void;
}

/** Before a wallet's run: which wallet somebody vouched for, who will be asked about it, what it will cost. */
export function WalletStart({ config, place, demand, beside, ready, onBegin }: WalletStartProps) {
  const words = useWords();
  const wallets = useWallets(config);
  const [holderId, setHolderId] = useState("");
  const prover = useProver(config, demand);
  const { statement } = demand;
  const [offer] = config.offers;
  if (!offer) return <Note title={words.t("wallet.noOffers")} />;
  // What has to be handed to a contract afterwards needs an account that pays for it anyway.
  const choice = demand.authorises ? serverProver : prover.choice;
  const begin = () =>
    onBegin(walletRun({ ...place, prover: choice }, statement, holderId, firstPayChoice(config, holderId)));
  return (
    <div className="grid gap-6">
      {config.srs === "development" ? <Note tone="warning">{words.t("seal.developmentLong")}</Note> : null}
      <div className="grid gap-2">
        <WalletCards
          legend={words.t("attested.holder")}
          name="holder"
          options={wallets}
          value={holderId}
          onChange={setHolderId}
        />
        <p className="text-sm text-soft">
          {words.t("attested.holderHint")}{" "}
          {words.t("attested.asked", { services: askedServices(words, config, statement.circuit) })}
        </p>
      </div>
      <div className={beside ? "wide:hidden" : undefined}>
        <Learns demand={demand} />
      </div>
      {demand.authorises ? null : (
        <div className="border-t pt-5">
          <ProverPicker config={config} demand={demand} control={prover} />
        </div>
      )}
      <Cost choice={choice}>
        <PriceTag offer={offer} config={config} />
        <p className="text-sm text-soft">{words.t("attested.priceLater")}</p>
      </Cost>
      <div>
        <Button
          tone="primary"
          wrap
          disabled={holderId === "" || !ready || !isComplete(choice)}
          onClick={begin}
        >
          {words.t("attested.start")}
        </Button>
      </div>
      <noscript>
        <Note tone="warning">{words.t("common.needsScript")}</Note>
      </noscript>
    </div>
  );
}

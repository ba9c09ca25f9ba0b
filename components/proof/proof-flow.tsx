"use client";

import dynamic from "next/dynamic";
import { type ReactNode, useEffect, useState } from "react";
import { useWords } from "#words";
import { Button, ButtonLink } from "@/components/ui/button";
import { Note, Skeleton } from "@/components/ui/notes";
import { firstPayChoice } from "@/components/wallet/pay-with";
import { useWallets, WalletCards } from "@/components/wallet/wallet-cards";
import { ChangeHow } from "./change-how";
import type { PublicConfig } from "./config";
import { askedServices, type Demand, demandWords } from "./demand";
import { Learns } from "./learns";
import { Cost, offerAmount, PriceTag } from "./price-tag";
import { serverProver } from "./prover-choice";
import { isComplete, ProverPicker, useProver } from "./prover-picker";
import { type Run, type RunPlace, walletRun } from "./run/types";
import { useRun } from "./run/use-run";
import { StartForm } from "./start-form";

const ProofRun = dynamic(() => import("./run/proof-run").then((m) => m.ProofRun), {
  loading: () => <Skeleton className="h-96 w-full" />,
});

export interface ProofFlowProps extends RunPlace {
  readonly config: PublicConfig;
  readonly demand: Demand;
  /** Replaces the start form when there is no run. */
  readonly otherwise?: ReactNode;
  /** Shown above the start form, but not during a run. */
  readonly intro?: ReactNode;
  /** Shown below the start form, but not during a run. */
  readonly extra?: ReactNode;
  /** Whether wide screens show what we learn next to the form, so that the form leaves it out. */
  readonly beside?: boolean;
  /** False while an input above the form is missing. */
  readonly ready?: boolean;
}

/** Shows the start form, or this tab's run. */
export function ProofFlow(props: ProofFlowProps) {
  const words = useWords();
  const { config, demand, otherwise, intro, extra, beside = false, ready = true, ...place } = props;
  const control = useRun(config, place.purpose);
  const { run } = control;
  useFullNavigation();
  // Until the provider has responded on its own page, there is nothing to show but a paid run.
  if (run && (run.subject.kind === "wallet" || run.stage !== "identity" || run.payment)) {
    return <ProofRun config={config} control={control} run={run} statement={demandWords(words, demand)} />;
  }
  return (
    otherwise ?? (
      <>
        {control.other ? (
          <Note
            tone="warning"
            title={words.t("run.interrupted")}
            action={
              <ButtonLink href={control.other.page} size="sm">
                {words.t("common.goOn")}
              </ButtonLink>
            }
          />
        ) : null}
        {intro}
        {demand.kind === "wallet" ? (
          <WalletStart
            config={config}
            place={place}
            demand={demand}
            beside={beside}
            ready={ready}
            onBegin={control.begin}
          />
        ) : (
          <StartForm config={config} place={place} demand={demand} beside={beside} />
        )}
        {extra}
      </>
    )
  );
}

/** Makes links of an isolated page (proxy.ts) load whole documents: other sites' videos do not play in an isolated one. */
function useFullNavigation(): void {
  useEffect(() => {
    if (!globalThis.crossOriginIsolated) return;
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
      // Hides the click from React, so that the browser follows the link itself.
      if (link) event.stopPropagation();
    };
    window.addEventListener("click", onClick, { capture: true });
    return () => window.removeEventListener("click", onClick, { capture: true });
  }, []);
}

interface WalletStartProps {
  readonly config: PublicConfig;
  readonly place: RunPlace;
  readonly demand: Extract<Demand, { kind: "wallet" }>;
  readonly beside: boolean;
  readonly ready: boolean;
  readonly onBegin: (run: Run) => void;
}

/** The start form for a wallet's attestation: which wallet, who sees its address, and what the proof costs. */
function WalletStart({ config, place, demand, beside, ready, onBegin }: WalletStartProps) {
  const words = useWords();
  const wallets = useWallets(config);
  const [chosenId, setHolderId] = useState("");
  const [only, another] = wallets;
  const holderId = chosenId || (only && !another ? only.value : "");
  const prover = useProver(config, demand);
  const { statement } = demand;
  const [offer] = config.offers;
  if (!offer) return <Note title={words.t("wallet.noOffers")} />;
  // Handing an action to its contract needs an account that pays for it anyway.
  const choice = demand.authorizes ? serverProver : prover.choice;
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
      <div className="grid justify-items-start gap-2">
        <Button
          tone="primary"
          wrap
          disabled={holderId === "" || !ready || !isComplete(choice)}
          onClick={begin}
        >
          {words.t("attested.start")}
        </Button>
        <p className="text-sm text-soft">
          {words.t(`prover.makes.${choice.kind}`, { amount: offerAmount(words, offer) })}{" "}
          {words.t("attested.priceLater")}
        </p>
      </div>
      <ChangeHow>
        {demand.authorizes ? null : <ProverPicker config={config} demand={demand} control={prover} />}
        <Cost choice={choice}>
          <PriceTag offer={offer} config={config} />
        </Cost>
      </ChangeHow>
      <div className={beside ? "wide:hidden" : undefined}>
        <Learns demand={demand} />
      </div>
      <noscript>
        <Note tone="warning">{words.t("common.needsScript")}</Note>
      </noscript>
    </div>
  );
}

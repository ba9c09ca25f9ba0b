"use client";

import dynamic from "next/dynamic";
import { type ReactNode, useEffect, useState } from "react";
import { useWords } from "#words";
import { callApi } from "@/components/call-api";
import { Button, ButtonLink } from "@/components/ui/button";
import { ErrorNote, Note, Skeleton } from "@/components/ui/notes";
import { RadioCards } from "@/components/ui/radio-cards";
import { firstPayChoice, PayWith } from "@/components/wallet/pay-with";
import { useWallets, WalletCards } from "@/components/wallet/wallet-cards";
import type { Words } from "@/lib/i18n/words";
import type { PublicConfig, PublicIssuer } from "./config";
import { askedServices, type Demand, demandWords } from "./demand";
import { Learns } from "./learns";
import { Cost, PriceTag } from "./price-tag";
import { serverProver } from "./prover-choice";
import { isComplete, ProverPicker, useProver } from "./prover-picker";
import { type PayChoice, type Run, type RunPlace, walletRun } from "./run/types";
import { useRun } from "./run/use-run";

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
  const [holderId, setHolderId] = useState("");
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
      <div className={beside ? "wide:hidden" : undefined}>
        <Learns demand={demand} />
      </div>
      {demand.authorizes ? null : (
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

interface StartFormProps {
  readonly config: PublicConfig;
  readonly place: RunPlace;
  readonly demand: Extract<Demand, { kind: "domain" }>;
  readonly beside: boolean;
}

/** Returns an issuer's name, with its rules when two issuers of one provider differ only in them. */
function titleOf(words: Words, issuer: PublicIssuer, all: readonly PublicIssuer[]): string {
  const twin = all.some((other) => other !== issuer && other.label === issuer.label);
  return twin ? `${issuer.label} (${words.t(`signIn.rules.${issuer.provider}`)})` : issuer.label;
}

/** The start form for a domain: which provider, what we learn, what the proof costs and which wallet pays. */
function StartForm({ config, place, demand, beside }: StartFormProps) {
  const words = useWords();
  const { issuers, domain } = demand;
  const [index, setIndex] = useState("0");
  const [pay, setPay] = useState<PayChoice>(() => firstPayChoice(config));
  const prover = useProver(config, demand);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const issuer = issuers[Number(index)];
  if (!issuer) return <Note title={words.t("signIn.noIssuers")} />;

  const start = async () => {
    setBusy(true);
    setError(null);
    const answer = await callApi(words, async () => {
      const { beginRun } = await import("./run/challenge");
      return beginRun(
        { ...place, issuer, requiredDomain: domain, pay, prover: prover.choice },
        window.location.origin,
      );
    });
    if (answer.ok) return window.location.assign(answer.value);
    const { cause } = answer;
    const ending = cause instanceof Error && cause.name === "RequestEndingError";
    setError(ending ? words.t("relay.ending") : answer.sentence);
    setBusy(false);
  };
  return (
    <div className="grid gap-6">
      {config.srs === "development" ? <Note tone="warning">{words.t("seal.developmentLong")}</Note> : null}
      <RadioCards
        legend={words.t("signIn.provider")}
        name="provider"
        value={index}
        onChange={setIndex}
        options={issuers.map((one, i) => ({
          value: String(i),
          title: titleOf(words, one, issuers),
          description: one.development ? words.t("signIn.developmentProvider") : undefined,
        }))}
      />
      <div className={beside ? "wide:hidden" : undefined}>
        <Learns demand={demand} />
      </div>
      <div className="border-t pt-5">
        <ProverPicker config={config} demand={demand} control={prover} />
      </div>
      <Cost choice={prover.choice}>
        <PayWith config={config} value={pay} onChange={setPay} holderId={null} />
        <p className="text-sm text-soft">
          {words.t("signIn.priceNote")} {words.t("signIn.whyPay")}
        </p>
      </Cost>
      {error ? <ErrorNote>{error}</ErrorNote> : null}
      <div className="grid gap-2 sm:flex sm:items-center">
        <Button tone="primary" wrap busy={busy} disabled={!isComplete(prover.choice)} onClick={start}>
          {busy
            ? words.t("signIn.opening")
            : words.t("signIn.continueWith", { provider: titleOf(words, issuer, issuers) })}
        </Button>
      </div>
      <noscript>
        <Note tone="warning">{words.t("common.needsScript")}</Note>
      </noscript>
    </div>
  );
}

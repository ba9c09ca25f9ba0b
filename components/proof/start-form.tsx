"use client";

import { useEffect, useState } from "react";
import { useWords } from "#words";
import { callApi } from "@/components/call-api";
import { Button } from "@/components/ui/button";
import { ErrorNote, Note } from "@/components/ui/notes";
import { RadioCards } from "@/components/ui/radio-cards";
import { firstPayChoice, PayWith } from "@/components/wallet/pay-with";
import { useWallets } from "@/components/wallet/wallet-cards";
import { ChangeHow } from "./change-how";
import type { PublicConfig } from "./config";
import type { Demand } from "./demand";
import { Learns } from "./learns";
import { Cost, offerAmount } from "./price-tag";
import { isComplete, ProverPicker, useProver } from "./prover-picker";
import type { PayChoice, RunPlace } from "./run/types";

export interface StartFormProps {
  readonly config: PublicConfig;
  readonly place: RunPlace;
  readonly demand: Extract<Demand, { kind: "domain" }>;
  /** Whether wide screens show what we learn next to the form, so that the form leaves it out. */
  readonly beside: boolean;
}

/** The start form for a domain: who vouches, and one button with the price. The rest is folded. */
export function StartForm({ config, place, demand, beside }: StartFormProps) {
  const words = useWords();
  const { t } = words;
  const { issuers, domain } = demand;
  const [index, setIndex] = useState("0");
  const [pay, setPay] = useState<PayChoice>(() => firstPayChoice(config));
  const prover = useProver(config, demand);
  const { choice, choose, hindrance } = prover;
  const lacksWallet = useLacksWallet(config) && choice.kind === "server";
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  // What works without a wallet comes first.
  useEffect(() => {
    if (lacksWallet && hindrance === null) choose({ kind: "browser" });
  }, [lacksWallet, hindrance, choose]);
  const issuer = issuers[Number(index)];
  if (!issuer) return <Note title={t("signIn.noIssuers")} />;

  const start = async () => {
    setBusy(true);
    setError(null);
    const answer = await callApi(words, async () => {
      const { beginRun } = await import("./run/challenge");
      return beginRun(
        { ...place, issuer, requiredDomain: domain, pay, prover: choice },
        window.location.origin,
      );
    });
    if (answer.ok) return window.location.assign(answer.value);
    const { cause } = answer;
    const ending = cause instanceof Error && cause.name === "RequestEndingError";
    setError(ending ? t("relay.ending") : answer.sentence);
    setBusy(false);
  };
  const provider = issuer.label;
  const offer = config.offers.find(({ network }) => network === pay.network) ?? config.offers[0];
  const amount = offer ? offerAmount(words, offer) : "";
  const label = {
    server: t("signIn.continueFor", { provider, price: amount }),
    browser: t("signIn.continueFor", { provider, price: t("prover.free") }),
    own: t("signIn.continueWith", { provider }),
  }[choice.kind];
  return (
    <div className="grid gap-6">
      {config.srs === "development" ? <Note tone="warning">{t("seal.developmentLong")}</Note> : null}
      <RadioCards
        legend={t("signIn.provider")}
        name="provider"
        value={index}
        onChange={setIndex}
        options={issuers.map((one, i) => ({
          value: String(i),
          title: one.label,
          description: one.development ? t("signIn.developmentProvider") : undefined,
        }))}
      />
      {lacksWallet ? <Note title={t("signIn.noWalletTitle")}>{t("signIn.noWallet")}</Note> : null}
      {error ? <ErrorNote>{error}</ErrorNote> : null}
      <div className="grid justify-items-start gap-2">
        <Button tone="primary" wrap busy={busy} disabled={!isComplete(choice)} onClick={start}>
          {busy ? t("signIn.opening") : label}
        </Button>
        <p className="text-sm text-soft">
          {t(`prover.makes.${choice.kind}`, { amount })}{" "}
          {choice.kind === "server" ? t("signIn.priceNote") : null} {t("signIn.whyPay")}
        </p>
      </div>
      <ChangeHow>
        <ProverPicker config={config} demand={demand} control={prover} />
        <Cost choice={choice}>
          <PayWith config={config} value={pay} onChange={setPay} holderId={null} />
        </Cost>
      </ChangeHow>
      <div className={beside ? "wide:hidden" : undefined}>
        <Learns demand={demand} />
      </div>
      <noscript>
        <Note tone="warning">{t("common.needsScript")}</Note>
      </noscript>
    </div>
  );
}

/** How long wallets have to announce themselves, which they do at once. */
const ANNOUNCED_MS = 500;

/** Whether this browser has no wallet to pay with; false until wallets had the time to announce themselves. */
function useLacksWallet(config: PublicConfig): boolean {
  const wallets = useWallets(config);
  const [waited, setWaited] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setWaited(true), ANNOUNCED_MS);
    return () => clearTimeout(timer);
  }, []);
  return waited && wallets.length === 0;
}

"use client";

import { useState } from "react";
import { useWords } from "#words";
import { callApi } from "@/components/call-api";
import { Button } from "@/components/ui/button";
import { ErrorNote, Note } from "@/components/ui/notes";
import { RadioCards } from "@/components/ui/radio-cards";
import { firstPayChoice, PayWith } from "@/components/wallet/pay-with";
import type { Words } from "@/lib/i18n/words";
import type { PublicConfig, PublicIssuer } from "./config";
import type { Demand } from "./demand";
import { Learns } from "./learns";
import { Cost } from "./price-tag";
import { isComplete, ProverPicker, useProver } from "./prover-picker";
import type { PayChoice, RunPlace } from "./run/types";

export interface StartFormProps {
  readonly config: PublicConfig;
  readonly place: RunPlace;
  readonly demand: Extract<Demand, { kind: "domain" }>;
  /** True where the page says beside this form what is learnt, on wide screens. */
  readonly beside: boolean;
}

/** Two rule sets of one provider would read alike; say which is which. */
function titleOf(words: Words, issuer: PublicIssuer, all: readonly PublicIssuer[]): string {
  const twin = all.some((other) => other !== issuer && other.label === issuer.label);
  return twin ? `${issuer.label} (${words.t(`signIn.rules.${issuer.provider}`)})` : issuer.label;
}

/** Before a run: which provider, what is learnt, what it costs and from which wallet. */
export function StartForm({ config, place, demand, beside }: StartFormProps) {
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

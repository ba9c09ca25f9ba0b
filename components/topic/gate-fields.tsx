"use client";

import type { ReactNode } from "react";
import { useWords } from "#words";
import type { PublicConfig } from "@/components/proof/config";
import { gateSentence } from "@/components/proof/gate-words";
import { Field, TextField } from "@/components/ui/field";
import { MultiSelect } from "@/components/ui/multi-select";
import { RadioCards } from "@/components/ui/radio-cards";
import { LIMITS } from "@/lib/contract/limits";
import { countryName, findCountries } from "@/lib/i18n/countries";
import type { AttestedCircuit } from "@/lib/proofs/trust/attesters";
import type { Openness } from "./openness";

export interface TopicDraft {
  readonly title: string;
  readonly description: string;
  readonly categoryId: string;
  readonly image: string | null;
  /** Null as long as nothing was chosen: members read a gated topic, and anyone another one. */
  readonly openness: Openness | null;
  readonly gate: "none" | "domain" | "kyc" | "country";
  readonly domain: string;
  readonly countries: readonly string[];
  /** Whether members must live in one of the countries, or in none of them. */
  readonly included: boolean;
  readonly provider: "workspace" | "workspace_a" | "workspace_b";
}

export const emptyDraft: TopicDraft = {
  title: "",
  description: "",
  categoryId: "",
  image: null,
  openness: null,
  gate: "none",
  domain: "",
  countries: [],
  included: true,
  provider: "workspace",
};

export type TopicProblems = Readonly<Record<"title" | "category" | "domain" | "countries", string | null>>;

export interface GateFieldsProps {
  readonly draft: TopicDraft;
  readonly problems: TopicProblems;
  readonly config: Pick<PublicConfig, "attesters">;
  readonly set: (change: Partial<TopicDraft>) => void;
}

/** What members have to prove: nothing, an email domain, a KYC check or a country. */
export function GateFields({ draft, problems, config, set }: GateFieldsProps) {
  const { t } = useWords();
  const offer = (circuit: AttestedCircuit, hint: string) =>
    config.attesters.some((attester) => attester.circuit === circuit)
      ? { description: hint }
      : { description: `${hint} ${t("newTopic.gateUnavailable")}`, disabled: true };
  return (
    <>
      <RadioCards
        legend={t("topic.gateTitle")}
        name="gate"
        value={draft.gate}
        onChange={(gate) => set({ gate })}
        options={[
          { value: "none", title: t("newTopic.gateNone"), description: t("newTopic.gateNoneHint") },
          { value: "domain", title: t("newTopic.gateDomain"), description: t("newTopic.gateDomainHint") },
          {
            value: "kyc",
            title: t("newTopic.gateKyc"),
            ...offer("network_eligibility", t("newTopic.gateKycHint")),
          },
          {
            value: "country",
            title: t("newTopic.countries"),
            ...offer("partner_country_attestation", t("newTopic.gateCountryHint")),
          },
        ]}
      />
      {draft.gate === "domain" ? <DomainGate draft={draft} problem={problems.domain} set={set} /> : null}
      {draft.gate === "kyc" ? <Terms /> : null}
      {draft.gate === "country" ? <CountryGate draft={draft} problem={problems.countries} set={set} /> : null}
    </>
  );
}

/** The fields of the chosen gate, indented below it. */
function Terms({ children }: { readonly children?: ReactNode }) {
  const { t } = useWords();
  return (
    <div className="grid gap-4 border-s-2 border-seal/50 ps-4">
      {children}
      <p className="text-sm text-soft">{t("newTopic.ownProof")}</p>
    </div>
  );
}

interface TermsProps {
  readonly draft: TopicDraft;
  readonly problem: string | null;
  readonly set: (change: Partial<TopicDraft>) => void;
}

function DomainGate({ draft, problem, set }: TermsProps) {
  const { t } = useWords();
  return (
    <Terms>
      <TextField
        label={t("newTopic.domain")}
        hint={t("newTopic.domainHint")}
        error={problem}
        maxLength={LIMITS.topic.domain}
        autoCapitalize="none"
        spellCheck={false}
        inputMode="url"
        placeholder="example.com"
        value={draft.domain}
        onValue={(domain) => set({ domain })}
      />
    </Terms>
  );
}

function CountryGate({ draft, problem, set }: TermsProps) {
  const words = useWords();
  const { countries, included } = draft;
  const sentence = gateSentence(words, {
    proofType: "country",
    requiredDomain: null,
    allowedCountries: included ? countries : null,
    excludedCountries: included ? null : countries,
  });
  return (
    <Terms>
      <RadioCards
        legend={words.t("newTopic.countrySide")}
        name="country-side"
        value={included ? "included" : "excluded"}
        onChange={(side) => set({ included: side === "included" })}
        options={[
          { value: "included", title: words.t("newTopic.countryIncluded") },
          { value: "excluded", title: words.t("newTopic.countryExcluded") },
        ]}
      />
      <Field
        label={words.t("newTopic.countries")}
        hint={words.t("newTopic.countriesHint", { max: LIMITS.topic.countries })}
        error={problem}
      >
        {(control) => (
          <MultiSelect
            control={control}
            values={countries}
            onChange={(chosen) => set({ countries: chosen })}
            find={(search) => findCountries(words, search, navigator.language)}
            label={(code) => countryName(words, code)}
            mark={(code) => code}
            max={LIMITS.topic.countries}
            placeholder={words.t("newTopic.countriesPlaceholder")}
          />
        )}
      </Field>
      {countries.length > 0 ? (
        <p className="text-sm">{words.t("newTopic.countriesSay", { sentence })}</p>
      ) : null}
    </Terms>
  );
}

"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useEffect, useState } from "react";
import { useWords } from "#words";
import { callApi } from "@/components/call-api";
import { Similar } from "@/components/compose/similar";
import type { PublicConfig } from "@/components/proof/config";
import { demandOf } from "@/components/proof/demand";
import type { GateTerms } from "@/components/proof/gate-words";
import { ProofFlow } from "@/components/proof/proof-flow";
import { loadRun } from "@/components/proof/run/storage";
import type { NewTopicBody } from "@/components/proof/run/types";
import { Button } from "@/components/ui/button";
import { Field, Select, TextAreaField, TextField } from "@/components/ui/field";
import { ErrorNote, Note } from "@/components/ui/notes";
import { RadioCards } from "@/components/ui/radio-cards";
import type { Category } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { categoryName } from "@/lib/i18n/categories";
import type { Words } from "@/lib/i18n/words";
import { opennessHint } from "./audience";
import { emptyDraft, GateFields, type TopicDraft, type TopicProblems } from "./gate-fields";
import { opennessOf } from "./openness";
import { PictureField } from "./picture-field";

const OPENNESSES = ["public", "members", "private", "secret"] as const;

const DOMAIN = /^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/;

function problemsOf(words: Words, draft: TopicDraft): TopicProblems {
  return {
    title: draft.title.trim() ? null : words.t("newTopic.emptyName"),
    category: draft.categoryId ? null : words.t("newTopic.emptyCategory"),
    domain:
      draft.gate === "domain" && !DOMAIN.test(draft.domain.trim().toLowerCase())
        ? words.t("newTopic.badDomain")
        : null,
    countries:
      draft.gate === "country" && draft.countries.length === 0 ? words.t("newTopic.badCountries") : null,
  };
}

/** Returns the gate of a draft for the API; null for none. */
function gateOf(draft: TopicDraft) {
  switch (draft.gate) {
    case "none":
      return null;
    case "domain":
      return { proofType: draft.provider, requiredDomain: draft.domain.trim().toLowerCase() };
    case "kyc":
      return { proofType: "kyc" } as const;
    case "country": {
      const countries = [...draft.countries];
      return draft.included
        ? ({ proofType: "country", allowedCountries: countries } as const)
        : ({ proofType: "country", excludedCountries: countries } as const);
    }
  }
}

/** Restores the draft from the body of a request. */
function draftOf(topic: NewTopicBody): TopicDraft {
  const { title, categoryId, visibility, requiresApproval = true, proofType } = topic;
  const { description = "", image = null } = topic;
  const openness = opennessOf({ visibility, requiresApproval });
  const known = { ...emptyDraft, title, categoryId, openness, description, image };
  if (proofType === "kyc") return { ...known, gate: "kyc" };
  if (proofType === "country") {
    const { allowedCountries, excludedCountries } = topic;
    const countries = allowedCountries ?? excludedCountries ?? [];
    return { ...known, gate: "country", countries, included: !excludedCountries };
  }
  return { ...known, gate: "domain", provider: proofType, domain: topic.requiredDomain ?? "" };
}

function termsOf(topic: NewTopicBody): GateTerms {
  return {
    proofType: topic.proofType,
    requiredDomain: topic.requiredDomain ?? null,
    allowedCountries: topic.allowedCountries ?? null,
    excludedCountries: topic.excludedCountries ?? null,
  };
}

export interface NewTopicFormProps {
  readonly config: PublicConfig;
  readonly categories: readonly Category[];
}

/** Creates a topic. Authors prove first when they set a gate that they have not passed. */
export function NewTopicForm({ config, categories }: NewTopicFormProps) {
  const words = useWords();
  const { t } = words;
  const router = useRouter();
  const [draft, setDraft] = useState<TopicDraft>(emptyDraft);
  const [problems, setProblems] = useState<TopicProblems>(noProblems);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [uploading, setUploading] = useState(false);
  const [toProve, setToProve] = useState<NewTopicBody | null>(null);
  const isGated = draft.gate !== "none";
  // People write behind a gate for those inside; anyone may read only if the owner says so.
  const openness = draft.openness ?? (isGated ? "members" : "public");
  const set = (change: Partial<TopicDraft>) => setDraft((known) => ({ ...known, ...change }));

  useEffect(() => {
    // After a redirect or a reload, the stored proof run has the draft.
    const run = loadRun();
    if (run?.purpose.kind !== "create") return;
    setDraft(draftOf(run.purpose.topic));
    setToProve(run.purpose.topic);
  }, []);

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const found = problemsOf(words, draft);
    setProblems(found);
    if (Object.values(found).some(Boolean)) return;
    setBusy(true);
    setError(null);
    const common = {
      title: draft.title.trim(),
      categoryId: draft.categoryId,
      description: draft.description.trim() || undefined,
      ...(openness === "members"
        ? ({ visibility: "private", requiresApproval: false } as const)
        : { visibility: openness }),
      ...(draft.image ? { image: draft.image } : {}),
    };
    const gate = gateOf(draft);
    const gated: NewTopicBody | null = gate && { ...common, ...gate };
    const answer = await callApi(words, ({ api, contract }) =>
      api.call(contract.topics.create, gated ?? common),
    );
    if (answer.ok) {
      router.push(`/topics/${answer.value.topic.id}`);
      router.refresh();
      return;
    }
    if (gated && answer.code === "proof_required") setToProve(gated);
    else setError(answer.sentence);
    setBusy(false);
  };

  if (toProve) {
    const demand = demandOf(termsOf(toProve), config);
    if (!demand) return <Note tone="warning">{t("attested.notOffered")}</Note>;
    return (
      <ProofFlow
        config={config}
        demand={demand}
        page="/topics/new"
        next="/topics"
        purpose={{ kind: "create", topic: toProve }}
        extra={
          <div>
            <Button tone="quiet" onClick={() => setToProve(null)}>
              {t("newTopic.back")}
            </Button>
          </div>
        }
      />
    );
  }
  return (
    <form onSubmit={submit} noValidate className="grid gap-6">
      <TextField
        label={t("newTopic.name")}
        error={problems.title}
        dir="auto"
        maxLength={LIMITS.topic.title}
        placeholder={t("newTopic.namePlaceholder")}
        value={draft.title}
        onValue={(title) => set({ title })}
      />
      <Similar title={draft.title} />
      <TextAreaField
        label={t("newTopic.description")}
        hint={t("newTopic.descriptionHint")}
        dir="auto"
        maxLength={LIMITS.topic.description}
        value={draft.description}
        onValue={(description) => set({ description })}
      />
      <Field label={t("topic.category")} error={problems.category}>
        {(control) => (
          <Select
            {...control}
            value={draft.categoryId}
            onChange={(event) => set({ categoryId: event.target.value })}
          >
            <option value="">{t("newTopic.choose")}</option>
            {categories.map((category) => (
              <option key={category.id} value={category.id}>
                {category.icon ? `${category.icon} ` : ""}
                {categoryName(words, category)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <PictureField value={draft.image} onChange={(image) => set({ image })} onBusy={setUploading} />
      <GateFields draft={draft} problems={problems} config={config} set={set} />
      <RadioCards
        legend={t("topic.visibility")}
        name="openness"
        value={openness}
        onChange={(chosen) => set({ openness: chosen })}
        options={OPENNESSES.map((value) => ({
          value,
          title: t(`topic.visibilities.${value}`),
          description: opennessHint(words, value, isGated),
        }))}
      />
      {error ? <ErrorNote>{error}</ErrorNote> : null}
      <div>
        <Button type="submit" tone="primary" busy={busy} disabled={uploading}>
          {t("newTopic.create")}
        </Button>
      </div>
    </form>
  );
}

const noProblems: TopicProblems = { title: null, category: null, domain: null, countries: null };

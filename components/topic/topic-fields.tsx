"use client";

import { Field, Input, Select, Textarea } from "@/components/ui/field";
import { RadioCards } from "@/components/ui/radio-cards";
import type { Category } from "@/lib/contract";
import * as en from "@/lib/i18n/en";

const visibilities = ["public", "private", "secret"] as const;

export interface TopicDraft {
  readonly title: string;
  readonly description: string;
  readonly categoryId: string;
  readonly visibility: (typeof visibilities)[number];
  readonly gate: "none" | "domain";
  readonly domain: string;
  readonly provider: "workspace" | "workspace_a" | "workspace_b";
}

export const emptyDraft: TopicDraft = {
  title: "",
  description: "",
  categoryId: "",
  visibility: "public",
  gate: "none",
  domain: "",
  provider: "workspace",
};

export interface TopicProblems {
  readonly title: string | null;
  readonly category: string | null;
  readonly domain: string | null;
}

export interface TopicFieldsProps {
  readonly draft: TopicDraft;
  readonly problems: TopicProblems;
  readonly categories: readonly Category[];
  readonly onChange: (draft: TopicDraft) => void;
}

/** The fields of a new topic. */
export function TopicFields({ draft, problems, categories, onChange }: TopicFieldsProps) {
  const set = (change: Partial<TopicDraft>) => onChange({ ...draft, ...change });
  return (
    <>
      <Field label={en.newTopic.name} error={problems.title}>
        {(control) => (
          <Input
            {...control}
            dir="auto"
            maxLength={100}
            placeholder={en.newTopic.namePlaceholder}
            value={draft.title}
            onChange={(event) => set({ title: event.target.value })}
          />
        )}
      </Field>
      <Field label={en.newTopic.description} hint={en.newTopic.descriptionHint}>
        {(control) => (
          <Textarea
            {...control}
            dir="auto"
            maxLength={2000}
            value={draft.description}
            onChange={(event) => set({ description: event.target.value })}
          />
        )}
      </Field>
      <Field label={en.newTopic.category} error={problems.category}>
        {(control) => (
          <Select
            {...control}
            value={draft.categoryId}
            onChange={(event) => set({ categoryId: event.target.value })}
          >
            <option value="">{en.newTopic.choose}</option>
            {categories.map((category) => (
              <option key={category.id} value={category.id}>
                {category.icon ? `${category.icon} ` : ""}
                {category.name}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <RadioCards
        legend={en.newTopic.visibility}
        name="visibility"
        value={draft.visibility}
        onChange={(visibility) => set({ visibility })}
        options={visibilities.map((value) => ({
          value,
          title: en.topic.visibilities[value],
          description: en.topic.visibilityHints[value],
        }))}
      />
      <RadioCards
        legend={en.newTopic.gate}
        name="gate"
        value={draft.gate}
        onChange={(gate) => set({ gate })}
        options={[
          { value: "none", title: en.newTopic.gateNone, description: en.newTopic.gateNoneHint },
          { value: "domain", title: en.newTopic.gateDomain, description: en.newTopic.gateDomainHint },
        ]}
      />
      {draft.gate === "domain" ? <DomainGate draft={draft} problem={problems.domain} set={set} /> : null}
    </>
  );
}

interface DomainGateProps {
  readonly draft: TopicDraft;
  readonly problem: string | null;
  readonly set: (change: Partial<TopicDraft>) => void;
}

function DomainGate({ draft, problem, set }: DomainGateProps) {
  return (
    <div className="grid gap-4 border-s-2 border-seal/50 ps-4">
      <Field label={en.newTopic.domain} hint={en.newTopic.domainHint} error={problem}>
        {(control) => (
          <Input
            {...control}
            maxLength={64}
            autoCapitalize="none"
            spellCheck={false}
            inputMode="url"
            placeholder="example.com"
            value={draft.domain}
            onChange={(event) => set({ domain: event.target.value })}
          />
        )}
      </Field>
      <p className="text-sm text-soft">{en.newTopic.ownProof}</p>
    </div>
  );
}

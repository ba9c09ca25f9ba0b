"use client";

import { useWords } from "#words";
import type { PublicConfig } from "@/components/proof/config";
import { Field, Input, Select, Textarea } from "@/components/ui/field";
import { RadioCards } from "@/components/ui/radio-cards";
import type { Category } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { categoryName } from "@/lib/i18n/categories";
import { GateFields } from "./gate-fields";
import { PictureField } from "./picture-field";
import type { TopicDraft, TopicProblems } from "./topic-draft";

const visibilities = ["public", "private", "secret"] as const;

export interface TopicFieldsProps {
  readonly draft: TopicDraft;
  readonly problems: TopicProblems;
  readonly categories: readonly Category[];
  readonly config: Pick<PublicConfig, "attesters">;
  readonly onChange: (change: Partial<TopicDraft>) => void;
  /** A picture is on its way, or has come. */
  readonly onUploading: (uploading: boolean) => void;
}

/** The fields of a new topic. */
export function TopicFields({
  draft,
  problems,
  categories,
  config,
  onChange: set,
  onUploading,
}: TopicFieldsProps) {
  const words = useWords();
  const { t } = words;
  return (
    <>
      <Field label={t("newTopic.name")} error={problems.title}>
        {(control) => (
          <Input
            {...control}
            dir="auto"
            maxLength={LIMITS.topic.title}
            placeholder={t("newTopic.namePlaceholder")}
            value={draft.title}
            onChange={(event) => set({ title: event.target.value })}
          />
        )}
      </Field>
      <Field label={t("newTopic.description")} hint={t("newTopic.descriptionHint")}>
        {(control) => (
          <Textarea
            {...control}
            dir="auto"
            maxLength={LIMITS.topic.description}
            value={draft.description}
            onChange={(event) => set({ description: event.target.value })}
          />
        )}
      </Field>
      <Field label={t("newTopic.category")} error={problems.category}>
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
      <PictureField value={draft.image} onChange={(image) => set({ image })} onBusy={onUploading} />
      <RadioCards
        legend={t("newTopic.visibility")}
        name="visibility"
        value={draft.visibility}
        onChange={(visibility) => set({ visibility })}
        options={visibilities.map((value) => ({
          value,
          title: t(`topic.visibilities.${value}`),
          description: t(`topic.visibilityHints.${value}`),
        }))}
      />
      <GateFields draft={draft} problems={problems} config={config} set={set} />
    </>
  );
}

"use client";

import { useWords } from "#words";
import { Field, Select, Textarea } from "@/components/ui/field";
import { LIMITS } from "@/lib/contract/limits";

const templates = ["spam", "abuse", "off_topic", "private_data", "repeated"] as const;

export interface ReasonFieldProps {
  readonly value: string;
  readonly onChange: (reason: string) => void;
  readonly required?: boolean;
}

/** Why staff do something: in their own words, or begun with common ones. */
export function ReasonField({ value, onChange, required }: ReasonFieldProps) {
  const { t } = useWords();
  const sentences = templates.map((name) => t(`reason.templates.${name}`));
  return (
    <>
      <Field label={t("reason.template")}>
        {(control) => (
          <Select
            {...control}
            value={sentences.includes(value) ? value : ""}
            onChange={(event) => onChange(event.target.value)}
          >
            <option value="">{t("reason.templates.none")}</option>
            {sentences.map((sentence) => (
              <option key={sentence} value={sentence}>
                {sentence}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={t(required ? "reason.label" : "reason.optional")} hint={t("reason.hint")}>
        {(control) => (
          <Textarea
            {...control}
            dir="auto"
            rows={2}
            maxLength={LIMITS.moderation.reason}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
    </>
  );
}

/** A reason as the API takes it; absent when nothing was written. */
export function reasonOf(value: string): string | undefined {
  return value.trim() || undefined;
}

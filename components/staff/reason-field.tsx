"use client";

import { useWords } from "#words";
import { Field, Select, TextAreaField } from "@/components/ui/field";
import { LIMITS } from "@/lib/contract/limits";

const TEMPLATES = ["spam", "abuse", "off_topic", "private_data", "repeated"] as const;

export interface ReasonFieldProps {
  readonly value: string;
  readonly onChange: (reason: string) => void;
  readonly required?: boolean;
}

/** The reason for a moderation action, with templates. */
export function ReasonField({ value, onChange, required }: ReasonFieldProps) {
  const { t } = useWords();
  const sentences = TEMPLATES.map((name) => t(`reason.templates.${name}`));
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
      <TextAreaField
        label={t(required ? "reason.label" : "reason.optional")}
        hint={t("reason.hint")}
        dir="auto"
        rows={2}
        maxLength={LIMITS.moderation.reason}
        value={value}
        onValue={onChange}
      />
    </>
  );
}

/** Returns a reason for the API; undefined when empty. */
export function reasonOf(value: string): string | undefined {
  return value.trim() || undefined;
}

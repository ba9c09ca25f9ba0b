"use client";

import { useWords } from "#words";
import { Field, Select, TextAreaField } from "@/components/ui/field";
import { LIMITS } from "@/lib/contract/limits";
import { DISMISSALS, type ReasonTemplate } from "./queue/templates";

const TEMPLATES = ["spam", "abuse", "off_topic", "private_data", "repeated"] as const;

export interface ReasonFieldProps {
  readonly value: string;
  readonly onChange: (reason: string) => void;
  readonly required?: boolean;
  /** Templates, the most fitting first; by default those that always fit; none hides the choice. */
  readonly templates?: readonly (ReasonTemplate | (typeof DISMISSALS)[number])[];
  /** Who reads it; by default every member of the topic. */
  readonly hint?: string;
}

/** The reason for a moderation action, with templates. */
export function ReasonField({ value, onChange, required, templates = TEMPLATES, hint }: ReasonFieldProps) {
  const { t } = useWords();
  const sentences = templates.map((name) => t(`reason.templates.${name}`));
  return (
    <>
      {sentences.length > 0 ? (
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
      ) : null}
      <TextAreaField
        label={t(required ? "reason.label" : "reason.optional")}
        hint={hint ?? t("reason.hint")}
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

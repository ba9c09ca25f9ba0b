"use client";

import { useWords } from "#words";
import { Field, Select } from "@/components/ui/field";

const SCOPES = ["none", "reported", "day"] as const;
export type HideChoice = (typeof SCOPES)[number];

export interface HideFieldProps {
  readonly value: HideChoice;
  readonly onChange: (choice: HideChoice) => void;
}

/** What a sanction hides of what its user wrote in the topic. */
export function HideField({ value, onChange }: HideFieldProps) {
  const { t } = useWords();
  return (
    <Field label={t("staff.hide")} hint={t(`staff.hideHints.${value}`)}>
      {(control) => (
        <Select
          {...control}
          value={value}
          onChange={(event) => onChange(SCOPES.find((one) => one === event.target.value) ?? value)}
        >
          {SCOPES.map((one) => (
            <option key={one} value={one}>
              {t(`staff.hideScopes.${one}`)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

/** Returns a choice for the API. */
export function hideOf(choice: HideChoice): "reported" | "day" | undefined {
  return choice === "none" ? undefined : choice;
}

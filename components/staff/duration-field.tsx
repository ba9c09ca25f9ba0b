"use client";

import { useWords } from "#words";
import { Field, Select } from "@/components/ui/field";

const HOUR_MS = 3_600_000;
/** Durations of a sanction in milliseconds; null for an unlimited one. */
const DURATIONS = {
  hour: HOUR_MS,
  day: 24 * HOUR_MS,
  week: 168 * HOUR_MS,
  month: 720 * HOUR_MS,
  always: null,
} as const;
export type Duration = keyof typeof DURATIONS;
const names: readonly Duration[] = ["hour", "day", "week", "month", "always"];

export interface DurationFieldProps {
  readonly value: Duration;
  readonly onChange: (duration: Duration) => void;
}

/** How long a sanction lasts. */
export function DurationField({ value, onChange }: DurationFieldProps) {
  const { t } = useWords();
  return (
    <Field label={t("staff.duration")}>
      {(control) => (
        <Select
          {...control}
          value={value}
          onChange={(event) => onChange(names.find((one) => one === event.target.value) ?? value)}
        >
          {names.map((one) => (
            <option key={one} value={one}>
              {t(`staff.durations.${one}`)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

/** Returns the end of a sanction that begins now, for the API; null for an unlimited one. */
export function endOf(duration: Duration): string | null {
  const ms = DURATIONS[duration];
  return ms === null ? null : new Date(Date.now() + ms).toISOString();
}

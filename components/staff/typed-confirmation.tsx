"use client";

import { Field, Input } from "@/components/ui/field";

export interface TypedConfirmationProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** What is typed before something that cannot be taken back; see `isTyped`. */
export function TypedConfirmation({ label, value, onChange }: TypedConfirmationProps) {
  return (
    <Field label={label}>
      {(control) => (
        <Input
          {...control}
          dir="auto"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

/** Whether what was typed is what was asked for: letters count, not how their accents or spaces are written. */
export function isTyped(typed: string, wanted: string): boolean {
  const plain = (text: string) => text.normalize("NFKC").replace(/\s+/g, " ").trim();
  return plain(typed) === plain(wanted);
}

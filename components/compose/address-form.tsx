"use client";

import { type KeyboardEvent, type ReactNode, useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";

export interface AddressFormProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly initial?: string;
  readonly confirm: string;
  /** Receives the address. @returns what is wrong with it, or null when it is accepted */
  readonly onAddress: (address: string) => string | null;
  readonly onClose: () => void;
  /** Another button, before the one that cancels. */
  readonly more?: ReactNode;
  readonly className: string;
}

/** Asks for an address inside another form, which Enter must not submit. Escape cancels. */
export function AddressForm(props: AddressFormProps) {
  const { name, label, hint, initial = "", confirm, onAddress, onClose, more, className } = props;
  const { t } = useWords();
  const [address, setAddress] = useState(initial);
  const [problem, setProblem] = useState<string | null>(null);
  const submit = () => setProblem(onAddress(address));
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") onClose();
    else if (event.key === "Enter" && !event.nativeEvent.isComposing) submit();
    else return;
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a form cannot contain another form
    <div role="group" aria-label={name} className={className}>
      <Field label={label} hint={hint} error={problem}>
        {(control) => (
          <Input
            {...control}
            autoFocus
            inputMode="url"
            autoCapitalize="none"
            spellCheck={false}
            placeholder="https://"
            value={address}
            onChange={(event) => {
              setAddress(event.target.value);
              setProblem(null);
            }}
            onKeyDown={onKeyDown}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" onClick={submit}>
          {confirm}
        </Button>
        {more}
        <Button size="sm" tone="quiet" onClick={onClose}>
          {t("common.cancel")}
        </Button>
      </div>
    </div>
  );
}

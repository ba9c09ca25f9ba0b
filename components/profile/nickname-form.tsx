"use client";

import { type FormEvent, useState } from "react";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import * as en from "@/lib/i18n/en";

const rule = /^[a-zA-Z0-9_]{2,20}$/;

export interface NicknameFormProps {
  /** The present one, or null while none is chosen. */
  readonly current: string | null;
  readonly onSaved?: (nickname: string) => void;
}

/** Chooses or changes the nickname. */
export function NicknameForm({ current, onSaved }: NicknameFormProps) {
  const [nickname, setNickname] = useState(current ?? "");
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!rule.test(nickname)) return setError(en.profile.rule);
    setBusy(true);
    setError(null);
    const { api, contract, sentence } = await import("@/components/api");
    try {
      const saved = await api.call(contract.profile.setNickname, { nickname });
      toast({ text: en.profile.saved(saved.nickname) });
      onSaved?.(saved.nickname);
    } catch (cause) {
      setError(sentence(cause));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={submit} className="grid gap-3" noValidate>
      <Field
        label={current === null ? en.profile.chooseTitle : en.profile.nickname}
        hint={en.profile.nicknameHint}
        error={error}
      >
        {(control) => (
          <Input
            {...control}
            name="nickname"
            value={nickname}
            maxLength={20}
            autoComplete="nickname"
            autoCapitalize="none"
            spellCheck={false}
            onChange={(event) => setNickname(event.target.value)}
          />
        )}
      </Field>
      <div>
        <Button type="submit" tone={current === null ? "primary" : "plain"} busy={busy}>
          {current === null ? en.profile.keep : en.profile.change}
        </Button>
      </div>
    </form>
  );
}

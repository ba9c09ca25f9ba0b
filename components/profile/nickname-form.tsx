"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { useWords } from "#words";
import { callApi } from "@/components/call-api";
import { Button } from "@/components/ui/button";
import { TextField } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { LIMITS, NICKNAME } from "@/lib/contract/limits";

export interface NicknameFormProps {
  /** Null before the first choice. */
  readonly current: string | null;
  /** What a new member may keep with one tap. */
  readonly proposed?: string;
  readonly onSaved?: (nickname: string) => void;
}

/** Chooses or changes the nickname. */
export function NicknameForm({ current, proposed = "", onSaved }: NicknameFormProps) {
  const words = useWords();
  const { t } = words;
  const [nickname, setNickname] = useState(current ?? proposed);
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!NICKNAME.test(nickname))
      return setError(t("profile.rule", { min: LIMITS.nickname.min, max: LIMITS.nickname.max }));
    setBusy(true);
    setError(null);
    const answer = await callApi(words, ({ api, contract }) =>
      api.call(contract.profile.setNickname, { nickname }),
    );
    setBusy(false);
    if (!answer.ok) return setError(answer.sentence);
    const saved = answer.value.nickname;
    toast({ text: t("profile.saved", { name: saved }) });
    onSaved?.(saved);
  };
  const field = useRef<HTMLInputElement>(null);
  // Selected, so that typing replaces the proposal.
  useEffect(() => {
    if (current === null) field.current?.select();
  }, [current]);
  return (
    <form onSubmit={submit} className="grid gap-3" noValidate>
      <TextField
        label={current === null ? t("profile.chooseTitle") : t("profile.nickname")}
        hint={
          current === null
            ? t("profile.proposedHint")
            : t("profile.nicknameHint", { min: LIMITS.nickname.min, max: LIMITS.nickname.max })
        }
        error={error}
        ref={field}
        name="nickname"
        value={nickname}
        maxLength={LIMITS.nickname.max}
        autoComplete="nickname"
        autoCapitalize="none"
        spellCheck={false}
        onValue={setNickname}
      />
      <div>
        <Button type="submit" tone={current === null ? "primary" : "plain"} busy={busy}>
          {current === null ? t("profile.keep") : t("profile.change")}
        </Button>
      </div>
    </form>
  );
}

export interface ProfileNicknameProps extends Pick<NicknameFormProps, "current" | "proposed"> {
  /** Where a new member goes once they have a nickname; null to stay. */
  readonly next: string | null;
}

/** The nickname form of the profile page, which refreshes once the nickname is saved. */
export function ProfileNickname({ current, proposed, next }: ProfileNicknameProps) {
  const router = useRouter();
  return (
    <NicknameForm
      current={current}
      proposed={proposed}
      onSaved={() => {
        if (next) router.push(next);
        router.refresh();
      }}
    />
  );
}

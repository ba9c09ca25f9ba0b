"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useWords } from "#words";
import { callApi } from "@/components/call-api";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";

/** Signs in without a proof, on installations started with DEV_LOGIN=1. */
export function DevLogin({ next }: { readonly next: string }) {
  const words = useWords();
  const { t } = words;
  const router = useRouter();
  const [nickname, setNickname] = useState("");
  const [error, setError] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    const answer = await callApi(words, ({ api, contract }) =>
      api.call(contract.auth.devLogin, nickname ? { nickname } : {}),
    );
    if (!answer.ok) {
      setBusy(false);
      return setError(answer.sentence);
    }
    router.push(answer.value.needsNickname ? `/profile?next=${encodeURIComponent(next)}` : next);
    router.refresh();
  };
  return (
    <form onSubmit={submit} className="grid gap-3 rounded-sheet border border-dashed border-amber/60 p-4">
      <p className="text-sm text-amber">{t("signIn.devHint")}</p>
      <Field label={t("profile.nickname")} error={error}>
        {(control) => (
          <Input
            {...control}
            value={nickname}
            autoCapitalize="none"
            onChange={(event) => setNickname(event.target.value)}
          />
        )}
      </Field>
      <div>
        <Button type="submit" busy={busy}>
          {t("signIn.devLogin")}
        </Button>
      </div>
    </form>
  );
}

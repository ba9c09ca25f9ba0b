"use client";

import { useRouter } from "next/navigation";
import { type FormEvent, useState } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Field, Input } from "@/components/ui/field";

/** Signing in without a proof, on installations that were started with DEV_LOGIN=1. */
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
    const { api, contract, sentence } = await import("@/components/api");
    try {
      const body = await api.call(contract.auth.devLogin, nickname ? { nickname } : {});
      router.push(body.needsNickname ? `/profile?next=${encodeURIComponent(next)}` : next);
      router.refresh();
    } catch (cause) {
      setError(sentence(words, cause));
      setBusy(false);
    }
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

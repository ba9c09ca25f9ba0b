"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { useWords } from "#words";
import { Field, Select } from "@/components/ui/field";
import { toast } from "@/components/ui/toast";
import { type Locale, localeCookie, locales } from "@/lib/i18n/words";
import { setCookie } from "./cookie";

/** A language by the name its speakers have for it. */
function ownName(locale: Locale): string {
  return new Intl.DisplayNames([locale], { type: "language" }).of(locale) ?? locale;
}

/** The language of the interface: one of ours, or what the browser asks for (null). */
export function LanguageSwitch({ chosen }: { readonly chosen: Locale | null }) {
  const { t } = useWords();
  const router = useRouter();
  const [shown, setShown] = useState(chosen);
  const [isPending, startTransition] = useTransition();
  const choose = (value: string) => {
    // The words come from the server: without a network the page could not follow.
    if (!navigator.onLine) return toast({ tone: "wrong", text: t("settings.languageOffline") });
    const next = locales.find((locale) => locale === value) ?? null;
    setShown(next);
    setCookie(localeCookie, next);
    startTransition(() => router.refresh());
  };
  return (
    <Field label={t("settings.language")} hint={t("settings.languageHint")}>
      {(control) => (
        <Select
          {...control}
          value={shown ?? ""}
          aria-busy={isPending || undefined}
          onChange={(event) => choose(event.target.value)}
          className="max-w-xs"
        >
          <option value="">{t("settings.languageAuto")}</option>
          {locales.map((locale) => (
            <option key={locale} value={locale} lang={locale}>
              {ownName(locale)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

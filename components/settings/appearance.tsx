"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { useWords } from "#words";
import { Field, Select } from "@/components/ui/field";
import { RadioCards } from "@/components/ui/radio-cards";
import { toast } from "@/components/ui/toast";
import { type Theme, themeCookie, themes } from "@/lib/client/theme";
import { type Locale, localeCookie, locales } from "@/lib/i18n/words";

/** Chooses the theme. A cookie stores it, so that the server renders the right colors. */
export function ThemeSwitch({ initial }: { readonly initial: Theme }) {
  const { t } = useWords();
  const [theme, setTheme] = useState(initial);
  const choose = (next: Theme) => {
    setTheme(next);
    setCookie(themeCookie, next);
    if (next === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
  };
  return (
    <RadioCards
      legend={t("settings.theme")}
      columns
      name="theme"
      value={theme}
      onChange={choose}
      options={themes.map((value) => ({ value, title: t(`settings.themes.${value}`) }))}
    />
  );
}

const YEAR_SECONDS = 31_536_000;

/** Stores a choice in a cookie for a year; null deletes it. */
function setCookie(name: string, value: string | null): void {
  const secure = window.location.protocol === "https:" ? "; secure" : "";
  const life = value === null ? 0 : YEAR_SECONDS;
  // biome-ignore lint/suspicious/noDocumentCookie: CookieStore is not in every browser yet
  document.cookie = `${name}=${value ?? ""}; path=/; max-age=${life}; samesite=lax${secure}`;
}

/** Returns the name of a language in that language. */
function ownName(locale: Locale): string {
  return new Intl.DisplayNames([locale], { type: "language" }).of(locale) ?? locale;
}

/** Chooses the language of the interface; null for the browser's language. */
export function LanguageSwitch({ chosen }: { readonly chosen: Locale | null }) {
  const { t } = useWords();
  const router = useRouter();
  const [shown, setShown] = useState(chosen);
  const [isPending, startTransition] = useTransition();
  const choose = (value: string) => {
    // The server renders the new language, so this needs a network.
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

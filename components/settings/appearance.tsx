"use client";

import { useRouter } from "next/navigation";
import { useState, useTransition } from "react";
import { useWords } from "#words";
import { Button } from "@/components/ui/button";
import { Field, Select } from "@/components/ui/field";
import { RadioCards } from "@/components/ui/radio-cards";
import { toast } from "@/components/ui/toast";
import { useLazyComponent } from "@/components/ui/use-lazy-component";
import { type Density, densities, densityCookie, type Theme, themeCookie, themes } from "@/lib/client/theme";
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

/** Chooses how close the rows of lists are. */
export function DensitySwitch({ initial }: { readonly initial: Density }) {
  const { t } = useWords();
  const [density, setDensity] = useState(initial);
  const choose = (next: Density) => {
    setDensity(next);
    setCookie(densityCookie, next);
    if (next === "comfortable") delete document.documentElement.dataset.density;
    else document.documentElement.dataset.density = next;
  };
  return (
    <RadioCards
      legend={t("settings.density")}
      columns
      name="density"
      value={density}
      onChange={choose}
      options={densities.map((value) => ({ value, title: t(`settings.densities.${value}`) }))}
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

/** Opens the list of keyboard shortcuts, where they can be turned off. */
export function KeyboardButton() {
  const { t } = useWords();
  const [open, setOpen] = useState(false);
  const sheet = useLazyComponent(() => import("@/components/keyboard/sheet").then((m) => m.ShortcutSheet));
  return (
    <div>
      <Button busy={sheet.busy} onClick={() => sheet.load(() => setOpen(true))}>
        {t("shortcuts.title")}
      </Button>
      {open && sheet.Component ? <sheet.Component onClose={() => setOpen(false)} /> : null}
    </div>
  );
}

import { errors } from "@/lib/contract/errors";
import korean from "@/lib/i18n/ko/refusals.json" with { type: "json" };
import type { Locale } from "@/lib/i18n/words";

const translated: Readonly<Record<Locale, Readonly<Partial<Record<string, string>>>>> = {
  en: {},
  ko: korean,
};

/** Returns the sentence of an error code in a language; the code itself for one that a later release wrote. */
export function refusalIn(locale: Locale, code: string): string {
  const english = Object.entries(errors).find(([known]) => known === code)?.[1].message;
  return translated[locale][code] ?? english ?? code;
}

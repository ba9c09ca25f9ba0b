import { wordsIn } from "@/lib/i18n/catalogues";
import { testSettings } from "@/lib/settings/tools";

/** The language that the screens are shown in, and operated by. */
export const language = testSettings().SCREENS_LANGUAGE;
export const { t } = wordsIn(language);

/** Returns a country's name, as the forms list it. */
export function countryName(code: string): string {
  return new Intl.DisplayNames([language], { type: "region" }).of(code) ?? code;
}

/** Matches a sentence whatever stands in the place of `name`. */
export function matching(write: (name: string) => string): RegExp {
  const parts = write("\0").split("\0");
  return new RegExp(parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join(".*"));
}

import { match } from "@formatjs/intl-localematcher";
import Negotiator from "negotiator";
import { type Locale, locales } from "./words";

/**
 * The language to show.
 * @param chosen value of the cookie `parley-language`, if any
 * @param acceptLanguage the header, if any
 */
export function chooseLocale(chosen: string | undefined, acceptLanguage: string | null): Locale {
  const known = locales.find((locale) => locale === chosen);
  if (known) return known;
  const asked = new Negotiator({ headers: { "accept-language": acceptLanguage ?? "" } }).languages();
  try {
    const found = match(
      asked.filter((tag) => tag !== "*"),
      locales,
      locales[0],
    );
    return locales.find((locale) => locale === found) ?? locales[0];
  } catch {
    // The matcher throws for an invalid tag.
    return locales[0];
  }
}

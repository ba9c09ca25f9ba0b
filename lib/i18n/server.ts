import { cookies, headers } from "next/headers";
import { cache, use } from "react";
import { allGroups, compiledGroups } from "./catalogues";
import { chooseLocale } from "./choose";
import { localeCookie } from "./cookie";
import { type Locale, translateWith, type Words } from "./words";

/** The reader's language: what they chose here, else what their browser prefers. */
export const readerLocale: () => Promise<Locale> = cache(async () => {
  const [jar, asked] = await Promise.all([cookies(), headers()]);
  return chooseLocale(jar.get(localeCookie)?.value, asked.get("accept-language"));
});

const translators = new Map<Locale, Words>();

/** The reader's language in an async server component or a function that makes metadata. */
export const getWords: () => Promise<Words> = cache(async () => wordsIn(await readerLocale()));

/** The reader's language in a server component that is not async. The same name serves in the browser, see client.ts. */
export function useWords(): Words {
  return use(getWords());
}

/** All words of a language, as pages use them: next.config.ts puts the formatter for compiled sentences into the app. */
export function wordsIn(locale: Locale): Words {
  const known = translators.get(locale) ?? {
    locale,
    t: translateWith(locale, compiledGroups(locale, allGroups)),
  };
  translators.set(locale, known);
  return known;
}

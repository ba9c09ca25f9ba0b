import { cookies, headers } from "next/headers";
import { cache, use } from "react";
import { createTranslator } from "use-intl/core";
import { allGroups, compiledGroups } from "./catalogues";
import { chooseLocale } from "./choose";
import { type Locale, localeCookie, type Messages, type Words } from "./words";

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

/** All words of a language, as pages use them. */
export function wordsIn(locale: Locale): Words {
  const known = translators.get(locale) ?? { locale, t: translate(locale) };
  translators.set(locale, known);
  return known;
}

function translate(locale: Locale): Words["t"] {
  // Compiled sentences are used in place of their text: next.config.ts puts the formatter for them into the app.
  const messages = compiledGroups(locale, allGroups) as unknown as Messages;
  return createTranslator({ locale, messages });
}

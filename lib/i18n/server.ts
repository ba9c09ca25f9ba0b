import { cookies, headers } from "next/headers";
import { cache, use } from "react";
import { wordsIn } from "./catalogues";
import { chooseLocale } from "./choose";
import { type Locale, localeCookie, type Words } from "./words";

/** The reader's language: what they chose here, else what their browser prefers. */
export const readerLocale: () => Promise<Locale> = cache(async () => {
  const [jar, asked] = await Promise.all([cookies(), headers()]);
  return chooseLocale(jar.get(localeCookie)?.value, asked.get("accept-language"));
});

/** The reader's language in an async server component or a function that makes metadata. */
export const getWords: () => Promise<Words> = cache(async () => wordsIn(await readerLocale()));

/** The reader's language in a server component that is not async. The same name serves in the browser, see client.tsx. */
export function useWords(): Words {
  return use(getWords());
}

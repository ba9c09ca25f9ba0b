import { cookies, headers } from "next/headers";
import { cache, use } from "react";
import { wordsIn } from "./catalogues";
import { chooseLocale } from "./choose";
import { type Locale, localeCookie, type Words } from "./words";

/** Returns the language the reader chose, else the one their browser prefers. */
export const readerLocale: () => Promise<Locale> = cache(async () => {
  const [jar, asked] = await Promise.all([cookies(), headers()]);
  return chooseLocale(jar.get(localeCookie)?.value, asked.get("accept-language"));
});

/** Returns the reader's language in async server components and metadata functions. */
export const getWords: () => Promise<Words> = cache(async () => wordsIn(await readerLocale()));

/** Returns the reader's language in a server component that is not async. The client has the same name (client.tsx). */
export function useWords(): Words {
  return use(getWords());
}

import { createTranslator, type _Translator as Translator } from "use-intl/core";
import type { en } from "./en";

/** Languages of the interface, as BCP 47 tags; the first is the one all others fall back to. */
export const locales = ["en"] as const;
export type Locale = (typeof locales)[number];
export const localeCookie = "parley-language";

/** Sentences by group and name. */
export type Messages = typeof en;
/** A part of the interface whose sentences belong together. */
export type Group = keyof Messages;

declare module "use-intl/core" {
  interface AppConfig {
    Locale: Locale;
    Messages: Messages;
  }
}

/** Gives the sentence of a name (`"feed.title"`) with its values; both are checked by the compiler. */
export type Translate = Translator<Messages>;

/** A language: its sentences, and its tag for the functions of lib/i18n that write numbers, moments and countries. */
export interface Words {
  readonly t: Translate;
  readonly locale: Locale;
}

/** Words of sentences that are at hand, outside of components: tests, scripts, messages that the server sends. */
export function wordsOf(locale: Locale, messages: Messages): Words {
  return { locale, t: createTranslator({ locale, messages }) };
}

import { createTranslator, type IntlConfig } from "use-intl/core";
import type { en } from "./en";

/** Languages of the interface, as BCP 47 tags; the first is the one all others fall back to. */
export const locales = ["en", "ko"] as const;
export type Locale = (typeof locales)[number];

/** The same names with any sentences: what a catalogue of another language has to be, no name more or less. */
export type Translation<T> = {
  readonly [Name in keyof T]: T[Name] extends string ? string : Translation<T[Name]>;
};

/** Sentences by group and name, in any language. */
export type Messages = Translation<typeof en>;
/** A part of the interface whose sentences belong together. */
export type Group = keyof Messages;

type NamesIn<T, Before extends string> = {
  [Name in keyof T & string]: T[Name] extends string
    ? `${Before}${Name}`
    : NamesIn<T[Name], `${Before}${Name}.`>;
}[keyof T & string];

/** `"feed.title"`, `"post.replyTo"`: every sentence there is. */
export type SentenceName = NamesIn<Messages, "">;

/** What the places of a sentence are filled with. */
type SentenceValues = Record<string, string | number | Date>;

/**
 * Gives the sentence of a name with its values. The compiler checks the name, `app/words.test.ts` the values: use-intl's own
 * types read every sentence's syntax at every use, which took the compiler minutes and gigabytes.
 */
export type Translate = (name: SentenceName, values?: SentenceValues) => string;

/** A language: its sentences, and its tag for the functions of lib/i18n that write numbers, moments and countries. */
export interface Words {
  readonly t: Translate;
  readonly locale: Locale;
}

/** Words of sentences that are at hand, outside of components: tests, scripts, messages that the server sends. */
export function wordsOf(locale: Locale, messages: Messages): Words {
  return { locale, t: translateWith(locale, messages) };
}

/** @param messages the sentences, as text or compiled: whatever the formatter of this program takes */
export function translateWith(locale: Locale, messages: NonNullable<IntlConfig["messages"]>): Translate {
  return createTranslator({ locale, messages });
}

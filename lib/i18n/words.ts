import format, { type CompiledMessage, type FormatValues } from "icu-minify/format";
import type { en } from "./en";
import type { Places } from "./places";

/** Languages of the interface, as BCP 47 tags; the first is the one all others fall back to. */
export const locales = ["en", "ko"] as const;
export type Locale = (typeof locales)[number];

/** Cookie of the chosen language. */
export const localeCookie = "parley-language";

/** Sentences by group and name, in English. */
export type Messages = typeof en;
/** A group of sentences of one part of the interface. */
export type Group = keyof Messages;

type NamesIn<T, Before extends string> = {
  [Name in keyof T & string]: T[Name] extends string
    ? `${Before}${Name}`
    : NamesIn<T[Name], `${Before}${Name}.`>;
}[keyof T & string];

/** `"nav.home"`, `"post.replyTo"`: every sentence there is. */
type SentenceName = NamesIn<Messages, "">;

/** Sentences that are given values. */
type Filled<Name extends SentenceName> = Extract<Name, keyof Places>;
type All<T> = (T extends unknown ? (of: T) => void : never) extends (
  of: infer Each extends FormatValues,
) => void
  ? Each
  : never;

/** The values a sentence takes, or nothing. If the name is one of several, the values of all of them. */
type Values<Name extends SentenceName> = [Filled<Name>] extends [never]
  ? []
  : [values: All<Places[Filled<Name>]>];

/** Every sentence that needs no values. */
export type PlainName = Exclude<SentenceName, keyof Places>;

/** Returns the sentence of a name, with its values. */
type Translate = <Name extends SentenceName>(name: Name, ...values: Values<Name>) => string;

/** A language: its sentences, and its tag for the functions that format numbers, times and countries. */
export interface Words {
  readonly t: Translate;
  readonly locale: Locale;
}

/** Compiled sentences by name: the browser needs no parser for them. */
export type Sentences = Readonly<Record<string, CompiledMessage>>;

/** Returns words for these sentences. A missing sentence or value is logged and shown as the name. */
export function wordsOf(locale: Locale, sentences: Sentences): Words {
  return {
    locale,
    t(name, ...[values]) {
      try {
        const sentence = sentences[name];
        if (sentence === undefined)
          throw new Error(`The page has no sentence ${name}: add its group to withWords.`);
        return String(format(sentence, locale, values, { formatters }));
      } catch (error) {
        console.error(error);
        return name;
      }
    },
  };
}

const formatters = {
  // No sentence formats a time (time.ts does), so this is not cached.
  getDateTimeFormat: (...of: DateTimeFormatOf) => new Intl.DateTimeFormat(...of),
  getNumberFormat: kept((...of: NumberFormatOf) => new Intl.NumberFormat(...of)),
  getPluralRules: kept((...of: PluralRulesOf) => new Intl.PluralRules(...of)),
};

type DateTimeFormatOf = ConstructorParameters<typeof Intl.DateTimeFormat>;
type NumberFormatOf = ConstructorParameters<typeof Intl.NumberFormat>;
type PluralRulesOf = ConstructorParameters<typeof Intl.PluralRules>;

/** Caches formatters: creating one takes longer than using it a hundred times. */
export function kept<Of extends unknown[], Formatter>(
  make: (...of: Of) => Formatter,
): (...of: Of) => Formatter {
  const made = new Map<string, Formatter>();
  return (...of) => {
    const key = JSON.stringify(of);
    const formatter = made.get(key) ?? make(...of);
    made.set(key, formatter);
    return formatter;
  };
}

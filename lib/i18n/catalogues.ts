import compile from "icu-minify/compile";
import { en } from "./en";
import { ko } from "./ko";
import { type Group, type Locale, type Sentences, type Words, wordsOf } from "./words";

/** Sentences of a language, as in its files. */
export interface Tree {
  readonly [name: string]: string | Tree;
}

const catalogues: Readonly<Record<Locale, Tree>> = { en, ko };

/** Every group there is. */
export const allGroups: readonly Group[] = Object.keys(en).filter(isGroup);

function isGroup(name: string): name is Group {
  return name in en;
}

/** Every sentence of a tree by its full name. */
export function flat(tree: Tree, before = ""): (readonly [name: string, sentence: string])[] {
  return Object.entries(tree).flatMap(([name, value]) =>
    typeof value === "string" ? [[`${before}${name}`, value] as const] : flat(value, `${before}${name}.`),
  );
}

const compiled = new Map<string, Sentences>();

/** Returns the sentences of groups in a language, compiled once per process. */
export function sentencesOf(locale: Locale, groups: readonly Group[]): Sentences {
  return Object.assign({}, ...groups.map((group) => compiledGroup(locale, group)));
}

function compiledGroup(locale: Locale, group: Group): Sentences {
  const key = `${locale} ${group}`;
  const known = compiled.get(key) ?? compileGroup(group, catalogues[locale]);
  compiled.set(key, known);
  return known;
}

/** Compiles a group of a catalogue, with English for missing sentences. `npm test` fails if one is missing. */
export function compileGroup(group: Group, { [group]: tree = {} }: Tree): Sentences {
  const own = new Map(flat({ [group]: tree }));
  return Object.fromEntries(
    flat({ [group]: en[group] }).map(([name, english]) => {
      const sentence = own.get(name);
      // Translation tools write an empty text for an untranslated sentence.
      if (!sentence && process.env.NODE_ENV === "development") console.warn(`No translation of ${name}.`);
      // Copied, because the parser's objects have no prototype and React sends only plain ones to the browser.
      return [name, structuredClone(compile(sentence || english))];
    }),
  );
}

const languages = new Map<Locale, Words>();

/** All words of a language. */
export function wordsIn(locale: Locale): Words {
  const words = languages.get(locale) ?? wordsOf(locale, sentencesOf(locale, allGroups));
  languages.set(locale, words);
  return words;
}

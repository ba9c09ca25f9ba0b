import compile from "icu-minify/compile";
import { en } from "./en";
import { ko } from "./ko";
import type { Group, Locale, Messages } from "./words";

const catalogues: Readonly<Record<Locale, Messages>> = { en, ko };

/** Sentences with their places parsed, as pages use them: the browser needs no parser for them. */
export type Compiled = Readonly<Record<string, unknown>>;

const compiled = new Map<string, Compiled>();

/** The groups of a language, ready for `use-intl/format-message/format-only`. Each is compiled once per process. */
export function compiledGroups(locale: Locale, groups: readonly Group[]): Record<string, Compiled> {
  return Object.fromEntries(groups.map((group) => [group, compiledGroup(locale, group)]));
}

/** Every group there is. */
export const allGroups: readonly Group[] = Object.keys(en).filter(isGroup);

function isGroup(name: string): name is Group {
  return name in en;
}

function compiledGroup(locale: Locale, group: Group): Compiled {
  const key = `${locale} ${group}`;
  const known = compiled.get(key) ?? compileTree(catalogues[locale][group]);
  compiled.set(key, known);
  return known;
}

type Tree = { readonly [name: string]: string | Tree };

function compileTree(tree: Tree): Compiled {
  return Object.fromEntries(
    Object.entries(tree).map(([name, value]) => [
      name,
      // A copy: the parser's objects have no prototype, and React passes only plain ones to the browser.
      typeof value === "string" ? structuredClone(compile(value)) : compileTree(value),
    ]),
  );
}

import ko from "./ko/categories.json" with { type: "json" };
import type { Locale, Words } from "./words";

/**
 * What the seeded categories are called in languages other than English, by slug. In English the name in the database
 * counts, which an operator may have changed.
 */
const names: Readonly<Partial<Record<Locale, Readonly<Partial<Record<string, string>>>>>> = { ko };

/** A category's name in the reader's language; of one we do not know, the name it has. */
export function categoryName(
  { locale }: Pick<Words, "locale">,
  { slug, name }: { readonly slug: string; readonly name: string },
): string {
  return names[locale]?.[slug] ?? name;
}

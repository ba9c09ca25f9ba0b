import ko from "./ko/categories.json" with { type: "json" };
import type { Locale, Words } from "./words";

/**
 * Names of the seeded categories in languages other than English, by slug. English uses the name in the database, which
 * an operator may have changed.
 */
const names: Readonly<Partial<Record<Locale, Readonly<Partial<Record<string, string>>>>>> = { ko };

/** Returns a category's name in the reader's language, or the name in the database for an unknown category. */
export function categoryName(
  { locale }: Pick<Words, "locale">,
  { slug, name }: { readonly slug: string; readonly name: string },
): string {
  return names[locale]?.[slug] ?? name;
}

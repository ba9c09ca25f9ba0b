import { readFileSync } from "node:fs";
import path from "node:path";
import { locales } from "@/lib/i18n/words";

/** The operator's terms as HTML by language; `en` is for readers without a text of their own language. */
export type Terms = { readonly en: string } & Readonly<Partial<Record<string, string>>>;

/**
 * Reads the operator's terms: the file, and beside it those of other languages, such as `terms.ko.html` for `terms.html`.
 * @returns the texts, or what is wrong with the file
 */
export function readTerms(file: string): { readonly texts?: Terms; readonly problem?: string } {
  const en = textOf(file)?.trim();
  if (!en) return { problem: `TERMS_PATH: ${file} cannot be read, or is empty` };
  const { dir, name, ext } = path.parse(file);
  const [, ...others] = locales;
  const found = others.flatMap((locale) => {
    const text = textOf(path.join(/*turbopackIgnore: true*/ dir, `${name}.${locale}${ext}`))?.trim();
    return text ? [[locale, text] as const] : [];
  });
  return { texts: { ...Object.fromEntries(found), en } };
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(/*turbopackIgnore: true*/ file, "utf8");
  } catch {
    return undefined;
  }
}

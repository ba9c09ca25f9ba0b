import { useMemo } from "react";
import { useLocale, useTranslations } from "use-intl/react";
import { locales, type Words } from "./words";

/**
 * The reader's language. In the browser and while its components are rendered ahead it has the groups of sentences
 * that the page brought with it (`words` of components/shell/page); in server components it has all, see server.ts.
 * Import it from "#words", which is one or the other.
 */
export function useWords(): Words {
  const t = useTranslations();
  const tag = useLocale();
  return useMemo(() => {
    const locale = locales.find((one) => one === tag) ?? locales[0];
    return { locale, t: (name, values) => t(name, values) };
  }, [t, tag]);
}

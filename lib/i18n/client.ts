import { useMemo } from "react";
import { useLocale, useTranslations } from "use-intl/react";
import type { Words } from "./words";

/**
 * The reader's language. In the browser and while its components are rendered ahead it has the groups of sentences
 * that the page brought with it (`words` of components/shell/page); in server components it has all, see server.ts.
 * Import it from "#words", which is one or the other.
 */
export function useWords(): Words {
  const t = useTranslations();
  const locale = useLocale();
  return useMemo(() => ({ t, locale }), [t, locale]);
}

"use client";

import type { ReactNode } from "react";
import { IntlProvider } from "use-intl/react";
import type { Compiled } from "@/lib/i18n/catalogues";
import type { Locale } from "@/lib/i18n/words";

export interface WordsProviderProps {
  readonly locale: Locale;
  /** The groups of sentences that the components below use, compiled. */
  readonly groups: Readonly<Record<string, Compiled>>;
  readonly children: ReactNode;
}

/** Gives sentences to the components of the browser; see `wordsLayout`. */
export function WordsProvider({ locale, groups, children }: WordsProviderProps) {
  return (
    <IntlProvider
      locale={locale}
      // The formatter that next.config.ts puts in place of the usual one takes them as they are.
      messages={groups}
      // Of both sides, so that they make the same page; a moment in the reader's own zone is for `useZone`.
      timeZone="UTC"
      onError={report}
    >
      {children}
    </IntlProvider>
  );
}

/** A sentence that a page did not bring is a defect of ours: the browser tests look at the console. */
function report(error: unknown): void {
  console.error(error);
}

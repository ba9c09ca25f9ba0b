"use client";

import { createContext, type ReactNode, use, useMemo } from "react";
import { type Locale, type Sentences, type Words, wordsOf } from "./words";

interface Brought extends Words {
  readonly sentences: Sentences;
}

const Context = createContext<Brought | null>(null);

export interface WordsProviderProps {
  readonly locale: Locale;
  /** Added to the sentences of providers above. */
  readonly sentences: Sentences;
  readonly children: ReactNode;
}

/** Gives sentences to client components. */
export function WordsProvider({ locale, sentences, children }: WordsProviderProps) {
  const above = use(Context)?.sentences;
  const brought = useMemo(() => {
    const all = { ...above, ...sentences };
    return { ...wordsOf(locale, all), sentences: all };
  }, [locale, above, sentences]);
  return <Context value={brought}>{children}</Context>;
}

/**
 * Returns the reader's language. In client components, also while they are rendered on the server, it has the sentences that the page
 * brought (app/_parts/words.tsx); in server components it has all (server.ts). Import it from "#words", which is one or the
 * other.
 */
export function useWords(): Words {
  const words = use(Context);
  if (!words) throw new Error("Components that use words need a WordsProvider above them.");
  return words;
}

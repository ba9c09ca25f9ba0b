"use client";

import { createContext, type ReactNode, use, useMemo } from "react";
import { type Locale, type Sentences, type Words, wordsOf } from "./words";

interface Brought extends Words {
  readonly sentences: Sentences;
}

const Context = createContext<Brought | null>(null);

export interface WordsProviderProps {
  readonly locale: Locale;
  /** What the components below use, beside the sentences of providers above this one. */
  readonly sentences: Sentences;
  readonly children: ReactNode;
}

/** Gives sentences to the components of the browser. */
export function WordsProvider({ locale, sentences, children }: WordsProviderProps) {
  const above = use(Context)?.sentences;
  const brought = useMemo(() => {
    const all = { ...above, ...sentences };
    return { ...wordsOf(locale, all), sentences: all };
  }, [locale, above, sentences]);
  return <Context value={brought}>{children}</Context>;
}

/**
 * The reader's language. In the browser and while its components are rendered ahead it has the sentences that the page
 * brought (app/_parts/words.tsx); in server components it has all (server.ts). Import it from "#words", which is one or the
 * other.
 */
export function useWords(): Words {
  const words = use(Context);
  if (!words) throw new Error("Components that use words need a WordsProvider above them.");
  return words;
}

"use client";

import { useEffect, useRef, useState } from "react";

const DEBOUNCE_MS = 150;

/** Searches on the server while the user types: debounced and cached. Null or a failed request finds nothing. */
export function useLookup<T>(
  question: string | null,
  ask: (question: string, signal: AbortSignal) => Promise<readonly T[]>,
): readonly T[] {
  const [found, setFound] = useState<readonly T[]>([]);
  const known = useRef(new Map<string, readonly T[]>());
  const latest = useRef(ask);
  latest.current = ask;
  useEffect(() => {
    if (question === null) return setFound([]);
    const before = known.current.get(question);
    if (before) return setFound(before);
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      const answer = await latest.current(question, controller.signal).catch(() => null);
      if (controller.signal.aborted) return;
      if (answer) known.current.set(question, answer);
      setFound(answer ?? []);
    }, DEBOUNCE_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [question]);
  return found;
}

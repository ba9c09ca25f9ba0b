"use client";

import { useEffect, useRef, useState } from "react";

const DEBOUNCE_MS = 150;

/**
 * Searches on the server while the user types: debounced and cached. Null or a failed request finds nothing.
 * @param debounceMs how long the user must pause
 */
export function useLookup<T>(
  question: string | null,
  ask: (question: string, signal: AbortSignal) => Promise<readonly T[]>,
  debounceMs = DEBOUNCE_MS,
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
    }, debounceMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [question, debounceMs]);
  return found;
}

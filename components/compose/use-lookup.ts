"use client";

import { useEffect, useRef, useState } from "react";

/** Milliseconds without a key before the server is asked. */
const PAUSE = 150;

/**
 * Asks the server while somebody types: after a pause, only the latest question counts, and what was asked before is known.
 * Without a network, or when it is refused, nothing is found; typing goes on.
 * @param question null asks nothing
 * @param ask must not change what it does for one question
 */
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
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [question]);
  return found;
}

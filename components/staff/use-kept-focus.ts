"use client";

import { useEffect, useRef } from "react";

/**
 * For a list whose rows leave when somebody acts on them: the list takes the focus that would go with a row, so that a
 * keyboard goes on where it was. The element needs tabIndex -1.
 * @param count rows that are shown
 */
export function useKeptFocus<T extends HTMLElement>(count: number) {
  const list = useRef<T>(null);
  const before = useRef(count);
  useEffect(() => {
    const lost = document.activeElement === null || document.activeElement === document.body;
    if (count < before.current && lost) list.current?.focus();
    before.current = count;
  }, [count]);
  return list;
}

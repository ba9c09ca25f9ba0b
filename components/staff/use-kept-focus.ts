"use client";

import { useEffect, useRef } from "react";

/**
 * Moves the focus to a list when the focused row disappears, so that keyboard users keep their place. The element needs
 * tabIndex -1.
 * @param count number of rows
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

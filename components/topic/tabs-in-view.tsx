"use client";

import { type ReactNode, useEffect, useRef } from "react";

/** Scrolls a row of tabs so that the current one is visible on a phone. */
export function TabsInView({ children }: { readonly children: ReactNode }) {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const current = root.current?.querySelector<HTMLElement>("[aria-current]")?.parentElement;
    const row = current?.parentElement;
    if (!current || !row) return;
    row.scrollLeft +=
      current.getBoundingClientRect().right - row.getBoundingClientRect().right + current.offsetWidth / 2;
  }, []);
  return <div ref={root}>{children}</div>;
}

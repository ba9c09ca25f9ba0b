"use client";

import { useEffect, useRef, useState } from "react";
import { commandOf } from "./keys";

/** The case that the Tab key reaches; keys move it, and it goes on when its case leaves the queue. */
export function useCurrentCase(rows: readonly { readonly id: string }[]) {
  const list = useRef<HTMLUListElement>(null);
  const [chosen, setChosen] = useState<string | null>(null);
  const wanted = useRef<string | null>(null);
  const current = rows.some(({ id }) => id === chosen) ? chosen : (rows[0]?.id ?? null);

  const articleOf = (id: string) =>
    [...(list.current?.querySelectorAll<HTMLElement>("[data-case]") ?? [])].find(
      ({ dataset }) => dataset.case === id,
    );
  const moveBy = (step: 1 | -1) => {
    const isInside = list.current?.contains(document.activeElement) ?? false;
    const at = rows.findIndex(({ id }) => id === current);
    const to = isInside ? rows[Math.min(Math.max(at + step, 0), rows.length - 1)] : rows[at];
    if (!to) return;
    setChosen(to.id);
    articleOf(to.id)?.focus();
  };

  /** Goes on to the case after this one, or before it at the end. @param gone cases that leave with it */
  const goOn = (id: string, gone: ReadonlySet<string> = new Set([id])) => {
    const at = rows.findIndex((row) => row.id === id);
    const stays = (row: { readonly id: string }) => !gone.has(row.id);
    const next = rows.slice(at + 1).find(stays) ?? rows.slice(0, at).findLast(stays);
    setChosen(next?.id ?? null);
    wanted.current = next?.id ?? "";
  };
  // After each render: the case that had the focus is gone only then.
  useEffect(() => {
    if (wanted.current === null) return;
    const next = articleOf(wanted.current) ?? list.current;
    wanted.current = null;
    next?.focus();
  });

  // Keys of the queue work in it; from the page, J leads there.
  const lead = useRef(moveBy);
  lead.current = moveBy;
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      const { activeElement } = document;
      const isFree = activeElement === document.body || activeElement?.id === "content";
      if (!isFree || event.defaultPrevented || event.key.startsWith("Arrow")) return;
      if (commandOf(event) !== "next") return;
      event.preventDefault();
      lead.current(1);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);

  return { current, list, moveBy, goOn, focus: setChosen };
}

"use client";

import { useState } from "react";

/** Several rows of a list, chosen together. */
export function useSelection<T extends { readonly id: string }>(rows: readonly T[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const without = (known: ReadonlySet<string>, id: string) => new Set([...known].filter((one) => one !== id));
  return {
    rows: rows.filter(({ id }) => ids.has(id)),
    has: (id: string) => ids.has(id),
    toggle: (id: string) => setIds((known) => (known.has(id) ? without(known, id) : new Set([...known, id]))),
    drop: (id: string) => setIds((known) => (known.has(id) ? without(known, id) : known)),
    all: () => setIds(new Set(rows.map(({ id }) => id))),
    clear: () => setIds(new Set()),
  };
}

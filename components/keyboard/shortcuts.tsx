"use client";

import { later, useLater } from "@/components/use-later";

const pageKeys = later(() => import("./page-keys").then(({ PageKeys }) => PageKeys));

/** Keyboard shortcuts, once the page has loaded. */
export function Shortcuts() {
  const Keys = useLater(pageKeys);
  return Keys ? <Keys /> : null;
}

"use client";

import { createContext, type ReactNode, useContext } from "react";

const ShownContent = createContext("");

/**
 * The HTML of the post this page shows, once: what is shown and what is hashed to check a record are the same text.
 */
export function ShownContentProvider(props: { readonly html: string; readonly children: ReactNode }) {
  return <ShownContent value={props.html}>{props.children}</ShownContent>;
}

export function useShownContent(): string {
  return useContext(ShownContent);
}

"use client";

import { createContext, type ReactNode, useContext } from "react";

export interface ShownContent {
  /** The HTML of the post as it is kept, which is what a record's hash is of. */
  readonly html: string;
  /** The same with pictures from elsewhere as they come through this site. */
  readonly shown: string;
}

const Shown = createContext<ShownContent>({ html: "", shown: "" });

/** The HTML of the post this page shows, once: what is shown and what is hashed to check a record come from one answer. */
export function ShownContentProvider(props: {
  readonly content: ShownContent;
  readonly children: ReactNode;
}) {
  return <Shown value={props.content}>{props.children}</Shown>;
}

export function useShownContent(): ShownContent {
  return useContext(Shown);
}

"use client";

import { createContext, type ReactNode, useContext } from "react";

interface ShownContent {
  /** The stored HTML, which the hash of a record covers. */
  readonly html: string;
  /** The same, with pictures of other sites loaded through this site. */
  readonly shown: string;
}

const Shown = createContext<ShownContent>({ html: "", shown: "" });

/** Provides the HTML of this page's post, so that the shown text and the text hashed for a record are the same. */
export function ShownContentProvider(props: {
  readonly content: ShownContent;
  readonly children: ReactNode;
}) {
  return <Shown value={props.content}>{props.children}</Shown>;
}

/** Returns the HTML of this page's post. */
export function useShownContent(): ShownContent {
  return useContext(Shown);
}

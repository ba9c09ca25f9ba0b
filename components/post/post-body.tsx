"use client";

import { useEffect, useRef, useState } from "react";
import { useShownContent } from "./shown-content";

export interface PostBodyProps {
  /** Nicknames of people whom the post names. */
  readonly names: readonly string[];
  readonly topicId: string;
}

/**
 * A post's HTML. The server sanitised it when it was written and renders it without JavaScript; the browser
 * sanitises it once more with its own parser and replaces it should the two ever disagree. Names become links then.
 */
export function PostBody({ names, topicId }: PostBodyProps) {
  const html = useShownContent();
  const root = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState(html);
  const named = names.join(" ");
  useEffect(() => {
    let gone = false;
    import("./sanitise").then(({ sanitise }) => {
      if (!gone) setShown(sanitise(html, { names: named.split(" ").filter(Boolean), topicId }));
    });
    return () => {
      gone = true;
    };
  }, [html, named, topicId]);
  useEffect(() => {
    // What scrolls sideways must be reachable by keyboard.
    for (const block of root.current?.querySelectorAll<HTMLElement>("pre, table") ?? []) {
      if (block.scrollWidth > block.clientWidth) block.tabIndex = 0;
    }
  });
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised on write, and again here
    <div ref={root} className="prose-post" dir="auto" dangerouslySetInnerHTML={{ __html: shown }} />
  );
}

"use client";

import { useEffect, useRef, useState } from "react";

/**
 * A post's HTML. The server sanitised it when it was written and renders it without JavaScript; the browser
 * sanitises it once more with its own parser and replaces it should the two ever disagree.
 */
export function PostBody({ html }: { readonly html: string }) {
  const root = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState(html);
  useEffect(() => {
    let gone = false;
    import("./sanitise").then(({ sanitise }) => {
      if (!gone) setShown(sanitise(html));
    });
    return () => {
      gone = true;
    };
  }, [html]);
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

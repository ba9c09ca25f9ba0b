"use client";

import { useEffect, useState } from "react";

/**
 * Asks before a page with unsaved changes is left: by a link of ours with `asked`, by closing the tab with the browser's own
 * question. The browser's way back cannot be held up; the changes are kept as a draft for that.
 * @returns the address that waits for an answer, and what takes it back
 */
export function useLeaveGuard(isUnsaved: boolean): {
  readonly asked: string | null;
  readonly stay: () => void;
} {
  const [asked, setAsked] = useState<string | null>(null);
  useEffect(() => {
    if (!isUnsaved) return;
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
      const isElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0;
      if (!(link instanceof HTMLAnchorElement) || isElsewhere || link.target === "_blank") return;
      if (link.isContentEditable || link.origin !== location.origin) return;
      // A place on this page.
      if (link.pathname + link.search === location.pathname + location.search) return;
      event.preventDefault();
      event.stopPropagation();
      setAsked(link.pathname + link.search);
    };
    window.addEventListener("beforeunload", onUnload);
    // Before React sees it, whose links would go at once.
    document.addEventListener("click", onClick, true);
    return () => {
      window.removeEventListener("beforeunload", onUnload);
      document.removeEventListener("click", onClick, true);
    };
  }, [isUnsaved]);
  return { asked, stay: () => setAsked(null) };
}

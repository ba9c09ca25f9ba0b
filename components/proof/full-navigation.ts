import { useEffect } from "react";

/**
 * In an isolated page (proxy.ts) what other sites embed is blocked, and a page that Next changes to in place stays
 * isolated: a video there would not play. So links out of an isolated page load the next one anew.
 */
export function useFullNavigation(): void {
  useEffect(() => {
    if (!globalThis.crossOriginIsolated) return;
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
      // Before React hears of it, so that the browser follows the link by itself.
      if (link) event.stopPropagation();
    };
    window.addEventListener("click", onClick, { capture: true });
    return () => window.removeEventListener("click", onClick, { capture: true });
  }, []);
}

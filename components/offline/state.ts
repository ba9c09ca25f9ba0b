import { pageReach, type ReachState } from "@/lib/client/reach";
import { guest, savedAtMeta, viewerMeta } from "@/lib/client/saved";

/** Watchers of this page's own state. This module is small: it is part of every page's first load. */
const watchers = new Set<() => void>();

/** Calls back when the server starts or stops answering, or a saved copy was replaced. @returns stop */
export function watchNetwork(watcher: () => void): () => void {
  watchers.add(watcher);
  const unwatch = pageReach().watch(watcher);
  return () => {
    watchers.delete(watcher);
    unwatch();
  };
}

/** Returns whether the server answers, as far as this page knows. */
export const reachState = (): ReachState => pageReach().state();

/** Returns when this document was saved (ISO 8601) if it is a saved copy (lib/client/saved.ts); else null. */
export function savedAt(): string | null {
  const at = contentOf(savedAtMeta);
  return at && !Number.isNaN(Date.parse(at)) ? at : null;
}

/** Marks the page as fresh: it was fetched again, or the user went to another one. */
export function noLongerSaved(): void {
  document.querySelector(`meta[name="${savedAtMeta}"]`)?.remove();
  for (const watcher of watchers) watcher();
}

/** Returns the id of the user this page was rendered for; null for a guest. */
export function reader(): string | null {
  const owner = contentOf(viewerMeta);
  return owner && owner !== guest ? owner : null;
}

function contentOf(name: string): string | null {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? null;
}

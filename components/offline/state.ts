import { pageReach, type ReachState } from "@/lib/client/reach";
import { guest, savedAtMeta, viewerMeta } from "@/lib/client/saved";

/** What this page knows of the network and of itself: a small place that is in the first load of every page. */

const watchers = new Set<() => void>();

/** Calls back when the server answers again, or not any more, or a copy was replaced. @returns stop */
export function watchNetwork(watcher: () => void): () => void {
  watchers.add(watcher);
  const unwatch = pageReach().watch(watcher);
  return () => {
    watchers.delete(watcher);
    unwatch();
  };
}

/** Whether the server answers, as far as this page has asked. */
export const reachState = (): ReachState => pageReach().state();

/** When this document was kept, ISO 8601, if it is a copy (lib/client/saved.ts); else null. */
export function savedAt(): string | null {
  const at = contentOf(savedAtMeta);
  return at && !Number.isNaN(Date.parse(at)) ? at : null;
}

/** What stands here is fresh again: the page was fetched anew, or another one took its place. */
export function noLongerSaved(): void {
  document.querySelector(`meta[name="${savedAtMeta}"]`)?.remove();
  for (const watcher of watchers) watcher();
}

/** User id of whoever this page was made for, or null for a guest. */
export function reader(): string | null {
  const owner = contentOf(viewerMeta);
  return owner && owner !== guest ? owner : null;
}

function contentOf(name: string): string | null {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? null;
}

/**
 * Copies of pages that a browser keeps to be read without a network. What the service worker (lib/worker) keeps, pages
 * must be able to forget at once, so names and forgetting stand here, for both.
 */

/** In the head of every page: whose it is. The content is a user id, or `guest`. */
export const viewerMeta = "parley-viewer";
/** In the head of a page that was taken from the copies: when it was kept, ISO 8601. */
export const savedAtMeta = "parley-saved-at";
/** On a request by which the worker fetches a page to keep it: nobody looks at it, so it counts no view. */
export const savingHeader = "x-parley-saving";
/** The owner of what is shown to those who are not signed in. */
export const guest = "guest";

const pagesPrefix = "parley-pages-";
/** Pictures of those pages. */
export const picturesCache = "parley-pictures";

/** Name of the cache of one reader's pages. */
export function pagesCacheOf(owner: string): string {
  return `${pagesPrefix}${owner}`;
}

/** Whose pages a cache holds, or null when it is another kind of cache. */
function ownerOf(cacheName: string): string | null {
  return cacheName.startsWith(pagesPrefix) ? cacheName.slice(pagesPrefix.length) : null;
}

/** Whose pages are kept here; null when none are, or when it is not certain whose. */
export async function savedOwner(storage: CacheStorage = caches): Promise<string | null> {
  const owners = (await storage.keys()).map(ownerOf).filter((owner) => owner !== null);
  return owners.length === 1 ? (owners[0] ?? null) : null;
}

/** Forgets every page and picture that is kept, for whomever. */
export async function forgetSaved(storage: CacheStorage = caches): Promise<void> {
  const kept = (await storage.keys()).filter((name) => ownerOf(name) !== null || name === picturesCache);
  await Promise.all(kept.map((name) => storage.delete(name)));
}

/** Forgets what is kept for anybody but this reader: called whenever it is known who reads now. */
export async function forgetOthers(owner: string, storage: CacheStorage = caches): Promise<void> {
  const owners = (await storage.keys()).map(ownerOf).filter((known) => known !== null);
  if (owners.some((known) => known !== owner)) await forgetSaved(storage);
}

export const savedAtHeader = "x-parley-saved-at";
/** Title of a kept page, URI-encoded as headers take no other letters. */
export const titleHeader = "x-parley-title";

export interface SavedPage {
  /** Path with its query. */
  readonly path: string;
  readonly title: string;
  /** ISO 8601. */
  readonly savedAt: string;
}

/** Pages kept for this reader, the latest first. */
export async function savedPages(owner: string, storage: CacheStorage = caches): Promise<SavedPage[]> {
  if ((await savedOwner(storage)) !== owner) return [];
  const cache = await storage.open(pagesCacheOf(owner));
  const found = (await cache.keys()).map(async ({ url }) => {
    const { pathname, search } = new URL(url);
    const headers = (await cache.match(url))?.headers;
    return {
      path: pathname + search,
      title: decoded(headers?.get(titleHeader)),
      savedAt: headers?.get(savedAtHeader) ?? "",
    };
  });
  const pages = (await Promise.all(found)).filter((page) => page.title && page.savedAt);
  return pages.toSorted((a, b) => (a.savedAt < b.savedAt ? 1 : -1));
}

function decoded(value: string | null | undefined): string {
  try {
    return decodeURIComponent(value ?? "");
  } catch {
    return "";
  }
}

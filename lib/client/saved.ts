/** Names that pages and the service worker (lib/worker) share for copies of pages to read offline. */

/** Meta tag of every page with its owner: a user id, or `guest`. */
export const viewerMeta = "parley-viewer";
/** Meta tag of a page shown from a copy, with the time of the copy in ISO 8601. */
export const savedAtMeta = "parley-saved-at";
/** Header of the worker's requests for pages to store: they count no view. */
export const savingHeader = "x-parley-saving";
/** The owner of pages for signed-out readers. */
export const guest = "guest";

const PAGES_PREFIX = "parley-pages-";
export const picturesCache = "parley-pictures";

/** Returns the name of the cache with one reader's pages. */
export function pagesCacheOf(owner: string): string {
  return `${PAGES_PREFIX}${owner}`;
}

/** Returns whose pages a cache holds, or null for other caches. */
function ownerOf(cacheName: string): string | null {
  return cacheName.startsWith(PAGES_PREFIX) ? cacheName.slice(PAGES_PREFIX.length) : null;
}

/** Returns whose pages are stored here; null without any, or with those of several readers. */
export async function savedOwner(): Promise<string | null> {
  const owners = (await caches.keys()).map(ownerOf).filter((owner) => owner !== null);
  return owners.length === 1 ? (owners[0] ?? null) : null;
}

/** Deletes all stored pages and images. */
export async function forgetSaved(): Promise<void> {
  const kept = (await caches.keys()).filter((name) => ownerOf(name) !== null || name === picturesCache);
  await Promise.all(kept.map((name) => caches.delete(name)));
}

/** Deletes everything if pages of another reader are stored; called whenever the reader is known. */
export async function forgetOthers(owner: string): Promise<void> {
  const owners = (await caches.keys()).map(ownerOf).filter((known) => known !== null);
  if (owners.some((known) => known !== owner)) await forgetSaved();
}

export const savedAtHeader = "x-parley-saved-at";
/** Title of a stored page, URI-encoded since headers allow only ASCII. */
export const titleHeader = "x-parley-title";

export interface SavedPage {
  /** Path with its query. */
  readonly path: string;
  readonly title: string;
  /** ISO 8601. */
  readonly savedAt: string;
}

/** Returns the pages stored for this reader, newest first. */
export async function savedPages(owner: string): Promise<SavedPage[]> {
  if ((await savedOwner()) !== owner) return [];
  const cache = await caches.open(pagesCacheOf(owner));
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

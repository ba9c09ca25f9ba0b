import {
  forgetOthers,
  forgetSaved,
  pagesCacheOf,
  savedAtHeader,
  savedAtMeta,
  savedOwner,
  savingHeader,
  titleHeader,
} from "@/lib/client/saved";
import { LIMITS } from "@/lib/contract/limits";
import { assetsOf, isPage, savedAddress, titleOf, viewerOf, withMeta } from "./pages";
import { keepAssets, trim } from "./static";

/** Pages stored for reading offline: one cache, of one reader. */

/** As many pages as a reader may want on a trip; each is about 20 to 100 KiB. */
const MOST_PAGES = 60;
/** The lifetime of a session: a copy must not outlive the session that read it. Milliseconds. */
const LONGEST_KEPT = LIMITS.days.sessionUnused * 24 * 60 * 60 * 1000;
/** A page reached without loading a document is fetched again to be stored, at most this often. Milliseconds. */
const FRESH_ENOUGH = 2 * 60 * 1000;

/** Counts deletions: pages fetched before one must not be stored after it. */
let forgotten = 0;

/** Deletes all pages, and discards those being fetched. */
export async function forget(): Promise<void> {
  forgotten += 1;
  await forgetSaved();
}

/** Statuses that mean the reader may no longer read a page. */
const CLOSED_STATUSES: ReadonlySet<number> = new Set([401, 403, 404, 410]);

async function forgetPage(key: string): Promise<void> {
  const owner = await savedOwner();
  if (owner) await (await caches.open(pagesCacheOf(owner))).delete(key);
}

/** Stores a page under its URL, as its reader's. @returns whether it was stored */
export async function keep(address: string, response: Response): Promise<boolean> {
  const key = savedAddress(address);
  if (key && CLOSED_STATUSES.has(response.status)) await forgetPage(key);
  if (!key || !isPage(response)) return false;
  const before = forgotten;
  const html = await response.text();
  const owner = viewerOf(html);
  if (!owner || before !== forgotten) return false;
  await forgetOthers(owner);
  const headers = new Headers(response.headers);
  headers.set(savedAtHeader, new Date().toISOString());
  headers.set(titleHeader, encodeURIComponent(titleOf(html)));
  const cache = await caches.open(pagesCacheOf(owner));
  await cache.put(key, new Response(html, { headers }));
  // A deletion during the write may have missed it.
  if (before !== forgotten) {
    await forgetSaved();
    return false;
  }
  await Promise.all([trim(cache, MOST_PAGES), keepAssets(assetsOf(html))]);
  return true;
}

/** Stores a page reached without loading its document, unless the copy is younger than `freshMs`. */
export async function fetchAndKeep(address: string, freshMs = FRESH_ENOUGH): Promise<void> {
  const key = savedAddress(address);
  if (!key) return;
  const known = await stored(key);
  if (known && ageOf(known) < freshMs) return;
  const headers = { accept: "text/html", [savingHeader]: "1" };
  const response = await fetch(key, { headers, credentials: "same-origin", redirect: "manual" }).catch(
    () => null,
  );
  if (response) await keep(key, response);
}

/** Returns the copy of a page, marked with its time, or null. */
export async function saved(address: string): Promise<Response | null> {
  const key = savedAddress(address);
  const found = key ? await stored(key) : null;
  if (!found) return null;
  const at = found.headers.get(savedAtHeader) ?? new Date(0).toISOString();
  // Its policy and its nonces were stored together, so its scripts run.
  return new Response(withMeta(await found.text(), savedAtMeta, at), { headers: found.headers });
}

async function stored(key: string): Promise<Response | null> {
  const owner = await savedOwner();
  if (!owner) return null;
  const cache = await caches.open(pagesCacheOf(owner));
  const found = await cache.match(key);
  if (!found) return null;
  if (ageOf(found) <= LONGEST_KEPT) return found;
  await cache.delete(key);
  return null;
}

/** Returns the age of a copy in milliseconds; infinite if unknown. */
function ageOf(copy: Response): number {
  const at = Date.parse(copy.headers.get(savedAtHeader) ?? "");
  return Number.isNaN(at) ? Number.POSITIVE_INFINITY : Date.now() - at;
}

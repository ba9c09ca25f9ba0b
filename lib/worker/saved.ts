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
import { assetsOf, isPage, savedAddress, titleOf, viewerOf, withMeta } from "./pages";
import { keepAssets } from "./static";

/** Pages kept to be read without a network: one cache, of one reader. */

/** As many pages as somebody may want to read on a journey; each is some 20 to 100 KiB. */
const MOST_PAGES = 60;
/** A session lives no longer; a copy must not outlive what it was read with. Milliseconds. */
const LONGEST_KEPT = 7 * 24 * 60 * 60 * 1000;
/** A page reached without loading a document is fetched again to be kept, at most this often. Milliseconds. */
const FRESH_ENOUGH = 2 * 60 * 1000;

/** Grows whenever everything is forgotten: what was fetched before that must not be kept after it. */
let forgotten = 0;

/** Forgets every page, and what is being fetched to be kept. */
export async function forget(): Promise<void> {
  forgotten += 1;
  await forgetSaved();
}

/** What says that its reader may not read a page any more. */
const closed: ReadonlySet<number> = new Set([401, 403, 404, 410]);

async function forgetPage(key: string): Promise<void> {
  const owner = await savedOwner();
  if (owner) await (await caches.open(pagesCacheOf(owner))).delete(key);
}

/** Keeps a page that was answered to this address, as its reader's. @returns whether it was kept */
export async function keep(address: string, response: Response): Promise<boolean> {
  const key = savedAddress(address);
  if (key && closed.has(response.status)) await forgetPage(key);
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
  // Forgetting while it was written may have missed it.
  if (before !== forgotten) {
    await forgetSaved();
    return false;
  }
  await Promise.all([trim(cache), keepAssets(assetsOf(html))]);
  return true;
}

/**
 * Fetches a page that was reached without loading its document, unless the copy is fresh, and keeps it.
 * @param freshMs how old a fresh copy may be
 */
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

/** The copy of a page, marked with when it was kept, or null. */
export async function saved(address: string): Promise<Response | null> {
  const key = savedAddress(address);
  const found = key ? await stored(key) : null;
  if (!found) return null;
  const at = found.headers.get(savedAtHeader) ?? new Date(0).toISOString();
  // Its policy and the nonces in it were kept together, so its own scripts run.
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

/** Milliseconds since a copy was kept; endless where it does not say. */
function ageOf(copy: Response): number {
  const at = Date.parse(copy.headers.get(savedAtHeader) ?? "");
  return Number.isNaN(at) ? Number.POSITIVE_INFINITY : Date.now() - at;
}

/** Entries come in the order in which they were written: the first are the oldest. */
async function trim(cache: Cache): Promise<void> {
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, Math.max(0, keys.length - MOST_PAGES)).map((key) => cache.delete(key)));
}

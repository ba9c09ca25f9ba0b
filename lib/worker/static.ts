/** Scripts and styles of builds. Their names change with their content, so what is kept never goes stale. */

/** Those of pages that are kept, of this build and of older ones. */
export const staticCache = "parley-static";
/** The light ones of this build, whatever page they belong to: what is done without a network needs them. */
export const actionsCache = "parley-actions";

/** Some ten builds of the pages somebody reads. */
const MOST_ASSETS = 600;
/** Requests at a time for what nobody waits for. */
const AT_ONCE = 4;

/** A script or style: what is kept, else from the network, and kept. @param later work that goes on after the answer */
export async function asset(request: Request, later: (work: Promise<unknown>) => void): Promise<Response> {
  const known = await kept(request.url);
  if (known) return known;
  const response = await fetch(request);
  if (response.status === 200) later(put(staticCache, request.url, response.clone()));
  return response;
}

/** Keeps the assets of a page that are not kept yet; what cannot be fetched now is fetched when it is used. */
export async function keepAssets(addresses: readonly string[]): Promise<void> {
  if (addresses.length === 0) return;
  await Promise.all(addresses.map((address) => keepOne(staticCache, address)));
  const cache = await caches.open(staticCache);
  const keys = await cache.keys();
  // They come in the order in which they were written.
  await Promise.all(keys.slice(0, Math.max(0, keys.length - MOST_ASSETS)).map((key) => cache.delete(key)));
}

/** Keeps the light scripts of this build, and none of an older one. */
export async function keepActions(addresses: readonly string[]): Promise<void> {
  const cache = await caches.open(actionsCache);
  const wanted = new Set(addresses);
  const present = await cache.keys();
  const old = present.filter(({ url }) => !wanted.has(new URL(url).pathname));
  await Promise.all(old.map((key) => cache.delete(key)));
  const rest = [...wanted];
  const work = async () => {
    for (let next = rest.pop(); next; next = rest.pop()) await keepOne(actionsCache, next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
}

async function keepOne(cacheName: string, address: string): Promise<void> {
  const cache = await caches.open(cacheName);
  if (await cache.match(address, { ignoreVary: true })) return;
  // Pages and actions share scripts: what one has, the other need not fetch.
  const response = (await kept(address)) ?? (await fetch(address, { priority: "low" }).catch(() => null));
  if (response?.status === 200) await cache.put(address, response);
}

async function kept(address: string): Promise<Response | undefined> {
  return await caches.match(address, { ignoreVary: true });
}

async function put(cacheName: string, address: string, response: Response): Promise<void> {
  await (await caches.open(cacheName)).put(address, response);
}

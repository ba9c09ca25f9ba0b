/** Scripts and styles of builds. Their names change with their content, so copies never go stale. */

/** Assets of stored pages, of this and older builds. */
export const staticCache = "parley-static";
/** Light scripts of this build, of all pages: acting offline needs them. */
export const actionsCache = "parley-actions";

/** About ten builds of the pages a reader uses. */
const MOST_ASSETS = 600;
/** Parallel requests for assets that nothing waits for. */
const AT_ONCE = 4;

/** Returns a script or style from its copy, else fetches and stores it. @param later runs work after the response */
export async function asset(request: Request, later: (work: Promise<unknown>) => void): Promise<Response> {
  const known = await kept(request.url);
  if (known) return known;
  const response = await fetch(request);
  if (response.status === 200) later(put(staticCache, request.url, response.clone()));
  return response;
}

/** Stores the assets of a page that are not stored yet; those that fail are fetched when they are used. */
export async function keepAssets(addresses: readonly string[]): Promise<void> {
  if (addresses.length === 0) return;
  await Promise.all(addresses.map((address) => keepOne(staticCache, address)));
  await trim(await caches.open(staticCache), MOST_ASSETS);
}

/** Deletes the oldest entries above a number; caches list them in the order in which they were written. */
export async function trim(cache: Cache, most: number): Promise<void> {
  const keys = await cache.keys();
  await Promise.all(keys.slice(0, Math.max(0, keys.length - most)).map((key) => cache.delete(key)));
}

/** Stores the light scripts of this build, and deletes those of older ones. */
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
  // Pages and actions share scripts: one copy is enough.
  const response = (await kept(address)) ?? (await fetch(address, { priority: "low" }).catch(() => null));
  if (response?.status === 200) await cache.put(address, response);
}

async function kept(address: string): Promise<Response | undefined> {
  return await caches.match(address, { ignoreVary: true });
}

async function put(cacheName: string, address: string, response: Response): Promise<void> {
  await (await caches.open(cacheName)).put(address, response);
}

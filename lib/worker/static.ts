/** Scripts and styles of builds. Their names change with their content, so what is kept never goes stale. */

export const staticCache = "parley-static";

/** Keeps those that are not kept yet; what cannot be fetched now is fetched when it is used. */
export async function keepAssets(addresses: readonly string[]): Promise<void> {
  if (addresses.length === 0) return;
  const cache = await caches.open(staticCache);
  await Promise.all(
    addresses.map(async (address) => {
      // Others may be in the list of what is kept from the start (see index.ts).
      if (await caches.match(address, { ignoreSearch: true })) return;
      const response = await fetch(address).catch(() => null);
      if (response?.status === 200) await cache.put(address, response);
    }),
  );
}

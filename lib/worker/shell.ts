import { assetsOf, isPage } from "./pages";
import { keepAssets } from "./static";

/** What is shown for a page that is not kept. */

export const offlinePath = "/offline";
const shellCache = "parley-shell";

/** Keeps the offline page as a guest sees it, with its scripts: this cache outlives a sign-out. */
export async function keepShell(): Promise<void> {
  const response = await fetch(offlinePath, { credentials: "omit", cache: "no-store" });
  if (!isPage(response)) throw new Error("the offline page was not answered");
  const html = await response.text();
  const cache = await caches.open(shellCache);
  await Promise.all([
    cache.put(offlinePath, new Response(html, { headers: response.headers })),
    keepAssets(assetsOf(html)),
  ]);
}

/** The offline page as a guest sees it. */
export async function shell(): Promise<Response> {
  return (await (await caches.open(shellCache)).match(offlinePath)) ?? Response.error();
}

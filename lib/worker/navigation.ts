import { assetsOf, isPage } from "./pages";
import { keep, saved } from "./saved";
import { keepAssets } from "./static";

export const offlinePath = "/offline";
const SHELL_CACHE = "parley-shell";
/** After this long without a response, the copy is shown if there is one. Milliseconds. */
const SLOW_MS = 6000;

export interface Navigation {
  readonly request: Request;
  /** The response the browser requested while it started the worker, if it did. */
  readonly preloaded: Promise<Response | undefined>;
  readonly later: (work: Promise<unknown>) => void;
}

/** Loads a page: from the network, else its copy, else redirects to the offline page. */
export async function navigate({ request, preloaded, later }: Navigation): Promise<Response> {
  const { url } = request;
  const network = fromNetwork(request, preloaded, later);
  // Handled below, but maybe only after the rejection.
  network.catch(() => undefined);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const slow = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), SLOW_MS);
  });
  try {
    return (await Promise.race([network, slow])) ?? (await saved(url)) ?? (await network);
  } catch {
    return (await saved(url)) ?? (await offline(new URL(url)));
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the response that the browser requested while it started the worker, else requests it. */
export async function preloadedOrFetched(
  request: Request,
  preloaded: Navigation["preloaded"],
): Promise<Response> {
  return (await preloaded) ?? (await fetch(request));
}

async function fromNetwork(
  request: Request,
  preloaded: Navigation["preloaded"],
  later: Navigation["later"],
): Promise<Response> {
  const response = await preloadedOrFetched(request, preloaded);
  later(keep(request.url, response.clone()).catch(() => false));
  return response;
}

/** Redirects to the offline page, whose query names the requested page. */
async function offline({ origin, pathname, search }: URL): Promise<Response> {
  if (pathname === offlinePath) return await shell();
  const to = new URL(offlinePath, origin);
  to.searchParams.set("to", `${pathname}${search}`);
  return Response.redirect(to.href);
}

/** Stores the offline page as a guest sees it, with its scripts: this cache survives a sign-out. */
export async function keepShell(): Promise<void> {
  const response = await fetch(offlinePath, { credentials: "omit", cache: "no-store" });
  if (!isPage(response)) throw new Error("the offline page did not load");
  const html = await response.text();
  const cache = await caches.open(SHELL_CACHE);
  await Promise.all([
    cache.put(offlinePath, new Response(html, { headers: response.headers })),
    keepAssets(assetsOf(html)),
  ]);
}

/** Returns the offline page as a guest sees it. */
async function shell(): Promise<Response> {
  return (await (await caches.open(SHELL_CACHE)).match(offlinePath)) ?? Response.error();
}

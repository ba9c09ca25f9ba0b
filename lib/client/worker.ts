import * as z from "zod/mini";

/** The service worker (lib/worker) as pages see it. */

const script = "/worker/sw.js";

/** What a page tells the worker: that it was opened, perhaps before there was a worker to see it. */
export const tellSchema = z.object({
  /** Addresses of scripts of the build that the page has loaded. */
  assets: z.array(z.string().check(z.startsWith("/_next/static/"))).check(z.maxLength(500)),
  page: z.url(),
  /** Whether the reader may do things without a network, which takes scripts that no page has loaded yet. */
  acts: z.boolean(),
});

/**
 * The one registration of this site, for push messages and for the offline copy.
 * @throws where the browser has no workers, or refuses this one
 */
export async function registerWorker(): Promise<ServiceWorkerRegistration> {
  return await navigator.serviceWorker.register(script, { scope: "/" });
}

/**
 * Has the worker keep this page and what it has loaded; what came before the worker did is kept too.
 * @param acts see tellSchema
 */
export async function keepThisPage(acts: boolean): Promise<void> {
  const { active } = await navigator.serviceWorker.ready;
  const assets = performance
    .getEntriesByType("resource")
    .map(({ name }) => new URL(name))
    .filter(
      ({ origin, pathname }) =>
        origin === location.origin && /^\/_next\/static\/.+\.(js|css)$/.test(pathname),
    )
    .map(({ pathname }) => pathname);
  const tell: z.infer<typeof tellSchema> = {
    assets: [...new Set(assets)].slice(0, 500),
    page: location.href,
    acts: acts && !savesData(),
  };
  active?.postMessage(tell);
}

/** Whether the reader asked for less traffic; not every browser says, and TypeScript's library does not know it. */
function savesData(): boolean {
  const connection: unknown = Reflect.get(navigator, "connection");
  return (
    typeof connection === "object" && connection !== null && Reflect.get(connection, "saveData") === true
  );
}

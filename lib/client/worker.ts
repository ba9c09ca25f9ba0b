import * as z from "zod/mini";

/** The service worker (lib/worker) as pages see it. */

const WORKER_SCRIPT = "/worker/sw.js";

/** What a page tells the worker: that it was opened, maybe before the worker existed. */
export const pageMessageSchema = z.object({
  /** Paths of the build's scripts and styles that the page has loaded. */
  assets: z.array(z.string().check(z.startsWith("/_next/static/"))).check(z.maxLength(500)),
  page: z.url(),
  /** Whether the reader may act offline, which needs scripts that no page has loaded yet. */
  acts: z.boolean(),
});

/** Registers this site's only worker. @throws where the browser has no workers, or refuses this one */
export async function registerWorker(): Promise<ServiceWorkerRegistration> {
  return await navigator.serviceWorker.register(WORKER_SCRIPT, { scope: "/" });
}

/**
 * Asks the worker to store this page and its assets, including those loaded before the worker existed.
 * @param acts see pageMessageSchema
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
  const message: z.infer<typeof pageMessageSchema> = {
    assets: [...new Set(assets)].slice(0, 500),
    page: location.href,
    acts: acts && !savesData(),
  };
  active?.postMessage(message);
}

/** Returns whether the reader asked to save data, where the browser tells; TypeScript does not declare it. */
function savesData(): boolean {
  return Reflect.get(Object(Reflect.get(navigator, "connection")), "saveData") === true;
}

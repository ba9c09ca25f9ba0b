import { ExpirationPlugin, NetworkFirst, type PrecacheEntry, Serwist } from "serwist";
import { sendAll, syncTag } from "@/lib/client/outbox";
import { picturesCache } from "@/lib/client/saved";
import { pageMessageSchema } from "@/lib/client/worker";
import en from "@/lib/i18n/en/pushed.json" with { type: "json" };
import ko from "@/lib/i18n/ko/pushed.json" with { type: "json" };
import { keepShell, navigate, offlinePath, preloadedOrFetched } from "./navigation";
import { forgetIfGone, forgetRemoved } from "./pictures";
import { listenToPushes } from "./push";
import { fetchAndKeep, forget } from "./saved";
import { scope } from "./scope";
import { asset, keepActions, keepAssets } from "./static";

/** The service worker: pushes, offline copies, outbox. app/worker bundles it and fills in the names in capitals. */
declare const self: {
  /** Styles, fonts, icons and light scripts of this build; undefined under `next dev`, where nothing is stored. */
  readonly __SW_MANIFEST: PrecacheEntry[] | undefined;
};

const DAY = 24 * 60 * 60;
/** The offline page rarely changes: topic names, language and colors. */
const HOUR_MS = 60 * 60 * 1000;
/** Requests that end the session or delete the account, whatever the response. */
const endings = new Map([
  ["/api/auth/logout", "POST"],
  ["/api/account", "DELETE"],
]);

const manifest = self.__SW_MANIFEST;
const worker = scope();
const isScript = ({ url }: PrecacheEntry) => url.endsWith(".js");
const scripts = manifest?.filter(isScript).map(({ url }) => url) ?? [];

listenToPushes({
  title: process.env.PUSH_TITLE ?? "",
  body: process.env.PUSH_BODY ?? "",
  sentences: { en: en.pushed, ko: ko.pushed },
});
listenToOutbox();

if (manifest) {
  const serwist = new Serwist({
    precacheEntries: manifest.filter((entry) => !isScript(entry)),
    // Scripts of older builds stay stored, so an open page keeps working under a new worker.
    skipWaiting: true,
    clientsClaim: true,
    navigationPreload: true,
    precacheOptions: { cleanupOutdatedCaches: true },
    runtimeCaching: [
      {
        // Not worker files. A worker loaded from here loses its URL's fragment, in which Turbopack lists its chunks,
        // and it must get the policy of its own build.
        matcher: ({ sameOrigin, url, request }) =>
          sameOrigin && url.pathname.startsWith("/_next/static/") && request.destination !== "worker",
        handler: ({ request, event }) => asset(request, (work) => event.waitUntil(work)),
      },
      {
        // The browser loads images of other origins: a worker's policy does not allow such requests.
        matcher: ({ sameOrigin, url, request }) =>
          sameOrigin && request.destination === "image" && url.pathname.startsWith("/uploads/"),
        handler: new NetworkFirst({
          cacheName: picturesCache,
          plugins: [
            new ExpirationPlugin({ maxEntries: 80, maxAgeSeconds: 7 * DAY }),
            {
              async fetchDidSucceed({ request, response }) {
                await forgetIfGone(request, response);
                return response;
              },
            },
          ],
        }),
      },
    ],
  });

  worker.addEventListener("install", (event) => {
    event.waitUntil(keepShell());
    // What a page saves while it is left is lost if it must wait for a worker.
    const drafts = { condition: { urlPattern: "/api/topics/*/draft" }, source: "network" } as const;
    if (event.addRoutes) event.waitUntil(event.addRoutes(drafts));
  });
  worker.addEventListener("fetch", (event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (url.origin !== worker.location.origin) return;
    if (endings.get(url.pathname) === request.method) return event.waitUntil(forget());
    if (request.method !== "GET") return;
    if (request.mode === "navigate" && isProtocol(url.pathname)) {
      // Left to the browser, the address would be requested a second time, and what it carries is good for once.
      event.respondWith(preloadedOrFetched(request, event.preloadResponse));
    } else if (request.mode === "navigate" && !isFile(url.pathname)) {
      const later = (work: Promise<unknown>) => event.waitUntil(work);
      event.respondWith(navigate({ request, preloaded: event.preloadResponse, later }));
    } else if (isStep(request)) {
      event.waitUntil(Promise.all([fetchAndKeep(request.url), forgetRemoved()]));
    }
  });
  worker.addEventListener("message", (event) => {
    const message = pageMessageSchema.safeParse(event.data);
    if (!message.success) return;
    const { assets, page, acts } = message.data;
    event.waitUntil(
      Promise.all([
        keepAssets(assets),
        acts ? keepActions(scripts) : null,
        fetchAndKeep(page),
        fetchAndKeep(worker.location.origin + offlinePath, HOUR_MS),
        forgetRemoved(),
      ]),
    );
  });
  serwist.addEventListeners();
} else {
  worker.addEventListener("install", () => void worker.skipWaiting());
  worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
}

/** Returns whether a path is a step of a sign-in or another operation, which a tab may pass through. */
function isProtocol(path: string): boolean {
  return /^\/(api|oidc)\//.test(path);
}

/** Returns whether a path is not a page, even if a tab shows it. */
function isFile(path: string): boolean {
  return /^\/(uploads|proving|_next|worker)\//.test(path);
}

/** Returns whether a request is a navigation inside the app, which loads no document; prefetches are not. */
function isStep({ headers, mode }: Request): boolean {
  return mode !== "navigate" && headers.get("rsc") === "1" && !headers.has("next-router-prefetch");
}

/** Sends the outbox when the browser reports that the network is back, even with no page open. */
function listenToOutbox(): void {
  scope().addEventListener("sync", (event) => {
    if (event.tag === syncTag) event.waitUntil(send());
  });
}

/** @throws so that the browser tries again */
async function send(): Promise<void> {
  const ended = await sendAll(null);
  if (ended === "offline" || ended === "later") throw new Error(`the outbox is ${ended}`);
}

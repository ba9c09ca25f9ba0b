import { ExpirationPlugin, NetworkFirst, type PrecacheEntry, Serwist } from "serwist";
import { picturesCache } from "@/lib/client/saved";
import { tellSchema } from "@/lib/client/worker";
import en from "@/lib/i18n/en/pushed.json" with { type: "json" };
import ko from "@/lib/i18n/ko/pushed.json" with { type: "json" };
import { navigate } from "./navigation";
import { listenToOutbox } from "./outbox";
import { listenToPushes } from "./push";
import { fetchAndKeep, forget } from "./saved";
import { scope } from "./scope";
import { keepShell, offlinePath } from "./shell";
import { asset, keepActions, keepAssets } from "./static";

/**
 * The service worker: push messages, the offline copy, and what was written without a network. app/worker bundles it
 * and puts in what stands in capitals.
 */
declare const self: {
  /** Styles, fonts, icons and light scripts of this build; undefined under `next dev`, where nothing is kept. */
  readonly __SW_MANIFEST: PrecacheEntry[] | undefined;
};

const DAY = 24 * 60 * 60;
/** The offline page hardly changes: names of topics, language and colours. */
const HOUR_MS = 60 * 60 * 1000;
/** Ends the session or the account, whatever is answered. */
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
    // Scripts of older builds stay kept, so a page that is open goes on under a new worker.
    skipWaiting: true,
    clientsClaim: true,
    navigationPreload: true,
    precacheOptions: { cleanupOutdatedCaches: true },
    runtimeCaching: [
      {
        // Not the files of workers: one that comes from here loses the part of its address after the #, where Turbopack
        // says what it is made of, and the policy it is given must be that of the build it belongs to.
        matcher: ({ sameOrigin, url, request }) =>
          sameOrigin && url.pathname.startsWith("/_next/static/") && request.destination !== "worker",
        handler: ({ request, event }) => asset(request, (work) => event.waitUntil(work)),
      },
      {
        // Pictures of other origins are left to the browser: the policy of a worker allows it no such requests.
        matcher: ({ sameOrigin, url, request }) =>
          sameOrigin && request.destination === "image" && url.pathname.startsWith("/uploads/"),
        handler: new NetworkFirst({
          cacheName: picturesCache,
          plugins: [new ExpirationPlugin({ maxEntries: 80, maxAgeSeconds: 7 * DAY })],
        }),
      },
    ],
  });

  worker.addEventListener("install", (event) => event.waitUntil(keepShell()));
  worker.addEventListener("fetch", (event) => {
    const { request } = event;
    const url = new URL(request.url);
    if (url.origin !== worker.location.origin) return;
    if (endings.get(url.pathname) === request.method) return event.waitUntil(forget());
    if (request.method !== "GET") return;
    if (request.mode === "navigate" && !isFile(url.pathname)) {
      const later = (work: Promise<unknown>) => event.waitUntil(work);
      event.respondWith(navigate({ request, preloaded: event.preloadResponse, later }));
    } else if (isStep(request)) {
      event.waitUntil(fetchAndKeep(request.url));
    }
  });
  worker.addEventListener("message", (event) => {
    const told = tellSchema.safeParse(event.data);
    if (!told.success) return;
    const { assets, page, acts } = told.data;
    event.waitUntil(
      Promise.all([
        keepAssets(assets),
        acts ? keepActions(scripts) : null,
        fetchAndKeep(page),
        fetchAndKeep(worker.location.origin + offlinePath, HOUR_MS),
      ]),
    );
  });
  serwist.addEventListeners();
} else {
  worker.addEventListener("install", () => void worker.skipWaiting());
  worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));
}

/** Addresses that answer no pages, even when a tab shows them. */
function isFile(path: string): boolean {
  return /^\/(api|uploads|proving|_next|worker)\//.test(path);
}

/** A step from page to page inside the app, which loads no document; not what is only loaded ahead. */
function isStep({ headers, mode }: Request): boolean {
  return mode !== "navigate" && headers.get("rsc") === "1" && !headers.has("next-router-prefetch");
}

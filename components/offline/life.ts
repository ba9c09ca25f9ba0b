import { beginLater } from "@/components/begin-later";
import { unreadCount, watchUnread } from "@/components/notifications/store";
import { toast } from "@/components/ui/toast";
import { mayHaveSecret } from "@/lib/client/anonymous/flag";
import { claimDrafts } from "@/lib/client/drafts";
import { sendAll } from "@/lib/client/outbox";
import { forgetOthers, guest } from "@/lib/client/saved";
import { keepThisPage, registerWorker } from "@/lib/client/worker";
import type { Words } from "@/lib/i18n/words";
import { noLongerSaved, reachState, savedAt, watchNetwork } from "./state";

const RELOADED_KEY = "parley.reloaded";
/** Another reload would not help a page that fails again within this time. */
const RELOAD_PAUSE_MS = 60_000;
/** Distance that a thumb covers only on purpose. */
const PULL_PX = 88;
/** Distance below which the direction of a finger is not clear. */
const SLACK_PX = 10;
const PULL_LABEL_CLASSES =
  "rise pointer-events-none fixed inset-x-0 top-[calc(64px+env(safe-area-inset-top))] z-40 mx-auto w-fit rounded-full border bg-sheet px-4 py-2 text-sm text-soft shadow-float data-[state=ready]:text-ink md:top-4";
const PULL_PAGES = [/^\/$/, /^\/topics\/[0-9a-f-]{36}$/];

/** Whether an error says that a script or style of the build could not be loaded. */
function isChunkError(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error.name === "ChunkLoadError" ||
      /load(?:ing)? (?:css )?chunk|dynamically imported module/i.test(error.message))
  );
}

/** Reloads once when a deployment removed the page's scripts; calls `ask` instead if the user has typed. @returns stop */
function reloadForChunks(ask: () => void): () => void {
  const look = (error: unknown) => {
    // Offline, the script may still exist.
    if (!isChunkError(error) || !navigator.onLine || reloadedLately()) return;
    if (hasTyped()) return ask();
    remember();
    window.location.reload();
  };
  const listening = new AbortController();
  const { signal } = listening;
  window.addEventListener("error", ({ error }) => look(error), { signal });
  window.addEventListener("unhandledrejection", ({ reason }) => look(reason), { signal });
  document.addEventListener("input", rememberTyping, { signal });
  return () => listening.abort();
}

/** Fields that the user typed into. In React's fields the value always equals the default. */
const typedInto = new Set<HTMLElement>();

function rememberTyping({ target }: Event): void {
  if (target instanceof HTMLElement) typedInto.add(target);
}

function hasTyped(): boolean {
  return [...typedInto].some((field) => {
    if (!field.isConnected) return false;
    const isField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
    return (isField ? field.value : field.textContent) !== "";
  });
}

function reloadedLately(): boolean {
  try {
    return Date.now() - Number(sessionStorage.getItem(RELOADED_KEY)) < RELOAD_PAUSE_MS;
  } catch {
    // Without storage, the page would reload in a loop.
    return true;
  }
}

function remember(): void {
  try {
    sessionStorage.setItem(RELOADED_KEY, String(Date.now()));
  } catch {
    // Without storage, reloadedLately() prevents the reload.
  }
}

export interface LifeOptions {
  readonly userId: string | null;
  readonly words: () => Words;
  /** Fetches the page's data again without a reload. */
  readonly refresh: () => void;
}

/** Starts the service worker, the outbox, the badge on the icon and pulling to refresh. @returns stop */
export function beginLife({ userId, words, refresh }: LifeOptions): () => void {
  // A guest may sign in again: only another user's session makes the drafts foreign.
  if (userId) claimDrafts(userId);
  void keepCopies(userId);
  const send = () => {
    if (userId && reachState() !== "lost") void sendAll(userId).catch(() => undefined);
  };
  send();
  let wasLost = reachState() === "lost";
  const back = () => {
    const isBack = wasLost && reachState() === "reachable";
    wasLost = reachState() === "lost";
    if (!isBack) return;
    send();
    if (savedAt() === null) return;
    noLongerSaved();
    refresh();
  };
  const stops = [
    watchNetwork(back),
    countOnIcon(),
    pullToRefresh({ words, refresh }),
    sendAnonymously(userId),
    reloadForChunks(() => toast({ text: words().t("offline.updated"), action: here(words()) })),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Sends what was written without a name, where something may have been. @returns stop */
function sendAnonymously(userId: string | null): () => void {
  if (!userId || !mayHaveSecret(userId)) return () => {};
  return beginLater(() => import("@/components/anonymous/life").then((m) => () => m.beginAnonymous(userId)));
}

const here = ({ t }: Words) => ({ label: t("offline.reload"), href: window.location.href });

/** Saves this page for offline reading. Other users' pages go first: the worker may not know who reads now. */
async function keepCopies(userId: string | null): Promise<void> {
  // Missing without HTTPS, and in some browsers' private windows.
  if (!("caches" in window) || !("serviceWorker" in navigator)) return;
  try {
    await forgetOthers(userId ?? guest);
    await registerWorker();
    // A server that does not answer must not get a hundred requests for scripts.
    await keepThisPage(userId !== null && reachState() !== "lost");
  } catch {
    // The browser refused: the site works, but not offline.
  }
}

/** Shows the number of unread notifications on the installed app's icon, where supported. @returns stop */
function countOnIcon(): () => void {
  if (!("setAppBadge" in navigator)) return () => {};
  const write = () => {
    const count = unreadCount();
    // An unknown count does not clear the badge.
    if (count === null) return;
    void (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => undefined);
  };
  write();
  return watchUnread(write);
}

/** Whether this is an installed app on iOS, the only one whose browser has no such gesture. */
function isIosApp(): boolean {
  return Reflect.get(navigator, "standalone") === true;
}

/** Pulling the page down on the feed and in topics refreshes it, where the browser has no such gesture. @returns stop */
function pullToRefresh({ words, refresh }: Pick<LifeOptions, "words" | "refresh">): () => void {
  if (!isIosApp()) return () => {};
  let start: { readonly x: number; readonly y: number } | null = null;
  let label: HTMLElement | null = null;
  const put = (state: "pull" | "ready" | null) => {
    if (!state) {
      label?.remove();
      label = null;
      return;
    }
    if (!label) {
      label = document.createElement("p");
      label.className = PULL_LABEL_CLASSES;
      // Screen readers announce the refreshed page instead.
      label.setAttribute("aria-hidden", "true");
      document.body.append(label);
    }
    label.dataset.state = state;
    label.textContent = words().t(state === "ready" ? "offline.release" : "offline.pull");
  };
  const stop = () => {
    start = null;
    put(null);
  };
  const onStart = ({ touches }: TouchEvent) => {
    const [touch, other] = touches;
    const isHere = PULL_PAGES.some((place) => place.test(window.location.pathname));
    if (!touch || other || !isHere || window.scrollY > 0 || document.querySelector("dialog[open]")) return;
    start = { x: touch.clientX, y: touch.clientY };
  };
  const onMove = ({ touches }: TouchEvent) => {
    const [touch, other] = touches;
    if (!start || !touch) return;
    const [down, aside] = [touch.clientY - start.y, Math.abs(touch.clientX - start.x)];
    // Scrolling, swiping or pinching.
    if (other || window.scrollY > 0 || down < -SLACK_PX || (aside > SLACK_PX && aside > down)) return stop();
    put(down > PULL_PX ? "ready" : down > SLACK_PX ? "pull" : null);
  };
  const onEnd = () => {
    const isReady = label?.dataset.state === "ready";
    stop();
    if (isReady) refresh();
  };
  const listening = new AbortController();
  const options = { passive: true, signal: listening.signal };
  window.addEventListener("touchstart", onStart, options);
  window.addEventListener("touchmove", onMove, options);
  window.addEventListener("touchend", onEnd, options);
  window.addEventListener("touchcancel", stop, options);
  return () => {
    stop();
    listening.abort();
  };
}

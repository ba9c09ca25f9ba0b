import { unreadCount, watchUnread } from "@/components/alerts/store";
import { toast } from "@/components/ui/toast";
import { claimDrafts } from "@/lib/client/drafts";
import { sendAll } from "@/lib/client/outbox";
import { forgetOthers, guest } from "@/lib/client/saved";
import { keepThisPage, registerWorker } from "@/lib/client/worker";
import type { Words } from "@/lib/i18n/words";
import { pullToRefresh } from "./pull";
import { noLongerSaved, reachState, savedAt, watchNetwork } from "./state";

/** A tab that was open while the app was replaced asks for scripts that are not there any more. */

const KEY = "parley.reloaded";
/** A page that fails again so soon after a reload is not helped by one more. Milliseconds. */
const ONCE_IN = 60_000;

/** Whether an error says that a script or style of the build could not be loaded. */
function isChunkError(error: unknown): boolean {
  return (
    error instanceof Error &&
    (error.name === "ChunkLoadError" ||
      /load(?:ing)? (?:css )?chunk|dynamically imported module/i.test(error.message))
  );
}

/**
 * Loads the page anew, once, when a script of it is gone; where something was typed its writer is asked instead.
 * @param ask called instead of reloading
 * @returns stop
 */
function reloadForChunks(ask: () => void): () => void {
  const look = (error: unknown) => {
    // Without a network the script may well be there.
    if (!isChunkError(error) || !navigator.onLine || reloadedLately()) return;
    if (hasTyped()) return ask();
    remember();
    window.location.reload();
  };
  const onError = ({ error }: ErrorEvent) => look(error);
  const onRejection = ({ reason }: PromiseRejectionEvent) => look(reason);
  window.addEventListener("error", onError);
  window.addEventListener("unhandledrejection", onRejection);
  document.addEventListener("input", rememberTyping);
  return () => {
    document.removeEventListener("input", rememberTyping);
    window.removeEventListener("error", onError);
    window.removeEventListener("unhandledrejection", onRejection);
  };
}

/** What somebody typed into since the page came. React keeps no difference between a field's value and its default. */
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
    return Date.now() - Number(sessionStorage.getItem(KEY)) < ONCE_IN;
  } catch {
    // Where it cannot be remembered, it would be done again and again.
    return true;
  }
}

function remember(): void {
  try {
    sessionStorage.setItem(KEY, String(Date.now()));
  } catch {
    // reloadedLately() has read it, so it can be written.
  }
}

export interface LifeOptions {
  readonly userId: string | null;
  readonly words: () => Words;
  /** Fetches the page anew in its place. */
  readonly refresh: () => void;
}

/**
 * What makes the site an app: the worker with its copies, sending what waits, the number on the icon, pulling to refresh.
 * @returns stop
 */
export function beginLife({ userId, words, refresh }: LifeOptions): () => void {
  // A session that ended may go on: only somebody else's beginning makes drafts foreign.
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
    reloadForChunks(() => toast({ text: words().t("offline.updated"), action: here(words()) })),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

const here = ({ t }: Words) => ({ label: t("offline.reload"), href: window.location.href });

/** Copies of others go first: the worker may not have seen who reads now. */
async function keepCopies(userId: string | null): Promise<void> {
  // No HTTPS, or a browser that keeps nothing in its private windows.
  if (!("caches" in window) || !("serviceWorker" in navigator)) return;
  try {
    await forgetOthers(userId ?? guest);
    await registerWorker();
    // A server that does not answer is not asked for a hundred scripts.
    await keepThisPage(userId !== null && reachState() !== "lost");
  } catch {
    // Refused by the browser: the site works, and is not there without a network.
  }
}

/** Keeps the number of unread alerts on the icon of the installed app, where there is such a thing. @returns stop */
function countOnIcon(): () => void {
  if (!("setAppBadge" in navigator)) return () => {};
  const write = () => {
    const count = unreadCount();
    // Not known is not none: the number stays until it is.
    if (count === null) return;
    void (count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()).catch(() => undefined);
  };
  write();
  return watchUnread(write);
}

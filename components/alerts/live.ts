import { z } from "zod";
import { followEvents, type StreamState } from "@/lib/client/events";
import { pageLife } from "@/lib/client/life";
import { myEvents, notification } from "@/lib/contract/notifications";
import { arrive, setUnread, unreadCount, watchUnread } from "./store";

const counted = /^\(\d+\+?\) /;

/** Keeps the number of unread alerts in front of the document's title, whatever page it names. @returns stop */
function countInTitle(): () => void {
  const write = () => {
    const plain = document.title.replace(counted, "");
    const count = unreadCount() ?? 0;
    const title = count > 0 ? `(${count > 99 ? "99+" : count}) ${plain}` : plain;
    // Writing is observed too; what is right already is left alone.
    if (document.title !== title) document.title = title;
  };
  const pages = new MutationObserver(write);
  pages.observe(document.head, { subtree: true, childList: true, characterData: true });
  const unwatch = watchUnread(write);
  write();
  return () => {
    pages.disconnect();
    unwatch();
    document.title = document.title.replace(counted, "");
  };
}

/**
 * The caller's alerts as they happen. Browsers open six connections to one host at most, so of all tabs one holds the
 * stream and tells the others: whoever has the lock. A tab that is hidden for long gives it up.
 */

const told = z.union([
  z.object({ unread: z.int().min(0) }),
  z.object({ notification }),
  /** A tab that has just opened asks how things stand. */
  z.object({ ask: z.literal(true) }),
]);
type Told = z.infer<typeof told>;

const HIDDEN_MS = 300_000;

/** Follows the alerts of the signed-in user into the store of this page. @returns stop */
export function followAlerts(userId: string): () => void {
  const stopTitle = countInTitle();
  const name = `parley.alerts.${userId}`;
  const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(name) : null;
  let last: number | null = null;
  /** Whichever tab leads next begins after this one. */
  let lastEventId: string | null = null;
  let isLeader = false;
  const hear = (message: Told) => {
    if ("unread" in message) {
      last = message.unread;
      setUnread(message.unread);
    } else if ("notification" in message) {
      lastEventId = message.notification.id;
      arrive(message.notification);
    } else if (isLeader && last !== null) channel?.postMessage({ unread: last } satisfies Told);
  };
  const say = (message: Told) => {
    hear(message);
    channel?.postMessage(message);
  };
  if (channel) {
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      const message = told.safeParse(data);
      if (message.success) hear(message.data);
    };
  }
  const lead = () => {
    isLeader = true;
    const stop = followEvents(
      myEvents,
      {},
      {
        lastEventId,
        onEvent: (event) => {
          if (event.name === "unread") say({ unread: event.data.unreadCount });
          else if (event.name === "notification") say({ notification: event.data });
        },
        onState: (state: StreamState) => {
          if (state.kind === "closed") setUnread(0);
        },
      },
    );
    return () => {
      isLeader = false;
      stop();
    };
  };
  const stopLeading = "locks" in navigator && channel ? whileSeen(() => inTurn(name, lead)) : lead();
  channel?.postMessage({ ask: true } satisfies Told);
  return () => {
    stopLeading();
    channel?.close();
    stopTitle();
  };
}

/** Runs something in one tab at a time: in this one as soon as no other does. @returns stop, or stop waiting */
function inTurn(name: string, begin: () => () => void): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  navigator.locks
    .request(name, { signal }, async () => {
      if (signal.aborted) return;
      const stop = begin();
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      stop();
    })
    // Stopped while it waited.
    .catch(() => undefined);
  return () => abort.abort();
}

/** Runs something except while the page has been out of sight for minutes. */
function whileSeen(begin: () => () => void): () => void {
  const life = pageLife();
  let stop: (() => void) | undefined = begin();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const unwatch = life.onChange(() => {
    clearTimeout(timer);
    if (life.isHidden()) {
      timer = setTimeout(() => {
        stop?.();
        stop = undefined;
      }, HIDDEN_MS);
    } else stop ??= begin();
  });
  return () => {
    unwatch();
    clearTimeout(timer);
    stop?.();
  };
}

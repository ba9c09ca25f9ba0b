import { z } from "zod";
import { followUnread } from "@/components/reading/follow";
import { followEvents, type StreamState } from "@/lib/client/events";
import { pageLife } from "@/lib/client/reach";
import { myEvents, notification } from "@/lib/contract/notifications";
import { publish, setUnread, unreadCount, watchUnread } from "./store";

const COUNT_PREFIX = /^\(\d+\+?\) /;

/** Keeps the number of unread notifications at the start of the document's title. @returns stop */
function countInTitle(): () => void {
  const write = () => {
    const plain = document.title.replace(COUNT_PREFIX, "");
    const count = unreadCount() ?? 0;
    const title = count > 0 ? `(${count > 99 ? "99+" : count}) ${plain}` : plain;
    // The observer also reports this write, so do not repeat it.
    if (document.title !== title) document.title = title;
  };
  const observer = new MutationObserver(write);
  observer.observe(document.head, { subtree: true, childList: true, characterData: true });
  const unwatch = watchUnread(write);
  write();
  return () => {
    observer.disconnect();
    unwatch();
    document.title = document.title.replace(COUNT_PREFIX, "");
  };
}

/**
 * Messages between tabs. Browsers open at most six connections to a host, so only the tab that holds the lock has the
 * stream, and shares it with the others. A tab that stays hidden releases the lock.
 */
const tabMessage = z.union([
  z.object({ unread: z.int().min(0) }),
  z.object({ notification }),
  /** A new tab asks for the count. */
  z.object({ ask: z.literal(true) }),
]);
type TabMessage = z.infer<typeof tabMessage>;

/** A tab releases the lock after this time in the background. */
const HIDDEN_MS = 300_000;

/** Writes the notifications of the signed-in user to the store of this page. @returns stop */
export function followNotifications(userId: string): () => void {
  const stopTitle = countInTitle();
  const stopReading = followUnread();
  const name = `parley.alerts.${userId}`;
  const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(name) : null;
  let last: number | null = null;
  /** Where this tab resumes the stream if it becomes the leader. */
  let lastEventId: string | null = null;
  let isLeader = false;
  const receive = (message: TabMessage) => {
    if ("unread" in message) {
      last = message.unread;
      setUnread(message.unread);
    } else if ("notification" in message) {
      lastEventId = message.notification.id;
      publish(message.notification);
    } else if (isLeader && last !== null) channel?.postMessage({ unread: last } satisfies TabMessage);
  };
  const share = (message: TabMessage) => {
    receive(message);
    channel?.postMessage(message);
  };
  if (channel) {
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      const message = tabMessage.safeParse(data);
      if (message.success) receive(message.data);
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
          if (event.name === "unread") share({ unread: event.data.unreadCount });
          else if (event.name === "notification") share({ notification: event.data });
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
  const stopLeading = "locks" in navigator && channel ? whileVisible(() => inOneTab(name, lead)) : lead();
  channel?.postMessage({ ask: true } satisfies TabMessage);
  return () => {
    stopLeading();
    channel?.close();
    stopTitle();
    stopReading();
  };
}

/** Runs something in one tab at a time. @returns stops it, or stops waiting for the other tab */
function inOneTab(name: string, begin: () => () => void): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  navigator.locks
    .request(name, { signal }, async () => {
      if (signal.aborted) return;
      const stop = begin();
      await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      stop();
    })
    // Aborted while it waited for the lock.
    .catch(() => undefined);
  return () => abort.abort();
}

/** Runs something, except while the page has been hidden for `HIDDEN_MS`. */
function whileVisible(begin: () => () => void): () => void {
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

import { onNotification } from "@/components/notifications/store";
import type { TopicCounts } from "@/lib/contract/reading";
import { countText, unreadOfTopic } from "./counts";
import { READ_EVENT } from "./mark";

/** The least time between two requests. */
const REST_MS = 5000;

/**
 * Keeps the numbers in the rail up to date: when the page is looked at again, when something was read here, and when a
 * notification arrives. Nothing is sent for every post to every member. @returns stop
 */
export function followUnread(): () => void {
  let askedAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ask = async () => {
    askedAt = Date.now();
    try {
      const { api, contract } = await import("@/components/api");
      show((await api.call(contract.reading.counts, {})).topics);
    } catch {
      // Offline or signed out: the numbers stay.
    }
  };
  const askSoon = (restMs: number) => {
    clearTimeout(timer);
    if (document.visibilityState !== "visible") return;
    timer = setTimeout(() => void ask(), Math.max(0, askedAt + restMs - Date.now()));
  };
  const onLook = () => askSoon(REST_MS);
  const onRead = () => askSoon(0);
  document.addEventListener("visibilitychange", onLook);
  window.addEventListener(READ_EVENT, onRead);
  const unwatch = onNotification(onLook);
  return () => {
    clearTimeout(timer);
    document.removeEventListener("visibilitychange", onLook);
    window.removeEventListener(READ_EVENT, onRead);
    unwatch();
  };
}

/** Writes the numbers to where the server rendered those of its time. */
function show(topics: readonly TopicCounts[]): void {
  const counts = new Map(topics.map((topic) => [topic.topicId, topic]));
  for (const element of document.querySelectorAll<HTMLElement>("[data-unread]")) {
    const count = unreadOfTopic(counts.get(element.dataset.unread ?? ""));
    const text = countText(count);
    if (element.textContent !== text) element.textContent = text;
    element.parentElement?.toggleAttribute("hidden", count === 0);
  }
}

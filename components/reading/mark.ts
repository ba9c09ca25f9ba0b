/*
 * Marks what a page shows as read. It says so to follow.ts, which other pages load, by an event: neither brings the
 * other.
 */

export const READ_EVENT = "parley:read";

/** What was read: a topic's posts or chat, or a post's comments, up to an item; null for a post without comments. */
export type WasRead =
  | { readonly topicId: string; readonly postId: string }
  | { readonly topicId: string; readonly messageId: string }
  | { readonly threadOf: string; readonly commentId: string | null };

/** Says that marks of the reader moved. */
export function tellRead(): void {
  window.dispatchEvent(new Event(READ_EVENT));
}

/** Marks something as read. A failure is no loss: the next visit marks it. */
export async function markRead(what: WasRead): Promise<void> {
  try {
    const { api, contract } = await import("@/components/api");
    if ("threadOf" in what) {
      await api.call(contract.reading.readThread, { postId: what.threadOf, commentId: what.commentId });
    } else await api.call(contract.reading.readTopic, what);
    tellRead();
  } catch {
    // Offline, or no longer a member.
  }
}

const SOON_MS = 1500;
const waiting = new Map<string, ReturnType<typeof setTimeout>>();

/** Marks a chat as read soon: messages that arrive one after the other cost one request. */
export function markChatSoon(topicId: string, messageId: string): void {
  clearTimeout(waiting.get(topicId));
  waiting.set(
    topicId,
    setTimeout(() => {
      waiting.delete(topicId);
      void markRead({ topicId, messageId });
    }, SOON_MS),
  );
}

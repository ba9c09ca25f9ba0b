import { LIMITS } from "@/lib/contract/limits";
import type { TopicCounts } from "@/lib/contract/reading";

/** Returns the number beside a topic: its new posts, chat messages and threads; none for a muted topic. */
export function unreadOfTopic(counts: TopicCounts | undefined): number {
  if (!counts || counts.isMuted) return 0;
  return Math.min(LIMITS.unread.most, counts.posts + counts.chat + counts.threads);
}

/** Returns a count as lists show it; empty for none. */
export function countText(count: number): string {
  if (count === 0) return "";
  return count >= LIMITS.unread.most ? `${LIMITS.unread.most - 1}+` : String(count);
}

import { followEvents } from "@/lib/client/events";
import type { Comment } from "@/lib/contract";
import { followComments } from "@/lib/contract/comments";

/** More comments than are written between two looks. */
const LATEST = 20;

/**
 * Calls with a post's latest comments, oldest first, once at the beginning and whenever somebody commented. While the page
 * is hidden, nothing is asked. @returns stop
 */
export function followThread(postId: string, onLatest: (comments: readonly Comment[]) => void): () => void {
  let known = -1;
  let isOver = false;
  let isReading = false;
  let isBehind = false;
  const read = async () => {
    isBehind = true;
    if (isReading) return;
    isReading = true;
    try {
      const { api, contract } = await import("@/components/api");
      while (isBehind && !isOver) {
        isBehind = false;
        const { comments } = await api.call(contract.comments.list, { postId, sort: "new", limit: LATEST });
        if (!isOver) onLatest(comments.toReversed());
      }
    } catch {
      // The next comment tells of this one, too.
    } finally {
      isReading = false;
    }
  };
  const stop = followEvents(
    followComments,
    { postId },
    {
      onEvent: (event) => {
        if (event.name !== "thread" || event.data.position <= known) return;
        known = event.data.position;
        void read();
      },
    },
  );
  return () => {
    isOver = true;
    stop();
  };
}

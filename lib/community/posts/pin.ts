import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { transact } from "@/lib/sql/transact";
import { logStaffAct } from "../moderation/log";
import { authorizeLockedPost } from "./load";

/** POST /api/posts/{postId}/pin: pins a post to the top of its topic, or unpins it. */
export const pinPost: Handler<typeof contract.posts.pin> = async (ctx, { postId }) => {
  const { caller, db } = ctx;
  return await transact(db, async (trx) => {
    const post = await authorizeLockedPost(trx, postId, caller, "pin");
    const isPinned = !post.is_pinned;
    await trx.updateTable("posts").set({ is_pinned: isPinned }).where("id", "=", postId).execute();
    await logStaffAct(trx, {
      topicId: post.topic_id,
      actorId: caller.userId,
      action: isPinned ? "post_pinned" : "post_unpinned",
      now: ctx.now(),
      subjectId: post.author_id,
      postId,
    });
    return { isPinned };
  });
};

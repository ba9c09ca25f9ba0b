import type { MemberContext } from "@/lib/context";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { assertAllowed } from "@/lib/policy/decision";
import { postAccess } from "@/lib/policy/post";
import { logStaffAct } from "../moderation/log";
import { viewerOf } from "../viewer";
import { lockPost } from "./load";

/** POST /api/posts/{postId}/pin: pins a post to the top of its topic, or takes it down. */
export async function pinPost(
  ctx: MemberContext,
  { postId }: HandlerInput<typeof contract.posts.pin>,
): Promise<ResponseBody<typeof contract.posts.pin>> {
  const { caller, db } = ctx;
  return await db.transaction().execute(async (trx) => {
    const post = await lockPost(trx, postId, caller.userId);
    assertAllowed(postAccess(post, viewerOf(caller, post)).pin);
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
}

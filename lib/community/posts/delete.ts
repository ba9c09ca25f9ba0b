import { sql } from "kysely";
import type { Trx } from "@/db/schema";
import type { MemberContext } from "@/lib/context";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { assertAllowed } from "@/lib/policy/decision";
import { postAccess } from "@/lib/policy/post";
import { logStaffAct } from "../moderation/log";
import { notify } from "../notifications/notify";
import { topicScoreLater } from "../topics/score";
import { markPicturesRemoved } from "../uploads/of-post";
import { removeUploads } from "../uploads/store";
import { viewerOf } from "../viewer";
import { write } from "../write";
import { type LockedPost, lockPost } from "./load";
import { removePoll } from "./poll";
import { replaceTags } from "./tags";
import { taggedPost } from "./update";

/**
 * DELETE /api/posts/{postId}: text, media, poll, tags and the pictures its author uploaded for it go; the row stays, and with it the page, its comments, votes
 * and reactions and their counts. Bookmarks go too: nobody could take them back.
 */
export async function deletePost(
  ctx: MemberContext,
  { postId }: HandlerInput<typeof contract.posts.delete>,
): Promise<ResponseBody<typeof contract.posts.delete>> {
  const { caller } = ctx;
  const now = ctx.now();
  const { topicId, pictures } = await write(ctx, async (trx, effects) => {
    const post = await lockPost(trx, postId, caller.userId);
    assertAllowed(postAccess(post, viewerOf(caller, post)).delete);
    // Its row comes before those of the pictures, as for a post that is being written with them.
    await trx
      .updateTable("topics")
      .set((eb) => ({ post_count: eb("post_count", "-", 1) }))
      .where("id", "=", post.topic_id)
      .execute();
    const gone = await markPicturesRemoved(trx, post, post.mine);
    await emptyPost(trx, post, caller.userId, now);
    if (!post.mine) {
      await logStaffAct(trx, {
        topicId: post.topic_id,
        actorId: caller.userId,
        action: "post_deleted",
        now,
        subjectId: post.author_id,
        postId,
      });
    }
    await replaceTags(trx, taggedPost(post), [], now);
    // One's own post is not told of: nobody is told what they did themselves.
    const act = { topicId: post.topic_id, actorId: caller.userId, now };
    await notify(trx, effects, act, [{ kind: "post_removed", to: [post.author_id], postId }]);
    return { topicId: post.topic_id, pictures: gone };
  });
  // Before it is answered: whoever deletes a picture relies on it.
  await removeUploads(ctx, pictures);
  topicScoreLater(ctx, topicId);
  return { id: postId, isDeleted: true, success: true };
}

async function emptyPost(trx: Trx, post: LockedPost, deletedBy: string, now: Date): Promise<void> {
  await trx
    .updateTable("posts")
    .set({
      title: "",
      content: "",
      summary: "",
      media: sql`'{"images": [], "videos": []}'::jsonb`,
      is_pinned: false,
      updated_at: now,
      deleted_at: now,
      deleted_by: deletedBy,
    })
    .where("id", "=", post.id)
    .execute();
  await trx.deleteFrom("post_search").where("post_id", "=", post.id).execute();
  await trx.deleteFrom("bookmarks").where("post_id", "=", post.id).execute();
  await trx.deleteFrom("mentions").where("post_id", "=", post.id).where("comment_id", "is", null).execute();
  await removePoll(trx, post.id);
}

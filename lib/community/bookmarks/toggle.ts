import type { MemberContext } from "@/lib/context";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { assertAllowed } from "@/lib/policy/decision";
import { postAccess } from "@/lib/policy/post";
import { lockPost } from "../posts/load";
import { viewerOf } from "../viewer";

/**
 * POST /api/posts/{postId}/bookmark: on, or off again. Holds the post's row, so that calls at once take turns and no
 * bookmark is set on a post that is being deleted.
 */
export async function toggleBookmark(
  { caller, db, now }: MemberContext,
  { postId }: HandlerInput<typeof contract.posts.bookmark>,
): Promise<ResponseBody<typeof contract.posts.bookmark>> {
  const { userId } = caller;
  return await db.transaction().execute(async (trx) => {
    const post = await lockPost(trx, postId, userId);
    assertAllowed(postAccess(post, viewerOf(caller, post)).bookmark);
    const gone = await trx
      .deleteFrom("bookmarks")
      .where("post_id", "=", postId)
      .where("user_id", "=", userId)
      .returning("post_id")
      .executeTakeFirst();
    if (gone) return { bookmarked: false };
    await trx
      .insertInto("bookmarks")
      .values({ post_id: postId, user_id: userId, created_at: now() })
      .execute();
    return { bookmarked: true };
  });
}

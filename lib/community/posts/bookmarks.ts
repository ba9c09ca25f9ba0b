import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { transact } from "@/lib/sql/transact";
import { authorizeLockedPost, authorizePost } from "./load";

/** GET /api/posts/{postId}/bookmark: whether the caller bookmarked the post. */
export const getBookmark: Handler<typeof contract.posts.getBookmark> = async ({ caller, db }, { postId }) => {
  const post = await authorizePost(db, postId, caller, "read");
  return { bookmarked: post.bookmarked };
};

/**
 * POST /api/posts/{postId}/bookmark: sets the bookmark or removes it. The lock on the post's row serializes concurrent
 * calls, and keeps bookmarks off a post that is being deleted.
 */
export const toggleBookmark: Handler<typeof contract.posts.bookmark> = async (
  { caller, db, now },
  { postId },
) => {
  const { userId } = caller;
  return await transact(db, async (trx) => {
    await authorizeLockedPost(trx, postId, caller, "bookmark");
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
};

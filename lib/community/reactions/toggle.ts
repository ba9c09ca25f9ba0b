import { sql } from "kysely";
import type { Trx } from "@/db/schema";
import type { MemberContext } from "@/lib/context";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { postAccess } from "@/lib/policy/post";
import { lockPost } from "../posts/load";
import { assertMayWrite } from "../topics/membership-rules";
import { viewerOf } from "../viewer";

/**
 * POST /api/posts/{postId}/reactions: gives one of the six, or takes it back. Reaction and count change in one
 * transaction that holds the post's row.
 */
export async function toggleReaction(
  { caller, db, now }: MemberContext,
  { postId, emoji }: HandlerInput<typeof contract.posts.react>,
): Promise<ResponseBody<typeof contract.posts.react>> {
  return await db.transaction().execute(async (trx) => {
    const post = await lockPost(trx, postId, caller.userId);
    await assertMayWrite(trx, postAccess(post, viewerOf(caller, post)).write, {
      topicId: post.topic_id,
      userId: caller.userId,
    });
    const reaction = { post_id: postId, user_id: caller.userId, emoji };
    const added = !(await takeBack(trx, reaction));
    if (added) {
      await trx
        .insertInto("reactions")
        .values({ ...reaction, created_at: now() })
        .execute();
    }
    await sql`insert into reaction_counts as c (post_id, emoji, count) values (${postId}, ${emoji}, 1)
      on conflict (post_id, emoji) do update set count = c.count + ${added ? 1 : -1}::int`.execute(trx);
    return { added };
  });
}

/** Whether there was such a reaction to take back. */
async function takeBack(
  trx: Trx,
  { post_id, user_id, emoji }: { post_id: string; user_id: string; emoji: string },
): Promise<boolean> {
  const gone = await trx
    .deleteFrom("reactions")
    .where("post_id", "=", post_id)
    .where("emoji", "=", emoji)
    .where("user_id", "=", user_id)
    .returning("emoji")
    .executeTakeFirst();
  return gone !== undefined;
}

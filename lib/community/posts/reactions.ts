import { sql } from "kysely";
import type { Trx } from "@/db/schema";
import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { transact } from "@/lib/sql/transact";
import { authorizeLockedPost, authorizePost } from "./load";
import { reactionsOf } from "./view";

/** GET /api/posts/{postId}/reactions: the reactions of the post, in the fixed order of the six. */
export const listReactions: Handler<typeof contract.posts.reactions> = async ({ caller, db }, { postId }) => {
  const post = await authorizePost(db, postId, caller, "read");
  return { reactions: reactionsOf(post) };
};

/**
 * POST /api/posts/{postId}/reactions: adds one of the six reactions, or removes it. Reaction and count change in one
 * transaction that holds the post's row.
 */
export const toggleReaction: Handler<typeof contract.posts.react> = async (
  { caller, db, now },
  { postId, emoji },
) => {
  return await transact(db, async (trx) => {
    await authorizeLockedPost(trx, postId, caller, "write");
    const reaction = { post_id: postId, user_id: caller.userId, emoji };
    const added = !(await removeReaction(trx, reaction));
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
};

/** @returns whether there was such a reaction */
async function removeReaction(
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

import { sql } from "kysely";
import type { Db, Trx } from "@/db/schema";
import type { Handler, MemberContext } from "@/lib/context";
import type { contract, ResponseBody } from "@/lib/contract";
import type { ThreadLevel } from "@/lib/contract/notification-kinds";
import { readerWith } from "@/lib/policy/decision";
import { topicAccess } from "@/lib/policy/topic";
import { transact } from "@/lib/sql/transact";
import { countThread, forgetThread, holdThread } from "../reading/mark";

/** Threads that the settings list. */
const MAX_THREADS = 500;

/**
 * PUT /api/posts/{postId}/notifications. Who watches or follows a thread has it counted from now on; who does neither
 * has no mark there.
 * @throws Refusal post_not_found, not_a_member
 */
export const setThreadNotifications: Handler<typeof contract.posts.setNotifications> = async (
  ctx,
  { postId, level },
) => {
  await transact(ctx.db, async (trx) => {
    // Alone, so that nobody marks the thread as read meanwhile.
    const post = await holdThread(trx, ctx, postId, "lock");
    await store(trx, ctx, post, level);
    if (level === "watch" || level === "follow") await countThread(trx, ctx, post);
    else await forgetThread(trx, ctx, postId);
  });
  return { level };
};

async function store(
  trx: Trx,
  { caller, now }: MemberContext,
  post: { readonly id: string; readonly topic_id: string },
  level: ThreadLevel,
): Promise<void> {
  if (level === "follow") {
    await trx
      .deleteFrom("thread_levels")
      .where("user_id", "=", caller.userId)
      .where("post_id", "=", post.id)
      .execute();
    return;
  }
  const row = { user_id: caller.userId, post_id: post.id, topic_id: post.topic_id, level, created_at: now() };
  await trx
    .insertInto("thread_levels")
    .values(row)
    .onConflict((conflict) => conflict.columns(["user_id", "post_id"]).doUpdateSet({ level }))
    .execute();
}

/** Returns the posts for which a user chose a level, as far as they may read them, latest first. */
export async function threadLevelsOf(
  db: Db,
  userId: string,
): Promise<ResponseBody<typeof contract.notifications.settings>["threads"]> {
  const rows = await db
    .selectFrom("thread_levels as l")
    .innerJoin("posts as p", "p.id", "l.post_id")
    .innerJoin("topics as t", "t.id", "p.topic_id")
    .innerJoin("memberships as m", (join) =>
      join.onRef("m.topic_id", "=", "t.id").onRef("m.user_id", "=", "l.user_id"),
    )
    .select(["p.id", "p.title", "l.level", "t.visibility", "m.role"])
    .where("l.user_id", "=", userId)
    .where(sql<boolean>`p.deleted_at is null and p.hidden_at is null`)
    .orderBy("l.created_at", "desc")
    .orderBy("p.id")
    .limit(MAX_THREADS)
    .execute();
  return rows
    .filter((row) => topicAccess(row, readerWith(row.role, "current")).readContent === "allowed")
    .map(({ id, title, level }) => ({ postId: id, title, level }));
}

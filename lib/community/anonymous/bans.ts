import type { Trx } from "@/db/schema";
import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { Refusal } from "@/lib/errors";
import { transact } from "@/lib/sql/transact";
import { logStaffAct } from "../moderation/log";
import { authorizePost } from "../posts/load";
import { authorizeTopic } from "../topics/load";
import { authorizeLockedTopic } from "../topics/membership";

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

const columns = ["id", "created_at", "ends_at", "post_id", "comment_id"] as const;

interface BanRow {
  readonly id: string;
  readonly created_at: Date;
  readonly ends_at: Date;
  readonly post_id: string | null;
  readonly comment_id: string | null;
}

function banView({ id, created_at, ends_at, post_id, comment_id }: BanRow) {
  const [createdAt, until] = [created_at.toISOString(), ends_at.toISOString()];
  return { id, createdAt, until, postId: post_id, commentId: comment_id };
}

/**
 * POST /api/posts/{postId}/anonymous/ban: from then on nobody can prove an act who cannot rule out that they wrote this.
 * @throws Refusal comment_not_found, not_anonymous, ban_list_full; otherwise what the policy decides
 */
export const banAuthor: Handler<typeof contract.anonymous.ban> = async (ctx, input) => {
  const { caller, db } = ctx;
  const { commentId = null, weeks, reason } = input;
  // Not "hide", which a deleted post refuses: nobody evades a ban by deleting what they wrote. The topic's staff alone may, below.
  const post = await authorizePost(db, input.postId, caller, "read");
  const now = ctx.now();
  const ban = await transact(db, async (trx) => {
    const { id: topicId } = await authorizeLockedTopic(trx, post.topic_id, caller, "moderate");
    const { week, tag } = await authorAt(trx, post.id, commentId);
    await trx
      .updateTable("anonymous_bans")
      .set({ ends_at: now })
      .where("topic_id", "=", topicId)
      .where("week", "=", week)
      .where("tag", "=", tag)
      .where("ends_at", ">", now)
      .execute();
    await assertRoom(trx, topicId, now);
    const ends_at = new Date(now.getTime() + weeks * WEEK_MS);
    const at = { post_id: post.id, comment_id: commentId };
    const row = await trx
      .insertInto("anonymous_bans")
      .values({ topic_id: topicId, week, tag, created_at: now, ends_at, ...at })
      .returning(columns)
      .executeTakeFirstOrThrow();
    await logStaffAct(trx, {
      ...{ topicId, actorId: caller.userId, action: "anonymous_banned", now, reason },
      ...{ postId: post.id, commentId },
      details: { until: ends_at.toISOString() },
    });
    return row;
  });
  return { ban: banView(ban) };
};

/** Returns by what the author of an anonymous text can be banned. @throws Refusal comment_not_found, not_anonymous */
async function authorAt(trx: Trx, postId: string, commentId: string | null) {
  const act = await trx
    .selectFrom("anonymous_acts")
    .select(["week", "tag"])
    .where("post_id", "=", postId)
    .where("comment_id", commentId === null ? "is" : "=", commentId)
    .executeTakeFirst();
  if (act) return act;
  const named = await trx
    .selectFrom("comments")
    .select("id")
    .where("id", "=", commentId)
    .where("post_id", "=", postId)
    .executeTakeFirst();
  throw new Refusal(commentId !== null && !named ? "comment_not_found" : "not_anonymous");
}

/** @throws Refusal ban_list_full */
async function assertRoom(trx: Trx, topicId: string, now: Date): Promise<void> {
  const running = await trx
    .selectFrom("anonymous_bans")
    .select("id")
    .where("topic_id", "=", topicId)
    .where("ends_at", ">", now)
    .limit(LIMITS.anonymous.bans)
    .execute();
  if (running.length >= LIMITS.anonymous.bans) throw new Refusal("ban_list_full");
}

/** GET /api/topics/{topicId}/anonymous/bans, those that end first. */
export const listBans: Handler<typeof contract.anonymous.bans> = async (ctx, { topicId }) => {
  const topic = await authorizeTopic(ctx.db, topicId, ctx.caller, "moderate");
  const rows = await ctx.db
    .selectFrom("anonymous_bans")
    .select(columns)
    .where("topic_id", "=", topic.id)
    .where("ends_at", ">", ctx.now())
    .orderBy("ends_at")
    .orderBy("id")
    .execute();
  return { bans: rows.map(banView) };
};

/** DELETE /api/topics/{topicId}/anonymous/bans/{banId} @throws Refusal ban_not_found */
export const liftBan: Handler<typeof contract.anonymous.lift> = async (ctx, { topicId, banId }) => {
  const { caller, db } = ctx;
  const now = ctx.now();
  await transact(db, async (trx) => {
    const topic = await authorizeLockedTopic(trx, topicId, caller, "moderate");
    const lifted = await trx
      .updateTable("anonymous_bans")
      .set({ ends_at: now })
      .where("id", "=", banId)
      .where("topic_id", "=", topic.id)
      .where("ends_at", ">", now)
      .returning(["post_id", "comment_id"])
      .executeTakeFirst();
    if (!lifted) throw new Refusal("ban_not_found");
    await logStaffAct(trx, {
      ...{ topicId: topic.id, actorId: caller.userId, action: "anonymous_unbanned", now },
      ...{ postId: lifted.post_id, commentId: lifted.comment_id },
    });
  });
  return { success: true };
};

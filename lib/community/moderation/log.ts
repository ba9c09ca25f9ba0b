import { sql } from "kysely";
import { z } from "zod";
import type { Trx } from "@/db/schema";
import type { ModerationLogTable } from "@/db/schema/moderation";
import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import type { LogAction } from "@/lib/contract/moderation";
import { Refusal } from "@/lib/errors";
import { cutPage, decodeParts, encodeParts, keySchemas } from "../paging";
import { authorizeTopic } from "../topics/load";
import { entryHash, type HashedEntry } from "./chain";

/** One action of a topic's staff. */
export interface StaffAct {
  readonly topicId: string;
  /** Null for what happened by itself. */
  readonly actorId: string | null;
  readonly action: LogAction;
  readonly now: Date;
  /** The user it concerns. */
  readonly subjectId?: string | null;
  readonly postId?: string | null;
  readonly commentId?: string | null;
  readonly reason?: string | null;
  /** Further facts; never what was deleted or hidden. */
  readonly details?: Readonly<Record<string, string>>;
}

/**
 * Logs an action of the staff, in the transaction of the action. It locks the topic's row, so that the entries of one
 * topic queue there and have no gaps. Call it after posts were locked (lock order: posts, topics, tags).
 * @throws Refusal topic_not_found
 */
export async function logStaffAct(trx: Trx, act: StaffAct): Promise<void> {
  const head = await trx
    .updateTable("topics")
    .set((eb) => ({ log_seq: eb("log_seq", "+", 1) }))
    .where("id", "=", act.topicId)
    .returning(["log_seq", "log_hash"])
    .executeTakeFirst();
  if (!head) throw new Refusal("topic_not_found");
  const entry: HashedEntry = {
    topicId: act.topicId,
    seq: head.log_seq,
    at: act.now,
    action: act.action,
    actorId: act.actorId,
    subjectId: act.subjectId ?? null,
    postId: act.postId ?? null,
    commentId: act.commentId ?? null,
    reason: act.reason ?? null,
    details: act.details ?? {},
    previousHash: head.log_hash,
  };
  const hash = entryHash(entry);
  await trx
    .insertInto("moderation_log")
    .values({
      topic_id: entry.topicId,
      seq: entry.seq,
      at: entry.at,
      action: entry.action,
      actor_id: entry.actorId,
      subject_id: entry.subjectId,
      post_id: entry.postId,
      comment_id: entry.commentId,
      reason: entry.reason,
      details: sql`${JSON.stringify(entry.details)}::jsonb`,
      previous_hash: entry.previousHash,
      hash,
    })
    .execute();
  await trx.updateTable("topics").set({ log_hash: hash }).where("id", "=", act.topicId).execute();
}

/** Locks what `logStaffAct` locks, for a transaction that may log after it locked what comes later in the lock order. */
export async function lockLog(trx: Trx, topicId: string): Promise<void> {
  await trx.selectFrom("topics").select("id").where("id", "=", topicId).forNoKeyUpdate().execute();
}

const CURSOR = z.tuple([z.literal("log"), keySchemas.int]);

interface LogRow extends Omit<ModerationLogTable, "details"> {
  readonly details: Readonly<Record<string, string>>;
  readonly actor_nickname: string | null;
  readonly subject_nickname: string | null;
}

/**
 * GET /api/topics/{topicId}/log: what the staff did, latest first, for every member. Nicknames are the current ones;
 * the hash covers user ids.
 * @throws Refusal topic_not_found, not_a_member
 */
export const readLog: Handler<typeof contract.moderation.log> = async (ctx, input) => {
  const { caller, db } = ctx;
  const topic = await authorizeTopic(db, input.topicId, caller, "inside");
  const cursor = decodeParts(input.cursor, CURSOR);
  const { rows } = await sql<LogRow>`
    select l.*, actor.nickname as actor_nickname, subject.nickname as subject_nickname
    from moderation_log l
    left join users actor on actor.id = l.actor_id
    left join users subject on subject.id = l.subject_id
    where l.topic_id = ${topic.id} ${cursor ? sql`and l.seq < ${cursor[1]}` : sql``}
    order by l.seq desc limit ${input.limit + 1}`.execute(db);
  const page = cutPage(rows, input, ({ seq }) => encodeParts(["log", seq]));
  return {
    entries: page.rows.map((row) => ({
      seq: row.seq,
      at: row.at.toISOString(),
      action: row.action,
      actorId: row.actor_id,
      actorNickname: row.actor_nickname,
      subjectId: row.subject_id,
      subjectNickname: row.subject_nickname,
      postId: row.post_id,
      commentId: row.comment_id,
      reason: row.reason,
      details: { ...row.details },
      previousHash: row.previous_hash,
      hash: row.hash,
    })),
    nextCursor: page.nextCursor,
  };
};

import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Trx } from "@/db/schema";
import type { LogAction } from "@/lib/contract/moderation";
import { Refusal } from "@/lib/errors";

/** One act of a topic's staff. */
export interface StaffAct {
  readonly topicId: string;
  readonly actorId: string;
  readonly action: LogAction;
  readonly now: Date;
  /** Whom it concerns. */
  readonly subjectId?: string | null;
  readonly postId?: string | null;
  readonly commentId?: string | null;
  readonly reason?: string | null;
  /** Further facts; never what was deleted or hidden. */
  readonly details?: Readonly<Record<string, string>>;
}

/** An entry as its hash covers it. */
export interface HashedEntry extends Required<Omit<StaffAct, "now">> {
  readonly seq: number;
  readonly at: Date;
  readonly previousHash: string;
}

/**
 * Writes an act of the staff into the topic's log, in the transaction of the act itself. Takes the topic's row, so
 * entries of one topic queue there and have no gaps; call it after rows of posts were taken (order of locks: posts,
 * topics, tags).
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

/**
 * SHA-256 in hex over the JSON list [topicId, seq, at (ISO 8601, ms, UTC), action, actorId, subjectId, postId,
 * commentId, reason, details as a list of [name, value] ordered by name, previousHash], without spaces. Anybody who
 * has the entries can compute it; an entry changed or taken out later breaks every hash after it.
 */
export function entryHash(entry: HashedEntry): string {
  const details = Object.entries(entry.details).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const covered = [
    entry.topicId,
    entry.seq,
    entry.at.toISOString(),
    entry.action,
    entry.actorId,
    entry.subjectId,
    entry.postId,
    entry.commentId,
    entry.reason,
    details,
    entry.previousHash,
  ];
  return createHash("sha256").update(JSON.stringify(covered)).digest("hex");
}

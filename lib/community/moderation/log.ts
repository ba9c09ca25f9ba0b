import { createHash } from "node:crypto";
import { sql } from "kysely";
import { z } from "zod";
import type { Trx } from "@/db/schema";
import type { ModerationLogTable } from "@/db/schema/moderation";
import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import type { LogAction, LogEntry } from "@/lib/contract/moderation";
import { Refusal } from "@/lib/errors";
import { cutPage, decodeParts, encodeParts, keySchemas } from "../paging";
import { authorizeTopic } from "../topics/load";

/** One action of a topic's staff. */
export interface StaffAct {
  readonly topicId: string;
  readonly actorId: string;
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

/** The parts of an entry that its hash covers. */
export interface HashedEntry extends Required<Omit<StaffAct, "now">> {
  readonly seq: number;
  readonly at: Date;
  readonly previousHash: string;
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

/**
 * Returns the SHA-256 in hex of the JSON list [topicId, seq, at (ISO 8601, ms, UTC), action, actorId, subjectId,
 * postId, commentId, reason, details as a list of [name, value] ordered by name, previousHash], without spaces. Anyone
 * with the entries can compute it. Changing or removing an entry later breaks every hash after it.
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

const CURSOR = z.tuple([z.literal("log"), keySchemas.int]);

interface LogRow extends Omit<ModerationLogTable, "details"> {
  readonly details: Readonly<Record<string, string>>;
  readonly actor_nickname: string;
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
    join users actor on actor.id = l.actor_id
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

/** A fault of a log: the sequence number where it shows, and what is wrong there. */
export interface LogFault {
  readonly seq: number;
  readonly problem: "missing or out of order" | "not chained to the previous entry" | "changed";
}

/** The last entry of an earlier reading, kept outside the log. */
export type RememberedHead = Pick<LogEntry, "seq" | "hash">;

const NO_ENTRY_HASH = "0".repeat(64);

/**
 * Verifies a topic's log: numbers from 1 without gaps, each entry chained to the previous one, each hash equal to that
 * of its entry. This detects every change, removal, move and insertion, except that the newest entries may be missing
 * or the whole log rewritten. A remembered entry of an earlier reading detects those too.
 *
 * @param entries all entries of GET /api/topics/{topicId}/log, oldest first
 * @returns the first fault, or null if the log is intact
 */
export function verifyLog(
  topicId: string,
  entries: readonly LogEntry[],
  remembered?: RememberedHead,
): LogFault | null {
  let previousHash = NO_ENTRY_HASH;
  for (const [index, entry] of entries.entries()) {
    const seq = index + 1;
    if (entry.seq !== seq) return { seq, problem: "missing or out of order" };
    if (entry.previousHash !== previousHash) return { seq, problem: "not chained to the previous entry" };
    if (entryHash({ ...entry, topicId, at: new Date(entry.at) }) !== entry.hash) {
      return { seq, problem: "changed" };
    }
    if (remembered?.seq === seq && remembered.hash !== entry.hash) return { seq, problem: "changed" };
    previousHash = entry.hash;
  }
  const isShort = remembered !== undefined && remembered.seq > entries.length;
  return isShort ? { seq: entries.length + 1, problem: "missing or out of order" } : null;
}

import { sql } from "kysely";
import { z } from "zod";
import type { ModerationLogTable } from "@/db/schema/moderation";
import type { MemberContext } from "@/lib/context";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { assertAllowed } from "@/lib/policy/decision";
import { topicAccess } from "@/lib/policy/topic";
import { decodeParts, encodeParts, keySchemas } from "../paging";
import { loadTopic } from "../topics/load";
import { viewerOf } from "../viewer";

const cursorSchema = z.tuple([z.literal("log"), keySchemas.int]);

interface LogRow extends Omit<ModerationLogTable, "details"> {
  readonly details: Readonly<Record<string, string>>;
  readonly actor_nickname: string;
  readonly subject_nickname: string | null;
}

/**
 * GET /api/topics/{topicId}/log: what the staff did, latest first, for every member. People are named by their
 * current nickname; the hash covers their ids.
 * @throws Refusal topic_not_found, not_a_member
 */
export async function readLog(
  ctx: MemberContext,
  input: HandlerInput<typeof contract.moderation.log>,
): Promise<ResponseBody<typeof contract.moderation.log>> {
  const { caller, db } = ctx;
  const { limit } = input;
  const topic = await loadTopic(db, input.topicId, caller.userId);
  assertAllowed(topicAccess(topic, viewerOf(caller, topic)).inside);
  const cursor = decodeParts(input.cursor, cursorSchema);
  const { rows } = await sql<LogRow>`
    select l.*, actor.nickname as actor_nickname, subject.nickname as subject_nickname
    from moderation_log l
    join users actor on actor.id = l.actor_id
    left join users subject on subject.id = l.subject_id
    where l.topic_id = ${topic.id} ${cursor ? sql`and l.seq < ${cursor[1]}` : sql``}
    order by l.seq desc limit ${limit + 1}`.execute(db);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  const end = last && encodeParts(["log", last.seq]);
  return {
    entries: page.map((row) => ({
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
    nextCursor: (limit === 0 ? input.cursor : end) ?? null,
  };
}

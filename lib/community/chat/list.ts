import type { Db } from "@/db/schema";
import type { MemberContext } from "@/lib/context";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { assertAllowed } from "@/lib/policy/decision";
import { topicAccess } from "@/lib/policy/topic";
import { loadTopic } from "../topics/load";
import { viewerOf } from "../viewer";
import { messageView, selectEntries } from "./entries";

type Input = HandlerInput<typeof contract.chat.list>;

/**
 * GET /api/topics/{topicId}/chat: the latest, newest first; after `since`, oldest first; older than the message
 * `before`, newest first. Authors are shown as they are now.
 * @throws Refusal topic_not_found, message_not_found
 */
export async function listMessages(
  { caller, db }: MemberContext,
  { topicId, limit, since, before }: Input,
): Promise<ResponseBody<typeof contract.chat.list>> {
  const topic = await loadTopic(db, topicId, caller.userId);
  assertAllowed(topicAccess(topic, viewerOf(caller, topic)).readChat);
  let query = selectEntries(db).where("m.topic_id", "=", topicId).limit(limit);
  if (since !== undefined) {
    query = query.where("m.created_at", ">", new Date(since)).orderBy("m.created_at", "asc");
  } else {
    // Times follow positions: this is the order of time.
    query = query.orderBy("m.position", "desc");
    if (before !== undefined) query = query.where("m.position", "<", await positionOf(db, topicId, before));
  }
  const [rows, total] = await Promise.all([query.execute(), countMessages(db, topicId)]);
  return { messages: rows.map(messageView), total };
}

/** @throws Refusal message_not_found unless it is a message of this topic */
async function positionOf(db: Db, topicId: string, id: string): Promise<number> {
  const position = await findPosition(db, topicId, id);
  if (position === null) throw new Refusal("message_not_found", { field: "before" });
  return position;
}

/** Where an entry stands in its topic's chat; null when it is not one of this topic. */
export async function findPosition(db: Db, topicId: string, id: string): Promise<number | null> {
  const row = await db
    .selectFrom("chat_messages")
    .select("position")
    .where("id", "=", id)
    .where("topic_id", "=", topicId)
    .executeTakeFirst();
  return row?.position ?? null;
}

async function countMessages(db: Db, topicId: string): Promise<number> {
  const room = await db
    .selectFrom("chat_rooms")
    .select("message_count")
    .where("topic_id", "=", topicId)
    .executeTakeFirst();
  return room?.message_count ?? 0;
}

import type { Db } from "@/db/schema";
import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { authorizeTopic } from "../topics/load";
import { messageView, selectEntries } from "./entries";

/**
 * GET /api/topics/{topicId}/chat: the latest messages or those older than `before`, newest first; with `since`, later
 * messages, oldest first. Authors are shown as they are now.
 * @throws Refusal topic_not_found, message_not_found
 */
export const listMessages: Handler<typeof contract.chat.list> = async (
  { caller, db },
  { topicId, limit, since, before },
) => {
  await authorizeTopic(db, topicId, caller, "readChat");
  let query = selectEntries(db).where("m.topic_id", "=", topicId).limit(limit);
  if (since !== undefined) {
    query = query.where("m.created_at", ">", new Date(since)).orderBy("m.created_at", "asc");
  } else {
    // Positions are in the order of time.
    query = query.orderBy("m.position", "desc");
    if (before !== undefined) query = query.where("m.position", "<", await positionOf(db, topicId, before));
  }
  const [rows, total] = await Promise.all([query.execute(), countMessages(db, topicId)]);
  return { messages: rows.map(messageView), total };
};

/** @throws Refusal message_not_found unless the message is in this topic */
async function positionOf(db: Db, topicId: string, id: string): Promise<number> {
  const position = await findPosition(db, topicId, id);
  if (position === null) throw new Refusal("message_not_found", { field: "before" });
  return position;
}

/** Returns the position of an entry in its topic's chat; null if it is not in this topic. */
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

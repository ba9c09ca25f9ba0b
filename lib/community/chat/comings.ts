import type { Db } from "@/db/schema";

const keptMs = 24 * 60 * 60 * 1000;

/** Removes joins and leaves older than a day from chats. Their positions stay free, and nothing counts them. */
export async function forgetComings(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom("chat_messages")
    .where("type", "!=", "message")
    .where("created_at", "<", new Date(now.getTime() - keptMs))
    .execute();
}

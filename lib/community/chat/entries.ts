import { sql } from "kysely";
import type { Db, Trx } from "@/db/schema";
import type { ChatMessage } from "@/lib/contract/chat";
import { claimUploadsIn } from "../uploads/used";

const JOIN_LIFE_MS = 24 * 60 * 60 * 1000;

export interface NewEntry {
  readonly userId: string;
  readonly type: ChatMessage["type"];
  readonly text: string;
}

/** An entry that was written. */
export interface WrittenEntry {
  readonly id: string;
  readonly position: number;
  readonly createdAt: Date;
}

/**
 * Keeps topics from being deleted and locks their chat rooms, which it creates where there are none. Topics come before
 * rooms, as in the deletion of a topic, and in the order of their ids.
 * @returns the topics that exist
 */
export async function lockRooms(trx: Trx, topicIds: readonly string[], now: Date): Promise<string[]> {
  const held = await trx
    .selectFrom("topics")
    .select("id")
    .where("id", "in", [...topicIds])
    .orderBy("id")
    .forKeyShare()
    .execute();
  const ids = held.map(({ id }) => id);
  if (ids.length === 0) return [];
  await trx
    .insertInto("chat_rooms")
    .values(ids.map((id) => ({ topic_id: id, last_at: now })))
    .onConflict((conflict) =>
      conflict
        .column("topic_id")
        .doUpdateSet((eb) => ({ last_position: eb.ref("chat_rooms.last_position") })),
    )
    .execute();
  return ids;
}

/**
 * Adds entries to a topic's chat, in a transaction that holds the topic. The room's row numbers them and makes each at
 * least a millisecond later than the previous one, so that time and position have the same order.
 * @returns them in their order
 */
export async function addEntries(
  trx: Trx,
  topicId: string,
  entries: readonly NewEntry[],
  now: Date,
): Promise<WrittenEntry[]> {
  const count = entries.length;
  const messages = entries.filter(({ type }) => type === "message").length;
  const { rows } = await sql<{ position: number; at: Date }>`
    insert into chat_rooms as r (topic_id, last_position, message_count, last_at)
    values (${topicId}, ${count}, ${messages}, ${now}::timestamptz + ${milliseconds(count - 1)})
    on conflict (topic_id) do update set
      last_position = r.last_position + ${count},
      message_count = r.message_count + ${messages},
      last_at = greatest(${now}::timestamptz, r.last_at + ${milliseconds(1)}) + ${milliseconds(count - 1)}
    returning last_position as position, last_at as at`.execute(trx);
  const [last] = rows;
  if (!last) throw new Error("the chat room was not written");
  for (const { type, text } of entries) if (type === "message") await claimUploadsIn(trx, text);
  const written = await trx
    .insertInto("chat_messages")
    .values(
      entries.map(({ userId, type, text }, index) => {
        const before = count - 1 - index;
        return {
          topic_id: topicId,
          position: last.position - before,
          user_id: userId,
          type,
          message: text,
          created_at: new Date(last.at.getTime() - before),
        };
      }),
    )
    .returning(["id", "position", "created_at"])
    .execute();
  return written
    .map(({ id, position, created_at }) => ({ id, position, createdAt: created_at }))
    .toSorted((a, b) => a.position - b.position);
}

function milliseconds(count: number) {
  return sql`make_interval(secs => ${count / 1000}::float8)`;
}

/** Selects entries `m` with the current name and image of their author. */
export function selectEntries(db: Db | Trx) {
  return db
    .selectFrom("chat_messages as m")
    .innerJoin("users as u", "u.id", "m.user_id")
    .select([
      "m.id",
      "m.topic_id",
      "m.position",
      "m.user_id",
      "m.type",
      "m.message",
      "m.created_at",
      "u.nickname",
      "u.profile_image",
    ]);
}

type EntryRow = Awaited<ReturnType<ReturnType<typeof selectEntries>["execute"]>>[number];

/** Returns an entry as the API shows it. */
export function messageView(row: EntryRow): ChatMessage {
  return {
    id: row.id,
    topicId: row.topic_id,
    userId: row.user_id,
    nickname: row.nickname,
    profileImage: row.profile_image,
    message: row.message,
    type: row.type,
    createdAt: row.created_at.toISOString(),
  };
}

/** Deletes joins and leaves older than a day. Their positions are not used again, and nothing counts them. */
export async function deleteOldJoins(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom("chat_messages")
    .where("type", "!=", "message")
    .where("created_at", "<", new Date(now.getTime() - JOIN_LIFE_MS))
    .execute();
}

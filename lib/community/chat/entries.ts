import { sql } from "kysely";
import type { Db, Trx } from "@/db/schema";
import type { ChatMessage } from "@/lib/contract/chat";
import { compiledQuery, type PlaceOf } from "@/lib/sql/compiled";
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
  const written = await addedEntries(trx, {
    topicId,
    now,
    count: entries.length,
    messages: entries.filter(({ type }) => type === "message").length,
    userIds: entries.map(({ userId }) => userId),
    types: entries.map(({ type }) => type),
    texts: entries.map(({ text }) => text),
  });
  for (const { type, text } of entries) if (type === "message") await claimUploadsIn(trx, text);
  return written.toSorted((a, b) => a.position - b.position);
}

interface Added {
  readonly topicId: string;
  readonly now: Date;
  /** Of the entries, and of those that are messages. */
  readonly count: number;
  readonly messages: number;
  readonly userIds: readonly string[];
  readonly types: readonly NewEntry["type"][];
  readonly texts: readonly string[];
}

/** Counts the entries in their room and writes them, in one statement whose text is the same for any number of them. */
const addedEntries = compiledQuery((db: Db, value: PlaceOf<Added>) => {
  const count = sql`${value("count")}::int`;
  const spread = sql`make_interval(secs => (${count} - 1) / 1000::float8)`;
  const now = sql`${value("now")}::timestamptz`;
  return sql<WrittenEntry>`
    with room as (
      insert into chat_rooms as r (topic_id, last_position, message_count, last_at)
      values (${value("topicId")}, ${count}, ${value("messages")}::int, ${now} + ${spread})
      on conflict (topic_id) do update set
        last_position = r.last_position + excluded.last_position,
        message_count = r.message_count + excluded.message_count,
        last_at = greatest(${now}, r.last_at + interval '1 millisecond') + ${spread}
      returning topic_id, last_position - ${count} as before, last_at - ${spread} as first_at
    )
    insert into chat_messages (topic_id, position, user_id, type, message, created_at)
    select room.topic_id, room.before + entry.n, entry.user_id, entry.type, entry.text,
      room.first_at + make_interval(secs => (entry.n - 1) / 1000::float8)
    from room cross join unnest(${value("userIds")}::text[], ${value("types")}::text[], ${value("texts")}::text[])
      with ordinality as entry (user_id, type, text, n)
    returning id, position, created_at as "createdAt"`.compile(db);
});

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

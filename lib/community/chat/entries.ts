import { randomUUID } from "node:crypto";
import { type Expression, sql } from "kysely";
import type { Db, Trx } from "@/db/schema";
import type { Role } from "@/lib/contract";
import type { ChatMessage } from "@/lib/contract/chat";
import { reactionEmojis } from "@/lib/contract/posts";
import { readsMessage } from "@/lib/policy/chat";
import { compiledQuery, type PlaceOf } from "@/lib/sql/compiled";
import { domainsShownBy } from "../profile/badges";
import { claimUploadsIn } from "../uploads/used";

const JOIN_LIFE_MS = 24 * 60 * 60 * 1000;

export interface NewEntry {
  readonly userId: string;
  readonly type: ChatMessage["type"];
  readonly text: string;
  /** The message it answers. */
  readonly replyToId?: string | null;
  /** A new one by default. */
  readonly id?: string;
  /** Whether it waits for review. */
  readonly isHeld?: boolean;
  /** Whether a token for automation wrote it. */
  readonly automated?: boolean;
}

/** An entry that was written. */
export interface WrittenEntry {
  readonly id: string;
  readonly position: number;
  readonly createdAt: Date;
  /** The domains that its author shows beside it. */
  readonly domains: readonly string[];
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

/** Locks a chat room, if there is one, so that its messages do not change. Call it after locking or holding the topic. */
export async function lockRoom(trx: Trx, topicId: string): Promise<void> {
  await trx
    .selectFrom("chat_rooms")
    .select("topic_id")
    .where("topic_id", "=", topicId)
    .forNoKeyUpdate()
    .execute();
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
    replies: entries.map(({ replyToId }) => replyToId ?? ""),
    ids: entries.map(({ id }) => id ?? randomUUID()),
    held: entries.map(({ isHeld }) => isHeld === true),
    automated: entries.map(({ automated }) => automated === true),
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
  /** Ids of the messages they answer; empty for none. */
  readonly replies: readonly string[];
  readonly ids: readonly string[];
  readonly held: readonly boolean[];
  readonly automated: readonly boolean[];
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
    ), m as (
    insert into chat_messages (id, topic_id, position, user_id, type, message, created_at, reply_to_id, hidden_at,
      automated)
    select entry.id, room.topic_id, room.before + entry.n, entry.user_id, entry.type, entry.text,
      room.first_at + make_interval(secs => (entry.n - 1) / 1000::float8), nullif(entry.reply, '')::uuid,
      case when entry.held then ${now} end, entry.automated
    from room cross join unnest(${value("userIds")}::text[], ${value("types")}::text[], ${value("texts")}::text[],
      ${value("replies")}::text[], ${value("ids")}::uuid[], ${value("held")}::boolean[],
      ${value("automated")}::boolean[]) with ordinality as entry (user_id, type, text, reply, id, held, automated, n)
    returning id, topic_id, user_id, position, created_at
    ) select id, position, created_at as "createdAt", ${authorDomains} as domains from m`.compile(db);
});

/** SQL: the domains that the author of entry `m` shows beside it. */
const authorDomains = domainsShownBy("m.user_id", {
  topicId: sql.ref("m.topic_id"),
  writtenAt: sql.ref("m.created_at"),
});

/** Characters that a reply shows of the message it answers. */
const EXCERPT_LENGTH = 140;

/** A message as its replies show it. */
export interface Quoted {
  readonly id: string;
  readonly userId: string;
  readonly nickname: string;
  /** The beginning of its text. */
  readonly text: string;
  readonly deleted: boolean;
  readonly hidden: boolean;
}

/** SQL: a message, as `Quoted`. @param id SQL for its id, such as `m.reply_to_id` */
export function quoted(id: Expression<unknown>) {
  return sql<Quoted | null>`(select json_build_object('id', q.id, 'userId', q.user_id, 'nickname', qu.nickname,
      'text', left(q.message, ${EXCERPT_LENGTH}), 'deleted', q.deleted_at is not null,
      'hidden', q.hidden_at is not null)
    from chat_messages q join users qu on qu.id = q.user_id where q.id = ${id} and q.type = 'message')`;
}

/**
 * Selects entries `m` with the current name and image of their author, and what they answer.
 * @param callerId SQL for the reader whose reactions to include; without it, for everybody
 */
export function selectEntries(db: Db | Trx, callerId?: Expression<string>) {
  const reacted = callerId
    ? sql<string[] | null>`case when m.reactions <> '{}'::jsonb then (select json_agg(r.emoji)
        from chat_reactions r where r.message_id = m.id and r.user_id = ${callerId}::text) end`
    : sql<string[] | null>`null`;
  return db
    .selectFrom("chat_messages as m")
    .innerJoin("users as u", "u.id", "m.user_id")
    .select(["m.id", "m.topic_id", "m.position", "m.user_id", "m.type", "m.message", "m.created_at"])
    .select([
      "m.edited_at",
      "m.deleted_at",
      "m.deleted_by",
      "m.hidden_at",
      "m.hidden_by",
      "m.changed_position",
    ])
    .select(["m.automated", "m.reactions", "u.nickname", "u.profile_image"])
    .select(quoted(sql`m.reply_to_id`).as("reply"))
    .select(authorDomains.as("author_domains"))
    .select(reacted.as("reacted"));
}

export type EntryRow = Awaited<ReturnType<ReturnType<typeof selectEntries>["execute"]>>[number];

/** Who reads entries: a user with their role in the topic, null for someone who is not a member. */
export interface EntryReader {
  readonly userId: string;
  readonly role: Role | null;
}

/** Returns an entry as the API shows it. @param reader null for what everybody in the topic may see */
export function messageView(row: EntryRow, reader: EntryReader | null): ChatMessage {
  const state = { userId: row.user_id, deleted: row.deleted_at !== null, hidden: row.hidden_at !== null };
  const isShown = reads(state, reader);
  return {
    id: row.id,
    topicId: row.topic_id,
    userId: row.user_id,
    nickname: row.nickname,
    profileImage: row.profile_image,
    authorDomains: [...row.author_domains],
    automated: row.automated,
    message: isShown ? row.message : "",
    type: row.type,
    createdAt: row.created_at.toISOString(),
    replyTo: isShown && row.reply ? quoteView(row.reply, reader) : null,
    editedAt: row.edited_at?.toISOString() ?? null,
    isDeleted: state.deleted,
    deletedBy: row.deleted_by,
    isHidden: state.hidden,
    reactions: isShown ? reactionsOf(row, reader) : [],
    revision: row.changed_position ?? row.position,
  };
}

function reads(
  { userId, deleted, hidden }: Pick<Quoted, "userId" | "deleted" | "hidden">,
  reader: EntryReader | null,
): boolean {
  return readsMessage({ deleted, hidden, mine: userId === reader?.userId }, { role: reader?.role ?? null });
}

function quoteView(quote: Quoted, reader: EntryReader | null): ChatMessage["replyTo"] {
  const { id, userId, nickname, text } = quote;
  return { id, userId, nickname, excerpt: reads(quote, reader) ? text : "" };
}

/** Returns the reactions of an entry, in the fixed order of the six. */
function reactionsOf({ reactions, reacted }: EntryRow, reader: EntryReader | null): ChatMessage["reactions"] {
  return reactionEmojis.flatMap((emoji) => {
    const count = reactions[emoji] ?? 0;
    if (count === 0) return [];
    return reader ? { emoji, count, userReacted: reacted?.includes(emoji) === true } : { emoji, count };
  });
}

/** Deletes joins and leaves older than a day. Their positions are not used again, and nothing counts them. */
export async function deleteOldJoins(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom("chat_messages")
    .where("type", "!=", "message")
    .where("created_at", "<", new Date(now.getTime() - JOIN_LIFE_MS))
    .execute();
}

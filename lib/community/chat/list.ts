import { sql } from "kysely";
import type { Db } from "@/db/schema";
import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { ABILITIES } from "@/lib/contract/abilities";
import { Refusal } from "@/lib/errors";
import { isFolded } from "@/lib/policy/block";
import { messageAccess } from "@/lib/policy/chat";
import { allowedOf, type Viewer } from "@/lib/policy/decision";
import { compiledQuery, type PlaceOf } from "@/lib/sql/compiled";
import { authorizeTopic, type TopicRow } from "../topics/load";
import { viewerOf } from "../viewer";
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
  const topic = await authorizeTopic(db, topicId, caller, "readChat");
  const page = { topicId, limit, callerId: caller.userId };
  const position = before === undefined ? null : await positionOf(db, topicId, before);
  const [rows, total] = await Promise.all([
    since === undefined
      ? earlierEntries(db, { ...page, before: position ?? 0 }, position !== null)
      : laterEntries(db, { ...page, since: new Date(since) }),
    countMessages(db, topicId),
  ]);
  const reader = { userId: caller.userId, role: topic.role };
  return {
    messages: rows.map((row) => ({
      ...messageView(row, reader),
      isFolded: isFolded({ blocked: row.blocked, deleted: false }, topic.role),
    })),
    total,
    abilities: abilitiesIn(topic, viewerOf(caller, topic)),
  };
};

/** Returns what a member may do with the messages of a topic whose text they get. */
function abilitiesIn({ visibility }: Pick<TopicRow, "visibility">, viewer: Viewer) {
  const shown = { visibility, deleted: false, hidden: false };
  const of = (mine: boolean) => allowedOf(ABILITIES.message, messageAccess({ ...shown, mine }, viewer));
  return { own: of(true), others: of(false) };
}

interface Page {
  readonly topicId: string;
  readonly limit: number;
  readonly callerId: string;
}

/** SQL: whether the caller blocked the author of entry `m`. */
function authorBlocked(value: PlaceOf<Page>) {
  return sql<boolean>`exists (select from blocks k
    where k.user_id = ${value("callerId")} and k.blocked_id = m.user_id)`;
}

/** The entries after a time, oldest first. */
const laterEntries = compiledQuery((db: Db, value: PlaceOf<Page & { readonly since: Date }>) =>
  selectEntries(db, value("callerId"))
    .select(authorBlocked(value).as("blocked"))
    .where("m.topic_id", "=", value("topicId"))
    .where("m.created_at", ">", value("since"))
    .orderBy("m.created_at", "asc")
    .limit(value("limit"))
    .compile(),
);

/** The latest entries, or the latest before a position, newest first. Positions are in the order of time. */
const earlierEntries = compiledQuery(
  (db: Db, value: PlaceOf<Page & { readonly before: number }>, isBounded: boolean) =>
    selectEntries(db, value("callerId"))
      .select(authorBlocked(value).as("blocked"))
      .where("m.topic_id", "=", value("topicId"))
      .$if(isBounded, (query) => query.where("m.position", "<", value("before")))
      .orderBy("m.position", "desc")
      .limit(value("limit"))
      .compile(),
);

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
  const [room] = await roomCount(db, { topicId });
  return room?.message_count ?? 0;
}

const roomCount = compiledQuery((db: Db, value: PlaceOf<{ topicId: string }>) =>
  db.selectFrom("chat_rooms").select("message_count").where("topic_id", "=", value("topicId")).compile(),
);

import { sql } from "kysely";
import type { Db } from "@/db/schema";
import type { MemberContext } from "@/lib/context";
import type { contract, EventStream, HandlerInput } from "@/lib/contract";
import { eventFrame, type Feed, type Look } from "@/lib/live";
import { readerWith } from "@/lib/policy/decision";
import { proofState } from "@/lib/policy/freshness";
import { topicAccess } from "@/lib/policy/topic";
import { compiledQuery, type PlaceOf } from "@/lib/sql/compiled";
import { isRecordId } from "../paging";
import { authorizeTopic } from "../topics/load";
import { chatConnections } from "./connections";
import { messageView, selectEntries } from "./entries";
import { findPosition } from "./list";
import { inLiveProcess, presenceOf } from "./presence";

interface SubscribeContext extends MemberContext {
  readonly connection: { readonly lastEventId: string | null };
}

/**
 * GET /api/topics/{topicId}/chat/subscribe
 * @throws Refusal topic_not_found, not_a_member, too_many_streams
 */
export async function subscribeToChat(
  ctx: SubscribeContext,
  { topicId }: HandlerInput<typeof contract.chat.subscribe>,
): Promise<EventStream> {
  const { caller, db, live } = ctx;
  const { lastEventId } = ctx.connection;
  const authorize = async () => {
    await authorizeTopic(db, topicId, caller, "inside");
  };
  return await live.follow(chatFeed, topicId, { caller, lastEventId, authorize });
}

/** A topic's chat: messages and their changes. Its state is the list of users who are present. */
const chatFeed: Feed = {
  keyedBy: "topic",
  connections: chatConnections,

  async look(db, topicIds) {
    const { rows } = await sql<Look & { readonly key: string }>`
      select t.id as key, coalesce(r.last_position, 0) as position, (
        select count(*) || ' ' || coalesce(max(c.connected_at)::text, '')
        from chat_connections c ${inLiveProcess} where c.topic_id = t.id
      ) as version
      from topics t left join chat_rooms r on r.topic_id = t.id
      where t.id = any(${[...topicIds]}::uuid[])`.execute(db);
    return new Map(rows.map(({ key, ...look }) => [key, look]));
  },

  async after(db, topicId, position, limit) {
    const rows = await entriesAfter(db, { topicId, position, limit });
    return rows.map((row) => {
      const view = messageView(row, null);
      if (!row.changed) return { position: row.at, frame: eventFrame("message", view, row.id) };
      const rewrites = row.edited_at !== null || row.deleted_at !== null || row.hidden_at !== null;
      return { position: row.at, frame: eventFrame("message_changed", view, changeId(row.at)), rewrites };
    });
  },

  async positionOf(db, topicId, id) {
    const change = CHANGE_ID.exec(id)?.[1];
    if (change !== undefined) return await positionReached(db, topicId, Number(change));
    return isRecordId(id) ? await findPosition(db, topicId, id) : null;
  },

  async state(db, topicId) {
    return eventFrame("presence", await presenceOf(db, topicId));
  },

  async allowed(db, followers) {
    const { rows } = await sql<{
      key: string;
      userId: string;
      visibility: "public" | "private" | "secret";
      role: "owner" | "admin" | "member";
      reprove_by: Date | null;
    }>`
      select t.id as key, m.user_id as "userId", t.visibility, m.role, m.reprove_by
      from jsonb_to_recordset(${JSON.stringify(followers)}::jsonb) as asked (key uuid, "userId" text)
      join topics t on t.id = asked.key
      join memberships m on m.topic_id = t.id and m.user_id = asked."userId"`.execute(db);
    const now = new Date();
    return rows.filter(
      ({ visibility, role, reprove_by }) =>
        topicAccess({ visibility }, readerWith(role, proofState(reprove_by, now))).inside === "allowed",
    );
  },
};

/*
 * Messages and changes are numbered together. Only the newest change of a message is kept, and events are made from the
 * current rows: so no event repeats a text that was taken back, and who missed several changes gets the last one. The
 * event id of a change is its position, because its row moves on with the next change.
 */
const CHANGE_ID = /^c(\d{1,15})$/;
const changeId = (position: number) => `c${position}`;

interface After {
  readonly topicId: string;
  readonly position: number;
  readonly limit: number;
}

/** The entries and changes after a position, in one statement: a change between two would be missed. */
const entriesAfter = compiledQuery((db: Db, value: PlaceOf<After>) => {
  const news = sql<{ id: string; at: number; changed: boolean }>`(
    (select e.id, e.position as at, false as changed from chat_messages e
      where e.topic_id = ${value("topicId")} and e.position > ${value("position")}
      order by e.position limit ${value("limit")})
    union all
    (select c.message_id, c.position, true from chat_changes c
      where c.topic_id = ${value("topicId")} and c.position > ${value("position")}
      order by c.position limit ${value("limit")})
    order by at limit ${value("limit")})`;
  return selectEntries(db)
    .innerJoin(news.as<"news">("news"), "news.id", "m.id")
    .select(["news.at", "news.changed"])
    .orderBy("news.at")
    .compile();
});

/** Returns the position if the topic's chat has reached it, else null. */
async function positionReached(db: Db, topicId: string, position: number): Promise<number | null> {
  const room = await db
    .selectFrom("chat_rooms")
    .select("topic_id")
    .where("topic_id", "=", topicId)
    .where("last_position", ">=", position)
    .executeTakeFirst();
  return room ? position : null;
}

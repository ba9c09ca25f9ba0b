import { sql } from "kysely";
import type { MemberContext } from "@/lib/context";
import type { contract, EventStream, HandlerInput } from "@/lib/contract";
import { eventFrame, type Feed, type Look } from "@/lib/live";
import { readerWith } from "@/lib/policy/decision";
import { topicAccess } from "@/lib/policy/topic";
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

/** A topic's chat. Its state is the list of users who are present. */
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
    const rows = await selectEntries(db)
      .where("m.topic_id", "=", topicId)
      .where("m.position", ">", position)
      .orderBy("m.position")
      .limit(limit)
      .execute();
    return rows.map((row) => ({
      position: row.position,
      frame: eventFrame("message", messageView(row), row.id),
    }));
  },

  positionOf: findPosition,

  async state(db, topicId) {
    return eventFrame("presence", await presenceOf(db, topicId));
  },

  async allowed(db, followers) {
    const { rows } = await sql<{
      key: string;
      userId: string;
      visibility: "public" | "private" | "secret";
      role: "owner" | "admin" | "member";
    }>`
      select t.id as key, m.user_id as "userId", t.visibility, m.role
      from jsonb_to_recordset(${JSON.stringify(followers)}::jsonb) as asked (key uuid, "userId" text)
      join topics t on t.id = asked.key
      join memberships m on m.topic_id = t.id and m.user_id = asked."userId"`.execute(db);
    return rows.filter(
      ({ visibility, role }) => topicAccess({ visibility }, readerWith(role)).inside === "allowed",
    );
  },
};

import { sql } from "kysely";
import type { MemberContext } from "@/lib/context";
import type { contract, EventStream, HandlerInput } from "@/lib/contract";
import { eventFrame, type Feed } from "@/lib/live";
import { readerWith } from "@/lib/policy/decision";
import { proofState } from "@/lib/policy/freshness";
import { topicAccess } from "@/lib/policy/topic";
import { authorizePost } from "../posts/load";

interface SubscribeContext extends MemberContext {
  readonly connection: { readonly lastEventId: string | null };
}

/**
 * GET /api/posts/{postId}/events: `thread` at first, and when somebody commented. It says how far the thread has come;
 * every follower reads the comments with their own rights.
 * @throws Refusal post_not_found, not_a_member, reprove_required, too_many_streams
 */
export async function followThread(
  { caller, db, live }: SubscribeContext,
  { postId }: HandlerInput<typeof contract.comments.follow>,
): Promise<EventStream> {
  const authorize = async () => {
    await authorizePost(db, postId, caller, "read");
  };
  // There is no log: who reconnects gets the state.
  return await live.follow(threadFeed, postId, { caller, lastEventId: null, authorize });
}

/** A post's comments. The state is the highest position of one; a comment has it before its author has the answer. */
const threadFeed: Feed = {
  keyedBy: "post",
  async look(db, postIds) {
    const { rows } = await sql<{ id: string; position: number }>`
      select p.id, coalesce((select max(c.position) from comments c where c.post_id = p.id), 0) as position
      from posts p where p.id = any(${[...postIds]}::uuid[])`.execute(db);
    return new Map(rows.map(({ id, position }) => [id, { position: 0, version: String(position) }]));
  },
  async after() {
    return [];
  },
  async positionOf() {
    return null;
  },
  async state(db, postId) {
    const { rows } = await sql<{ position: number | null }>`
      select max(position) as position from comments where post_id = ${postId}::uuid`.execute(db);
    return eventFrame("thread", { position: rows[0]?.position ?? 0 });
  },
  async allowed(db, followers) {
    const { rows } = await sql<{
      key: string;
      userId: string;
      visibility: "public" | "private" | "secret";
      role: "owner" | "admin" | "member" | null;
      reprove_by: Date | null;
    }>`
      select asked.key, asked."userId", t.visibility, m.role, m.reprove_by
      from jsonb_to_recordset(${JSON.stringify(followers)}::jsonb) as asked (key uuid, "userId" text)
      join posts p on p.id = asked.key
      join topics t on t.id = p.topic_id
      left join memberships m on m.topic_id = t.id and m.user_id = asked."userId"`.execute(db);
    const now = new Date();
    return rows.filter(
      ({ visibility, role, reprove_by }) =>
        topicAccess({ visibility }, readerWith(role, proofState(reprove_by, now))).readContent === "allowed",
    );
  },
};

import { sql } from "kysely";
import type { Db, Trx } from "@/db/schema";
import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { type Presence, presenceListed } from "@/lib/contract/chat";
import { deadBefore } from "@/lib/live/connections";
import { liveSettings } from "@/lib/live/settings";
import { authorizeTopic } from "../topics/load";

/**
 * GET /api/topics/{topicId}/chat/presence
 * @throws Refusal topic_not_found, not_a_member
 */
export const readPresence: Handler<typeof contract.chat.presence> = async ({ caller, db }, { topicId }) => {
  await authorizeTopic(db, topicId, caller, "inside");
  return await presenceOf(db, topicId);
};

/** SQL: keeps the connections `c` whose process `p` is alive. */
export const inLiveProcess = sql`join live_processes p on p.id = c.process_id
  and p.seen_at > ${deadBefore(liveSettings.deadMs)}`;

interface PresentRow {
  readonly count: number;
  readonly user_id: string;
  readonly nickname: string;
  readonly profile_image: string | null;
  readonly connected_at: Date;
}

/** Returns who is connected to a topic's chat: each user once, since their oldest connection. */
export async function presenceOf(db: Db | Trx, topicId: string): Promise<Presence> {
  const { rows } = await sql<PresentRow>`
    with present as (
      select c.user_id, min(c.connected_at) as connected_at
      from chat_connections c ${inLiveProcess} where c.topic_id = ${topicId} group by c.user_id
    ), listed as (
      select * from present order by connected_at, user_id limit ${presenceListed}
    )
    select (select count(*) from present)::int as count, l.user_id, u.nickname, u.profile_image, l.connected_at
    from listed l join users u on u.id = l.user_id order by l.connected_at, l.user_id`.execute(db);
  return {
    users: rows.map((row) => ({
      userId: row.user_id,
      nickname: row.nickname,
      profileImage: row.profile_image,
      connectedAt: row.connected_at.toISOString(),
    })),
    count: rows[0]?.count ?? 0,
  };
}

import { sql } from "kysely";
import type { Db, Trx } from "@/db/schema";
import { handOver } from "../members/roles";
import { notify } from "../notifications/notify";
import type { Effects } from "../write";

/** A topic that goes back when its owner withdraws. */
export interface ForcedTopic {
  readonly topicId: string;
  /** Who handed it over, and is still a member. */
  readonly giverId: string;
}

/**
 * Topics that were handed to somebody who did nothing there since, as the log tells: nobody asked them whether they want to
 * be the owner, so such a topic must not keep them from leaving.
 */
export async function forcedTopics(db: Db | Trx, userId: string): Promise<readonly ForcedTopic[]> {
  const { rows } = await sql<ForcedTopic>`
    select owned.topic_id as "topicId", handed.actor_id as "giverId"
    from memberships owned
    join lateral (select seq, actor_id, subject_id from moderation_log l
      where l.topic_id = owned.topic_id and l.action = 'ownership_transferred'
      order by seq desc limit 1) handed on handed.subject_id = owned.user_id
    join memberships giver on giver.topic_id = owned.topic_id and giver.user_id = handed.actor_id
    where owned.user_id = ${userId} and owned.role = 'owner'
      and not exists (select from moderation_log act where act.topic_id = owned.topic_id
        and act.seq > handed.seq and act.actor_id = owned.user_id)
    order by owned.topic_id`.execute(db);
  return rows;
}

/** Gives such topics back, in a transaction that holds all topics of the user. @returns what is left to be told, last of all */
export async function returnForcedTopics(
  trx: Trx,
  effects: Effects,
  userId: string,
  now: Date,
): Promise<() => Promise<void>> {
  const topics = await forcedTopics(trx, userId);
  for (const { topicId, giverId } of topics) {
    await handOver(trx, { topicId, from: userId, to: giverId, now });
  }
  return async () => {
    for (const { topicId, giverId } of topics) {
      const act = { topicId, actorId: userId, now };
      await notify(trx, effects, act, [{ kind: "ownership_received", to: [giverId] }]);
    }
  };
}

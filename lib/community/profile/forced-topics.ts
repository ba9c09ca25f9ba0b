import { sql } from "kysely";
import type { Db, Trx } from "@/db/schema";
import { transferOwnership } from "../members/roles";
import { notify } from "../notifications/notify";
import type { Effects } from "../write";

/** A topic that is returned when its owner withdraws. */
export interface ForcedTopic {
  readonly topicId: string;
  /** The previous owner, who is still a member. */
  readonly previousOwnerId: string;
}

/**
 * Returns the topics that were transferred to a user who neither accepted that nor, by the log, did anything there since.
 * They may not want to be the owner, so such a topic must not keep them from deleting their account.
 */
export async function forcedTopics(db: Db | Trx, userId: string): Promise<readonly ForcedTopic[]> {
  const { rows } = await sql<ForcedTopic>`
    select owned.topic_id as "topicId", handed.actor_id as "previousOwnerId"
    from memberships owned
    join lateral (select seq, actor_id, subject_id, details from moderation_log l
      where l.topic_id = owned.topic_id and l.action in ('ownership_transferred', 'ownership_inherited')
      order by seq desc limit 1) handed on handed.subject_id = owned.user_id
    join memberships previous on previous.topic_id = owned.topic_id and previous.user_id = handed.actor_id
    where owned.user_id = ${userId} and owned.role = 'owner' and not handed.details ? 'accepted'
      and not exists (select from moderation_log act where act.topic_id = owned.topic_id
        and act.seq > handed.seq and act.actor_id = owned.user_id)
    order by owned.topic_id`.execute(db);
  return rows;
}

/**
 * Returns such topics to their previous owners, in a transaction that holds all topics of the user.
 * @returns a function that sends the notifications, to call last
 */
export async function returnForcedTopics(
  trx: Trx,
  effects: Effects,
  userId: string,
  now: Date,
): Promise<() => Promise<void>> {
  const topics = await forcedTopics(trx, userId);
  for (const { topicId, previousOwnerId } of topics) {
    await transferOwnership(trx, { topicId, from: userId, to: previousOwnerId, now });
  }
  return async () => {
    for (const { topicId, previousOwnerId } of topics) {
      const act = { topicId, actorId: userId, now };
      await notify(trx, effects, act, [{ kind: "ownership_received", to: [previousOwnerId] }]);
    }
  };
}

import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { authorizeTopic } from "./load";
import { assertLive, holdTopic } from "./membership";

/**
 * PUT /api/topics/{topicId}/mute: also of a public topic the caller does not belong to, whose posts are in their feed.
 * @throws Refusal topic_not_found, not_a_member
 */
export const muteTopic: Handler<typeof contract.topics.mute> = async ({ caller, db, now }, { topicId }) => {
  await db.transaction().execute(async (trx) => {
    await holdTopic(trx, topicId);
    await authorizeTopic(trx, topicId, caller, "readContent");
    await trx
      .insertInto("topic_mutes")
      .values({ user_id: caller.userId, topic_id: topicId, created_at: now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await assertLive(trx, caller.userId);
  });
  return { isMuted: true };
};

/** DELETE /api/topics/{topicId}/mute: the same answer whether there was a mute or such a topic. */
export const unmuteTopic: Handler<typeof contract.topics.unmute> = async ({ caller, db }, { topicId }) => {
  await db
    .deleteFrom("topic_mutes")
    .where("user_id", "=", caller.userId)
    .where("topic_id", "=", topicId)
    .execute();
  return { isMuted: false };
};

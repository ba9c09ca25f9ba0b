import type { Trx } from "../context";
import { refusal } from "../refusals";

/**
 * Makes somebody a plain member and counts them, inside the joining transaction. The topic's row is taken first:
 * joins of one topic queue there, so the count always equals the rows.
 * @throws Refusal topic_not_found when the topic is gone, already_member
 */
export async function addMember(
  trx: Trx,
  member: { readonly topicId: string; readonly userId: string; readonly now: Date },
): Promise<void> {
  const { topicId, userId, now } = member;
  const topic = await trx
    .updateTable("topics")
    .set((eb) => ({ member_count: eb("member_count", "+", 1) }))
    .where("id", "=", topicId)
    .returning("id")
    .executeTakeFirst();
  if (!topic) throw refusal("topic_not_found");
  const inserted = await trx
    .insertInto("memberships")
    .values({ topic_id: topicId, user_id: userId, role: "member", joined_at: now })
    .onConflict((conflict) => conflict.columns(["topic_id", "user_id"]).doNothing())
    .returning("user_id")
    .executeTakeFirst();
  if (!inserted) throw refusal("already_member");
}

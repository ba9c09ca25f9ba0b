import type { Trx } from "@/db/schema";
import type { Caller } from "@/lib/context/caller";
import type { Role } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { topicAccess } from "@/lib/policy/topic";
import { viewerOf } from "../viewer";
import { replaceInviteCode } from "./invite-code";
import { loadTopic, type TopicRow } from "./load";
import { type Applicant, assertNotBanned } from "./membership-rules";

/**
 * Takes a topic's row for this transaction and reads how the caller stands in it. Whatever changes members, roles,
 * requests or sanctions begins here, so such changes of one topic happen one after the other, each on what the one
 * before left. The topic is read after the wait, by a statement of its own.
 * @throws Refusal topic_not_found
 */
async function lockTopic(trx: Trx, topicId: string, callerId: string): Promise<TopicRow> {
  const locked = await trx
    .selectFrom("topics")
    .select("id")
    .where("id", "=", topicId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!locked) throw new Refusal("topic_not_found");
  return await loadTopic(trx, topicId, callerId);
}

/**
 * Keeps a topic from being deleted before this transaction ends; nothing else waits for it.
 * @throws Refusal topic_not_found
 */
export async function holdTopic(trx: Trx, topicId: string): Promise<void> {
  const held = await trx
    .selectFrom("topics")
    .select("id")
    .where("id", "=", topicId)
    .forKeyShare()
    .executeTakeFirst();
  if (!held) throw new Refusal("topic_not_found");
}

/** What the caller may do in a topic this transaction has taken. */
export async function accessUnderLock(trx: Trx, topicId: string, caller: Caller) {
  const topic = await lockTopic(trx, topicId, caller.userId);
  return { topic, access: topicAccess(topic, viewerOf(caller, topic)) };
}

/** Role of a user; null for somebody who is no member. */
export async function roleOf(trx: Trx, topicId: string, userId: string): Promise<Role | null> {
  const row = await trx
    .selectFrom("memberships")
    .select("role")
    .where("topic_id", "=", topicId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row?.role ?? null;
}

/**
 * Makes somebody a plain member and counts them, inside the joining transaction. The topic's row is taken first:
 * joins of one topic queue there, so the count always equals the rows, and no ban is imposed meanwhile.
 * @throws Refusal topic_not_found when the topic is gone, already_member, banned
 */
export async function addMember(trx: Trx, member: Applicant): Promise<void> {
  const { topicId, userId, now } = member;
  const topic = await trx
    .updateTable("topics")
    .set((eb) => ({ member_count: eb("member_count", "+", 1) }))
    .where("id", "=", topicId)
    .returning("id")
    .executeTakeFirst();
  if (!topic) throw new Refusal("topic_not_found");
  const inserted = await trx
    .insertInto("memberships")
    .values({ topic_id: topicId, user_id: userId, role: "member", joined_at: now })
    .onConflict((conflict) => conflict.columns(["topic_id", "user_id"]).doNothing())
    .returning("user_id")
    .executeTakeFirst();
  if (!inserted) throw new Refusal("already_member");
  await assertLive(trx, userId);
  await assertNotBanned(trx, member);
}

/**
 * Refuses an account that was withdrawn meanwhile. To be called after inserting a row that refers to the user: that
 * waits for a withdrawal under way, and this statement then sees it.
 * @throws Refusal not_authenticated
 */
export async function assertLive(trx: Trx, userId: string): Promise<void> {
  const live = await trx
    .selectFrom("users")
    .select("id")
    .where("id", "=", userId)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (!live) throw new Refusal("not_authenticated");
}

/**
 * Ends a membership and uncounts it, in a transaction that holds the topic's row. The identity stays bound to the
 * account (topic_identities): whoever left or was removed does not come back as somebody else.
 * @returns whether there was one
 */
export async function endMembership(trx: Trx, topicId: string, userId: string): Promise<boolean> {
  const ended = await trx
    .deleteFrom("memberships")
    .where("topic_id", "=", topicId)
    .where("user_id", "=", userId)
    .returning("user_id")
    .executeTakeFirst();
  if (!ended) return false;
  await trx
    .updateTable("topics")
    .set((eb) => ({ member_count: eb("member_count", "-", 1) }))
    .where("id", "=", topicId)
    .execute();
  return true;
}

/**
 * Ends a membership by the staff's decision: the way back is closed for 24 hours. What somebody thrown out could pass
 * on goes too: the topic's code and the single-use links they made.
 * @returns whether there was one
 */
export async function expel(trx: Trx, { topicId, userId, now }: Applicant): Promise<boolean> {
  await replaceInviteCode(trx, topicId);
  await trx
    .deleteFrom("invite_tokens")
    .where("topic_id", "=", topicId)
    .where("issued_by", "=", userId)
    .where("used_at", "is", null)
    .execute();
  if (!(await endMembership(trx, topicId, userId))) return false;
  await trx
    .insertInto("removals")
    .values({ topic_id: topicId, user_id: userId, removed_at: now })
    .onConflict((conflict) => conflict.columns(["topic_id", "user_id"]).doUpdateSet({ removed_at: now }))
    .execute();
  return true;
}

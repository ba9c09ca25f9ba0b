import type { Db, Trx } from "@/db/schema";
import type { Caller } from "@/lib/context";
import type { Role } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import type { RightOf } from "@/lib/policy/decision";
import { reproveBy } from "@/lib/policy/freshness";
import type { TopicAccess } from "@/lib/policy/topic";
import { compiledQuery, type PlaceOf } from "@/lib/sql/compiled";
import { withdrawLeaf } from "../crowd/withdraw";
import { replaceInviteCode } from "./invite-code";
import { authorizeTopic, type TopicRow } from "./load";
import { type Applicant, assertNotBanned } from "./membership-rules";

/**
 * Keeps a topic from being deleted, and its members, roles and sanctions from changing, during this transaction. Others
 * can hold it too.
 * @throws Refusal topic_not_found
 */
export async function holdTopic(trx: Trx, topicId: string): Promise<void> {
  const [held] = await heldTopic(trx, { topicId });
  if (!held) throw new Refusal("topic_not_found");
}

const heldTopic = compiledQuery((db: Db, value: PlaceOf<{ topicId: string }>) =>
  db.selectFrom("topics").select("id").where("id", "=", value("topicId")).forKeyShare().compile(),
);

/**
 * Locks a topic's row, then reads the topic and asserts that the caller has this right. Every change of members, roles,
 * requests or sanctions starts here, so such changes of one topic run one after the other, and each sees the one
 * before. The topic is read by a statement of its own, after the wait for the lock.
 * @throws Refusal topic_not_found; otherwise what the policy decides
 */
export async function authorizeLockedTopic(
  trx: Trx,
  topicId: string,
  caller: Caller,
  right: RightOf<TopicAccess>,
): Promise<TopicRow> {
  await trx.selectFrom("topics").select("id").where("id", "=", topicId).forUpdate().execute();
  return await authorizeTopic(trx, topicId, caller, right);
}

/** Returns the role of a user; null for someone who is not a member. */
export async function roleOf(trx: Trx, topicId: string, userId: string): Promise<Role | null> {
  const row = await trx
    .selectFrom("memberships")
    .select("role")
    .where("topic_id", "=", topicId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  return row?.role ?? null;
}

/** Someone who becomes a member. */
export interface NewMember extends Applicant {
  /** When they proved what the gate asks for; null without a gate. */
  readonly provenAt: Date | null;
}

/**
 * Makes a user a plain member and counts them, inside the joining transaction. It locks the topic's row first: joins of
 * one topic queue there, so the count always equals the rows, and no ban can come in between.
 * @throws Refusal topic_not_found, topic_frozen, already_member, banned
 */
export async function addMember(trx: Trx, member: NewMember): Promise<void> {
  const { topicId, userId, provenAt, now } = member;
  const topic = await trx
    .updateTable("topics")
    .set((eb) => ({ member_count: eb("member_count", "+", 1) }))
    .where("id", "=", topicId)
    .returning(["frozen_at", "reprove_days", "post_position"])
    .executeTakeFirst();
  if (!topic) throw new Refusal("topic_not_found");
  if (topic.frozen_at) throw new Refusal("topic_frozen");
  const inserted = await trx
    .insertInto("memberships")
    .values({
      topic_id: topicId,
      user_id: userId,
      role: "member",
      joined_at: now,
      proven_at: provenAt,
      reprove_by: provenAt && reproveBy(provenAt, topic.reprove_days),
    })
    .onConflict((conflict) => conflict.columns(["topic_id", "user_id"]).doNothing())
    .returning("user_id")
    .executeTakeFirst();
  if (!inserted) throw new Refusal("already_member");
  // What was there before is not new to them.
  await trx
    .insertInto("topic_reads")
    .values((eb) => ({
      user_id: userId,
      topic_id: topicId,
      post_position: topic.post_position,
      chat_position: eb.fn.coalesce(
        eb.selectFrom("chat_rooms").select("last_position").where("topic_id", "=", topicId),
        eb.lit(0),
      ),
      read_at: now,
    }))
    .execute();
  await assertLive(trx, userId);
  await assertNotBanned(trx, member);
}

/**
 * Refuses a concurrently withdrawn account. Call it after inserting a row that refers to the user: the insert waits for
 * a withdrawal in progress, and this statement then sees it.
 * @returns how the user is shown
 * @throws Refusal not_authenticated
 */
export async function assertLive(trx: Trx, userId: string) {
  const [user] = await liveUser(trx, { userId });
  if (!user) throw new Refusal("not_authenticated");
  return user;
}

/** As `assertLive`; whoever else locks the user waits. @throws Refusal not_authenticated */
export async function lockLive(trx: Trx, userId: string): Promise<void> {
  const user = await trx
    .selectFrom("users")
    .select("id")
    .where("id", "=", userId)
    .where("deleted_at", "is", null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!user) throw new Refusal("not_authenticated");
}

const liveUser = compiledQuery((db: Db, value: PlaceOf<{ userId: string }>) =>
  db
    .selectFrom("users")
    .select(["nickname", "profile_image"])
    .where("id", "=", value("userId"))
    .where("deleted_at", "is", null)
    .compile(),
);

/**
 * Ends a membership, uncounts it and takes the member's leaf out of the crowd, in a transaction that holds the topic's row. The identity stays bound to the
 * account (topic_identities), so that nobody returns as someone else.
 * @returns whether there was one
 */
export async function endMembership(trx: Trx, { topicId, userId, now }: Applicant): Promise<boolean> {
  const ended = await trx
    .deleteFrom("memberships")
    .where("topic_id", "=", topicId)
    .where("user_id", "=", userId)
    .returning("user_id")
    .executeTakeFirst();
  if (!ended) return false;
  await withdrawLeaf(trx, { topicId, userId, now });
  await trx
    .updateTable("topics")
    .set((eb) => ({ member_count: eb("member_count", "-", 1) }))
    .where("id", "=", topicId)
    .execute();
  return true;
}

/**
 * Ends a membership by the staff's decision and closes every way back for 24 hours. It also revokes the invites that
 * the removed member could pass on: the topic's code and their single-use links.
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
  if (!(await endMembership(trx, { topicId, userId, now }))) return false;
  await trx
    .insertInto("removals")
    .values({ topic_id: topicId, user_id: userId, removed_at: now })
    .onConflict((conflict) => conflict.columns(["topic_id", "user_id"]).doUpdateSet({ removed_at: now }))
    .execute();
  return true;
}

/** Returns the user ids of a topic's owner and admins. */
export async function staffOf(trx: Trx, topicId: string): Promise<string[]> {
  const rows = await trx
    .selectFrom("memberships")
    .select("user_id")
    .where("topic_id", "=", topicId)
    .where("role", "in", ["owner", "admin"])
    .execute();
  return rows.map((row) => row.user_id);
}

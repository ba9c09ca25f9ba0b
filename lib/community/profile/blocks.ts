import { sql } from "kysely";
import type { Trx } from "@/db/schema";
import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { conversationKinds } from "@/lib/contract/notification-kinds";
import { Refusal } from "@/lib/errors";
import { lockLive } from "../topics/membership";

/**
 * PUT /api/users/{userId}/block: also drops push messages about this user that wait to be sent.
 * @throws Refusal user_not_found, too_many_blocks; invalid_request for the caller's own id
 */
export const blockUser: Handler<typeof contract.users.block> = async ({ caller, db, now }, { userId }) => {
  if (userId === caller.userId) {
    throw new Refusal("invalid_request", { field: "userId", message: "You cannot block yourself." });
  }
  await db.transaction().execute(async (trx) => {
    await lockPair(trx, caller.userId, userId);
    await trx
      .deleteFrom("follows")
      .where("user_id", "=", caller.userId)
      .where("followed_id", "=", userId)
      .execute();
    const { rows } = await sql<{ others: number }>`
      select count(*)::int as others from blocks
      where user_id = ${caller.userId} and blocked_id <> ${userId}`.execute(trx);
    if ((rows[0]?.others ?? 0) >= LIMITS.blocks) throw new Refusal("too_many_blocks");
    await trx
      .insertInto("blocks")
      .values({ user_id: caller.userId, blocked_id: userId, created_at: now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    await sql`delete from push_deliveries d using notifications n
      where n.id = d.notification_id and n.user_id = ${caller.userId} and n.actor_id = ${userId}
        and n.kind = any(${[...conversationKinds]}::text[])`.execute(trx);
  });
  return { blocked: true };
};

/**
 * Makes what one user sets about others queue, so that its number is exact. It does not hold up those who only name the
 * user. Waits for a withdrawal of the other, and keeps one away until the row is there for it to delete.
 * @throws Refusal not_authenticated, user_not_found
 */
export async function lockPair(trx: Trx, userId: string, otherId: string): Promise<void> {
  await lockLive(trx, userId);
  const other = await trx
    .selectFrom("users")
    .select("id")
    .where("id", "=", otherId)
    .where("deleted_at", "is", null)
    .forKeyShare()
    .executeTakeFirst();
  if (!other) throw new Refusal("user_not_found");
}

/** DELETE /api/users/{userId}/block: the same answer whether there was a block or such a user. */
export const unblockUser: Handler<typeof contract.users.unblock> = async ({ caller, db }, { userId }) => {
  await db
    .deleteFrom("blocks")
    .where("user_id", "=", caller.userId)
    .where("blocked_id", "=", userId)
    .execute();
  return { blocked: false };
};

/** GET /api/my/blocks: everyone the caller blocked, latest first. */
export const listBlocks: Handler<typeof contract.my.blocks> = async ({ caller, db }) => {
  const rows = await db
    .selectFrom("blocks as k")
    .innerJoin("users as u", "u.id", "k.blocked_id")
    .select(["u.id", "u.nickname", "u.profile_image", "k.created_at"])
    .where("k.user_id", "=", caller.userId)
    .orderBy("k.created_at", "desc")
    .orderBy("k.blocked_id")
    .execute();
  return {
    users: rows.map((row) => ({
      userId: row.id,
      nickname: row.nickname,
      profileImage: row.profile_image,
      blockedAt: row.created_at.toISOString(),
    })),
  };
};

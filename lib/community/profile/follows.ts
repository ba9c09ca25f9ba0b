import { sql } from "kysely";
import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { Refusal } from "@/lib/errors";
import { lockPair } from "./blocks";

/**
 * PUT /api/users/{userId}/follow: their public posts join the caller's own feed.
 * @throws Refusal user_not_found, too_many_follows; invalid_request for the caller's own id, and for someone they blocked
 */
export const followUser: Handler<typeof contract.users.follow> = async ({ caller, db, now }, { userId }) => {
  const invalid = (message: string) => new Refusal("invalid_request", { field: "userId", message });
  if (userId === caller.userId) throw invalid("You cannot follow yourself.");
  await db.transaction().execute(async (trx) => {
    await lockPair(trx, caller.userId, userId);
    const { rows } = await sql<{ others: number; blocked: boolean }>`
      select (select count(*)::int from follows where user_id = ${caller.userId} and followed_id <> ${userId}) as others,
        exists (select from blocks where user_id = ${caller.userId} and blocked_id = ${userId}) as blocked`.execute(
      trx,
    );
    if (rows[0]?.blocked) throw invalid("You blocked this user.");
    if ((rows[0]?.others ?? 0) >= LIMITS.follows) throw new Refusal("too_many_follows");
    await trx
      .insertInto("follows")
      .values({ user_id: caller.userId, followed_id: userId, created_at: now() })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
  return { followed: true };
};

/** DELETE /api/users/{userId}/follow: the same answer whether the caller followed anyone of this id. */
export const unfollowUser: Handler<typeof contract.users.unfollow> = async ({ caller, db }, { userId }) => {
  await db
    .deleteFrom("follows")
    .where("user_id", "=", caller.userId)
    .where("followed_id", "=", userId)
    .execute();
  return { followed: false };
};

/** GET /api/my/follows: everyone the caller follows, latest first. */
export const listFollows: Handler<typeof contract.my.follows> = async ({ caller, db }) => {
  const rows = await db
    .selectFrom("follows as f")
    .innerJoin("users as u", "u.id", "f.followed_id")
    .select(["u.id", "u.nickname", "u.profile_image", "f.created_at"])
    .where("f.user_id", "=", caller.userId)
    .orderBy("f.created_at", "desc")
    .orderBy("f.followed_id")
    .execute();
  return {
    users: rows.map((row) => ({
      userId: row.id,
      nickname: row.nickname,
      profileImage: row.profile_image,
      followedAt: row.created_at.toISOString(),
    })),
  };
};

import { randomUUID } from "node:crypto";
import { userWithIdentity } from "@/lib/session/users";
import type { Harness, TestUser } from "@/lib/testing/harness";

/** Returns the keyed hash of a user's identity. */
export async function identityOf(h: Harness, { userId }: TestUser): Promise<string> {
  const row = await h.db
    .selectFrom("users")
    .select("identity_hash")
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
  if (row.identity_hash === null) throw new Error("this account has no identity any more");
  return row.identity_hash;
}

/** Bans a user from a topic, as its owner would. @param until null for a permanent ban */
export async function ban(h: Harness, topicId: string, { userId }: TestUser, until: Date | null = null) {
  const { creator_id: created_by } = await h.db
    .selectFrom("topics")
    .select("creator_id")
    .where("id", "=", topicId)
    .executeTakeFirstOrThrow();
  await h.db
    .insertInto("sanctions")
    .values({ topic_id: topicId, user_id: userId, kind: "ban", reason: "x", created_by, until })
    .execute();
}

/** Signs in with the identity of a withdrawn user. */
export async function comeBack(h: Harness, identity: string): Promise<TestUser> {
  const { userId } = await userWithIdentity(h.db, identity);
  const nickname = `back_${randomUUID().slice(0, 8)}`;
  const renamed = { nickname, nickname_key: nickname, nickname_set: true };
  await h.db.updateTable("users").set(renamed).where("id", "=", userId).execute();
  const user = await h.login(nickname);
  if (user.userId !== userId) throw new Error("signed in as somebody else");
  return user;
}

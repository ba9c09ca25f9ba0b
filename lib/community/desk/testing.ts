import { contract } from "@/lib/contract";
import type { OperatorRole } from "@/lib/contract/desk";
import type { Harness, TestUser } from "@/lib/testing/harness";
import { signIn } from "../testing";

/** A user with a role on the installation, as if an operator had granted it. */
export async function withRole(h: Harness, role: OperatorRole): Promise<TestUser> {
  const user = await signIn(h, role);
  await grant(h, user, role);
  return user;
}

/** Runs something while a user is an operator. */
export async function whileOperator(h: Harness, user: TestUser, work: () => Promise<void>): Promise<void> {
  await grant(h, user, "operator");
  try {
    await work();
  } finally {
    await h.db.deleteFrom("operators").where("user_id", "=", user.userId).execute();
  }
}

async function grant(h: Harness, { userId }: TestUser, role: OperatorRole): Promise<void> {
  await h.db
    .insertInto("operators")
    .values({ user_id: userId, role, granted_by: userId, granted_at: new Date() })
    .execute();
}

/** The same user, in a session whose proof is eleven minutes old. */
export async function ageProof(h: Harness, user: TestUser): Promise<TestUser> {
  const old = { nickname: user.nickname, provenSecondsAgo: 660 };
  const { token } = await h.guest.call(contract.auth.devLogin, old);
  return { ...user, token, api: h.clientFor(token) };
}

/** What the log of the installation says since an entry, oldest first. */
export async function actsSince(h: Harness, seq: number) {
  return await h.db
    .selectFrom("installation_log")
    .select(["action", "role", "actor_id", "target_kind", "target_id", "topic_id", "reason", "details"])
    .where("seq", ">", seq)
    .orderBy("seq")
    .execute();
}

/** Number of the newest entry. */
export async function lastEntry(h: Harness): Promise<number> {
  const head = await h.db.selectFrom("installation_log_head").select("seq").executeTakeFirstOrThrow();
  return head.seq;
}

/** The latest notification of a user. */
export async function latestOf(user: TestUser) {
  return (await user.api.call(contract.notifications.list, { limit: 1 })).notifications[0];
}

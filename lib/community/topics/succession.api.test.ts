import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { latestOf, withRole } from "../desk/testing";
import { verifyLog } from "../moderation/chain";
import { addTo, makeTopic, signIn } from "../testing";
import { passOrphanedTopics } from "./succession";

/** A topic whose owner's account is suspended for good passes to an admin. */
let h: Harness;
let operator: TestUser;
beforeAll(async () => {
  h = await createHarness();
  operator = await withRole(h, "operator");
});
afterAll(() => h.close());

const suspend = async (user: TestUser, until?: string) => {
  await operator.api.call(contract.desk.sanction, {
    userId: user.userId,
    kind: "suspend",
    reason: "Threats.",
    until,
  });
  await h.services.idle();
};
const ownerOf = async (topicId: string) =>
  (
    await h.db
      .selectFrom("memberships")
      .select("user_id")
      .where("topic_id", "=", topicId)
      .where("role", "=", "owner")
      .execute()
  ).map(({ user_id }) => user_id);

async function owned(admins: number) {
  const owner = await signIn(h, "owner");
  const { id: topicId } = await makeTopic(owner);
  const found: TestUser[] = [];
  for (let i = 0; i < admins; i += 1) {
    const admin = await signIn(h, "admin");
    await addTo(h.db, topicId, admin, "admin");
    // The later one joined earlier.
    const joined_at = new Date(Date.now() - i * 60_000);
    await sql`update memberships set joined_at = ${joined_at} where user_id = ${admin.userId}`.execute(h.db);
    found.push(admin);
  }
  return { owner, topicId, admins: found };
}

describe("a suspension for good", () => {
  it("passes the owner's topics to the admin of longest standing; it is logged without an actor, and told", async () => {
    const { owner, topicId, admins } = await owned(2);
    const [later = expect.fail(), first = expect.fail()] = admins;
    await suspend(owner);
    expect(await ownerOf(topicId)).toEqual([first.userId]);
    const { topic, currentUserRole } = await first.api.call(contract.topics.get, { topicId });
    expect([topic.creatorId, currentUserRole]).toEqual([first.userId, "owner"]);
    const { entries } = await later.api.call(contract.moderation.log, { topicId });
    expect(entries).toEqual([
      expect.objectContaining({
        action: "ownership_inherited",
        actorId: null,
        actorNickname: null,
        subjectId: first.userId,
      }),
    ]);
    expect(verifyLog(topicId, entries)).toBeNull();
    expect(await latestOf(first)).toMatchObject({ kind: "ownership_inherited", topicId, actor: null });
    // Lifting it gives nothing back.
    await operator.api.call(contract.desk.lift, { userId: owner.userId, kind: "suspend", reason: "r" });
    await passOrphanedTopics(h.services);
    expect(await ownerOf(topicId)).toEqual([first.userId]);
  });

  it("skips admins who are suspended themselves", async () => {
    const { owner, topicId, admins } = await owned(2);
    const [later = expect.fail(), first = expect.fail()] = admins;
    await suspend(first);
    await suspend(owner);
    expect(await ownerOf(topicId)).toEqual([later.userId]);
  });

  it("without an admin is reported to the operators, once", async () => {
    const { owner, topicId } = await owned(0);
    await suspend(owner);
    await passOrphanedTopics(h.services);
    const queue = async () =>
      (await operator.api.call(contract.desk.reports, { topicId })).reports.map(
        ({ kind, reason, targetId }) => [kind, reason, targetId],
      );
    expect(await queue()).toEqual([["topic", "owner", topicId]]);
    const [report] = (await operator.api.call(contract.desk.reports, { topicId })).reports;
    const decided = { reportId: report?.id ?? "", action: "dismiss", reason: "Stays." } as const;
    await operator.api.call(contract.desk.decide, decided);
    await passOrphanedTopics(h.services);
    expect(await queue()).toEqual([]);
    // An admin of later owns it at the next round.
    const admin = await signIn(h);
    await addTo(h.db, topicId, admin, "admin");
    await passOrphanedTopics(h.services);
    expect(await ownerOf(topicId)).toEqual([admin.userId]);
  });

  it("of some days leaves the topics where they are", async () => {
    const { owner, topicId } = await owned(1);
    await suspend(owner, new Date(Date.now() + 86_400_000).toISOString());
    await passOrphanedTopics(h.services);
    expect(await ownerOf(topicId)).toEqual([owner.userId]);
  });
});

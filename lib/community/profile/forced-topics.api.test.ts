import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { addTo, makeTopic, membersOf, refusalOf, signIn } from "../testing";
import { forcedTopics } from "./forced-topics";

let h: Harness;
beforeAll(async () => {
  h = await createHarness();
});
afterAll(() => h.close());

const withdraw = (user: TestUser) => user.api.call(contract.profile.deleteAccount, {});
const give = (from: TestUser, topicId: string, to: TestUser) =>
  from.api.call(contract.members.setRole, { topicId, userId: to.userId, role: "owner" });
const topicOf = async (user: TestUser, topicId: string) =>
  await user.api.call(contract.topics.get, { topicId });

/** A topic that `giver` transferred to `heir` without asking. */
async function handed(giver: TestUser, heir: TestUser) {
  const { id } = await makeTopic(giver, "public", "Illegal stuff");
  await addTo(h.db, id, heir);
  await give(giver, id, heir);
  return id;
}

describe("security F19: a topic that was transferred to a user against their will", () => {
  it("returns when they withdraw, with an entry in the log and a notification to its owner", async () => {
    const [giver, heir] = [await signIn(h), await signIn(h)];
    const id = await handed(giver, heir);
    expect(await forcedTopics(h.db, heir.userId)).toEqual([{ topicId: id, giverId: giver.userId }]);
    expect(await withdraw(heir)).toEqual({ success: true });
    const { topic, currentUserRole } = await topicOf(giver, id);
    expect([currentUserRole, topic.creatorId]).toEqual(["owner", giver.userId]);
    expect(await membersOf(h.db, id)).toEqual({ counted: 1, rows: 1 });
    const { entries } = await giver.api.call(contract.moderation.log, { topicId: id });
    expect(entries.map(({ action, actorId, subjectId }) => [action, actorId, subjectId])).toEqual([
      ["ownership_transferred", heir.userId, giver.userId],
      ["ownership_transferred", giver.userId, heir.userId],
    ]);
    const { notifications } = await giver.api.call(contract.notifications.list, {});
    expect(notifications[0]).toMatchObject({ kind: "ownership_received" });
    // The previous owner keeps it: the other one is no longer a member.
    expect(await refusalOf(withdraw(giver))).toMatchObject({ status: 409, code: "owns_topics" });
  });

  it("stays theirs once they acted as its owner, or if the previous owner has left", async () => {
    const [giver, heir] = [await signIn(h), await signIn(h)];
    const acted = await handed(giver, heir);
    await heir.api.call(contract.topics.update, { topicId: acted, title: "Mine now" });
    const left = await handed(giver, heir);
    await giver.api.call(contract.topics.leave, { topicId: left });
    const own = (await makeTopic(heir)).id;
    const returned = await handed(giver, heir);
    expect(await forcedTopics(h.db, heir.userId)).toEqual([{ topicId: returned, giverId: giver.userId }]);
    const refused = await h.send("DELETE", "/api/account", { token: heir.token });
    const topics: { id: string }[] = Object(refused.body).topics;
    expect(topics.map(({ id }) => id).toSorted()).toEqual([acted, left, own].toSorted());
    // Nothing of the refused withdrawal stays.
    expect((await topicOf(heir, returned)).currentUserRole).toBe("owner");
  });

  it("only the last hand-over counts", async () => {
    const [giver, first, second] = [await signIn(h), await signIn(h), await signIn(h)];
    const id = await handed(giver, first);
    await addTo(h.db, id, second);
    await give(first, id, second);
    await give(second, id, first);
    expect(await forcedTopics(h.db, first.userId)).toEqual([{ topicId: id, giverId: second.userId }]);
    await withdraw(first);
    expect((await topicOf(second, id)).currentUserRole).toBe("owner");
  });

  it("after a concurrent withdrawal and transfer there is one owner, who is a member", async () => {
    for (let round = 0; round < 5; round += 1) {
      const [giver, heir, other] = [await signIn(h), await signIn(h), await signIn(h)];
      const id = await handed(giver, heir);
      await addTo(h.db, id, other);
      await Promise.allSettled([withdraw(heir), give(heir, id, other), withdraw(giver)]);
      const owners = await h.db
        .selectFrom("memberships as m")
        .innerJoin("users as u", "u.id", "m.user_id")
        .innerJoin("topics as t", "t.id", "m.topic_id")
        .select(["u.id", "u.deleted_at", "t.creator_id"])
        .where("m.topic_id", "=", id)
        .where("m.role", "=", "owner")
        .execute();
      expect(owners).toEqual([{ id: owners[0]?.id, deleted_at: null, creator_id: owners[0]?.id }]);
      const { counted, rows } = await membersOf(h.db, id);
      expect(counted).toBe(rows);
    }
  });
});

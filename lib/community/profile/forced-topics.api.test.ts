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

/** A topic that `previous` transferred to `heir` without asking. */
async function handed(previous: TestUser, heir: TestUser) {
  const { id } = await makeTopic(previous, "public", "Illegal stuff");
  await addTo(h.db, id, heir);
  await give(previous, id, heir);
  return id;
}

describe("security F19: a topic that was transferred to a user against their will", () => {
  it("returns when they withdraw, with an entry in the log and a notification to its owner", async () => {
    const [previous, heir] = [await signIn(h), await signIn(h)];
    const id = await handed(previous, heir);
    expect(await forcedTopics(h.db, heir.userId)).toEqual([
      { topicId: id, previousOwnerId: previous.userId },
    ]);
    expect(await withdraw(heir)).toEqual({ success: true });
    const { topic, currentUserRole } = await topicOf(previous, id);
    expect([currentUserRole, topic.creatorId]).toEqual(["owner", previous.userId]);
    expect(await membersOf(h.db, id)).toEqual({ counted: 1, rows: 1 });
    const { entries } = await previous.api.call(contract.moderation.log, { topicId: id });
    expect(entries.map(({ action, actorId, subjectId }) => [action, actorId, subjectId])).toEqual([
      ["ownership_transferred", heir.userId, previous.userId],
      ["ownership_transferred", previous.userId, heir.userId],
    ]);
    const { notifications } = await previous.api.call(contract.notifications.list, {});
    expect(notifications[0]).toMatchObject({ kind: "ownership_received" });
    // The previous owner keeps it: the other one is no longer a member.
    expect(await refusalOf(withdraw(previous))).toMatchObject({ status: 409, code: "owns_topics" });
  });

  it("stays theirs once they acted as its owner, or if the previous owner has left", async () => {
    const [previous, heir] = [await signIn(h), await signIn(h)];
    const acted = await handed(previous, heir);
    await heir.api.call(contract.topics.update, { topicId: acted, title: "Mine now" });
    const left = await handed(previous, heir);
    await previous.api.call(contract.topics.leave, { topicId: left });
    const own = (await makeTopic(heir)).id;
    const returned = await handed(previous, heir);
    expect(await forcedTopics(h.db, heir.userId)).toEqual([
      { topicId: returned, previousOwnerId: previous.userId },
    ]);
    const refused = await h.send("DELETE", "/api/account", { token: heir.token });
    const topics: { id: string }[] = Object(refused.body).topics;
    expect(topics.map(({ id }) => id).toSorted()).toEqual([acted, left, own].toSorted());
    // Nothing of the refused withdrawal stays.
    expect((await topicOf(heir, returned)).currentUserRole).toBe("owner");
  });

  it("only the last transfer counts", async () => {
    const [previous, first, second] = [await signIn(h), await signIn(h), await signIn(h)];
    const id = await handed(previous, first);
    await addTo(h.db, id, second);
    await give(first, id, second);
    await give(second, id, first);
    expect(await forcedTopics(h.db, first.userId)).toEqual([{ topicId: id, previousOwnerId: second.userId }]);
    await withdraw(first);
    expect((await topicOf(second, id)).currentUserRole).toBe("owner");
  });

  it("after a concurrent withdrawal and transfer there is one owner, who is a member", async () => {
    for (let round = 0; round < 5; round += 1) {
      const [previous, heir, other] = [await signIn(h), await signIn(h), await signIn(h)];
      const id = await handed(previous, heir);
      await addTo(h.db, id, other);
      await Promise.allSettled([withdraw(heir), give(heir, id, other), withdraw(previous)]);
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

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { sweepExpired } from "@/lib/runtime/housekeeping";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { addTo, gate, makePost, makeTopic, refusalOf, signIn, verified } from "../testing";
import { comeBack, identityOf } from "./testing";

let h: Harness;
let owner: TestUser;
let clock = Date.now();
beforeAll(async () => {
  h = await createHarness({ now: () => new Date(clock) });
  owner = await signIn(h, "owner");
});
afterAll(() => h.close());

const day = 24 * 60 * 60 * 1000;
const join = (user: TestUser, topicId: string) => user.api.call(contract.topics.join, { topicId });
const remove = (topicId: string, user: TestUser) =>
  owner.api.call(contract.members.remove, { topicId, userId: user.userId });
const mute = (topicId: string, user: TestUser, until?: Date) =>
  owner.api.call(contract.moderation.sanction, {
    topicId,
    userId: user.userId,
    kind: "mute",
    reason: "Noise.",
    until: until?.toISOString(),
  });
/** Writes what a muted member may not write. */
const write = (user: TestUser, topicId: string) => makePost(user, topicId);

/** Withdraws with a new session, however old the one of before is. */
async function withdraw(user: TestUser): Promise<void> {
  const { api } = await h.login(user.nickname);
  await api.call(contract.profile.deleteAccount, {});
}

/** Withdraws a user and signs in again with the same identity. */
async function leaveAndReturn(user: TestUser): Promise<TestUser> {
  const identity = await identityOf(h, user);
  await withdraw(user);
  await h.idle();
  return await comeBack(h, identity);
}
const remembered = async (topicId: string) =>
  (await h.db.selectFrom("remembered_identities").select("user_id").where("topic_id", "=", topicId).execute())
    .length;

describe("security F19: a mute after its member withdrew", () => {
  it("is in force for an account with the same identity, with its end, until it ends", async () => {
    const topic = await makeTopic(owner);
    const other = await makeTopic(owner);
    const user = await signIn(h);
    for (const { id } of [topic, other]) await join(user, id);
    // Pages ask the database's clock.
    const until = new Date(Date.now() + 3_600_000);
    await mute(topic.id, user, until);
    const back = await leaveAndReturn(user);
    expect(back.userId).not.toBe(user.userId);
    for (const { id } of [topic, other]) await join(back, id);
    const refused = await h.send("POST", `/api/topics/${topic.id}/posts`, {
      token: back.token,
      body: { title: "t", content: "<p>c</p>" },
    });
    expect(refused).toMatchObject({ status: 403, body: { code: "muted", until: until.toISOString() } });
    expect((await back.api.call(contract.topics.get, { topicId: topic.id })).muted).toMatchObject({
      until: until.toISOString(),
    });
    const chat = back.api.call(contract.chat.send, { topicId: topic.id, message: "Psst" });
    expect(await refusalOf(chat)).toMatchObject({ code: "muted" });
    // Only there, and for no other user.
    await write(back, other.id);
    await write(owner, topic.id);
    expect(await remembered(other.id)).toBe(0);

    await h.db
      .updateTable("sanctions")
      .set({ until: new Date(clock - 1) })
      .where("topic_id", "=", topic.id)
      .execute();
    await write(back, topic.id);
    await sweepExpired(h.services);
    expect(await remembered(topic.id)).toBe(0);
  });

  it("follows through two accounts, and ends when the staff lift it or hand the topic to its member", async () => {
    const topic = await makeTopic(owner);
    const user = await signIn(h);
    await join(user, topic.id);
    await mute(topic.id, user);
    const second = await leaveAndReturn(user);
    await join(second, topic.id);
    const later = new Date(Date.now() + 3_600_000);
    await mute(topic.id, second, later);
    const third = await leaveAndReturn(second);
    await join(third, topic.id);
    expect(await refusalOf(write(third, topic.id))).toMatchObject({ code: "muted" });
    const lift = (of: TestUser) =>
      owner.api.call(contract.moderation.lift, { topicId: topic.id, userId: of.userId, kind: "mute" });
    await lift(user);
    // The other one of the two is still in force.
    expect(await refusalOf(write(third, topic.id))).toMatchObject({ code: "muted" });
    const handOver = { topicId: topic.id, userId: third.userId, role: "owner" } as const;
    await owner.api.call(contract.members.setRole, handOver);
    await write(third, topic.id);
    expect(await refusalOf(lift(second))).toMatchObject({ code: "sanction_not_found" });
  });

  it("is found by the proof that opens the gate too, where the sign-in is another one", async () => {
    const topic = await makeTopic(owner);
    await gate(h.db, topic.id, "kyc");
    const seat = {
      circuit: "network_eligibility",
      identityHash: "one wallet",
      expiresAt: new Date(clock + 2 * day),
    };
    const user = await signIn(h);
    await verified(h, user, seat);
    await join(user, topic.id);
    await mute(topic.id, user);
    await withdraw(user);
    const another = await signIn(h);
    await verified(h, another, seat);
    await join(another, topic.id);
    expect(await refusalOf(write(another, topic.id))).toMatchObject({ code: "muted" });
    const stranger = await signIn(h);
    await verified(h, stranger, { ...seat, identityHash: "another wallet" });
    await join(stranger, topic.id);
    await write(stranger, topic.id);
  });
});

describe("security F19: the 24 hours after a removal", () => {
  it("close every way back for someone who withdrew, until they end", async () => {
    const topic = await makeTopic(owner);
    const user = await signIn(h);
    await join(user, topic.id);
    await remove(topic.id, user);
    clock += day / 2;
    const back = await leaveAndReturn(user);
    const { inviteCode } = (await owner.api.call(contract.topics.get, { topicId: topic.id })).topic;
    const byCode = () => back.api.call(contract.topics.joinByInvite, { inviteCode: inviteCode ?? "" });
    for (const again of [() => join(back, topic.id), byCode]) {
      expect(await refusalOf(again())).toMatchObject({ status: 403, code: "request_too_soon" });
    }
    await sweepExpired(h.services);
    expect(await refusalOf(byCode())).toMatchObject({ code: "request_too_soon" });
    clock += day / 2;
    await byCode();
    await sweepExpired(h.services);
    expect(await remembered(topic.id)).toBe(0);
  });

  it("hold for another sign-in that opens the gate with the same proof, public topic or private", async () => {
    for (const visibility of ["public", "private"] as const) {
      const topic = await makeTopic(owner, visibility);
      await gate(h.db, topic.id, "kyc");
      const seat = {
        circuit: "network_eligibility",
        identityHash: `the wallet of a ${visibility} topic`,
        expiresAt: new Date(clock + 2 * day),
      };
      const user = await signIn(h);
      await verified(h, user, seat);
      await join(user, topic.id);
      if (visibility === "private") await addTo(h.db, topic.id, user);
      await remove(topic.id, user);
      await withdraw(user);
      const another = await signIn(h);
      await verified(h, another, seat);
      expect(await refusalOf(join(another, topic.id))).toMatchObject({ code: "request_too_soon" });
      // Nothing of the refused attempt stays: the seat is free when the time is over.
      clock += day + 1;
      await join(another, topic.id);
    }
  });

  it("also those after a rejection, which closes no invite", async () => {
    const topic = await makeTopic(owner, "private");
    const user = await signIn(h);
    await join(user, topic.id);
    const { requests } = await owner.api.call(contract.requests.list, { topicId: topic.id });
    await owner.api.call(contract.requests.decide, {
      topicId: topic.id,
      requestId: requests[0]?.id ?? "",
      action: "reject",
    });
    const back = await leaveAndReturn(user);
    expect(await refusalOf(join(back, topic.id))).toMatchObject({ code: "request_too_soon" });
    const { inviteCode } = (await owner.api.call(contract.topics.get, { topicId: topic.id })).topic;
    await back.api.call(contract.topics.joinByInvite, { inviteCode: inviteCode ?? "" });
    clock += day + 1;
    await sweepExpired(h.services);
    expect(await remembered(topic.id)).toBe(0);
  });

  it("leave nothing of a user who withdraws without any", async () => {
    const topic = await makeTopic(owner);
    const user = await signIn(h);
    await join(user, topic.id);
    await remove(topic.id, user);
    clock += day + 1;
    const identity = await identityOf(h, user);
    await withdraw(user);
    const rows = await h.db
      .selectFrom("remembered_identities")
      .select("user_id")
      .where("identity_hash", "=", identity)
      .execute();
    expect(rows).toEqual([]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { notificationsOf } from "../notifications/testing";
import {
  acceptorOf,
  addTo,
  clientWith,
  gate,
  makePost,
  makeTopic,
  refusalOf,
  signIn,
  someProof,
  verified,
} from "../testing";
import { tellOfProofs } from "./renew";

const day = 24 * 60 * 60 * 1000;
const circuit = "network_eligibility";
let h: Harness;
let owner: TestUser;
beforeAll(async () => {
  h = await createHarness();
  owner = await signIn(h, "owner");
});
afterAll(() => h.close());

type Visibility = Parameters<typeof makeTopic>[1];
/** A topic with a gate, whose members prove again every 30 days. */
async function freshTopic(visibility: Visibility = "private") {
  const { id } = await makeTopic(owner, visibility);
  await gate(h.db, id, "kyc");
  await update(id, { reproveDays: 30 });
  return id;
}
const update = (topicId: string, change: { reproveDays: 30 | 90 | 365 | null }) =>
  owner.api.call(contract.topics.update, { topicId, ...change });
const see = (user: TestUser, topicId: string) => user.api.call(contract.topics.get, { topicId });
const join = (user: Pick<TestUser, "api">, topicId: string, proof = {}) =>
  user.api.call(contract.topics.join, { topicId, ...proof });
/** A user whose new proofs of this person are accepted. */
const prover = (user: TestUser, identityHash = `person ${user.userId}`) => ({
  ...user,
  api: clientWith(h, user, acceptorOf({ circuit, identityHash })),
});
async function memberOf(topicId: string, role: "member" | "admin" = "member") {
  const user = await signIn(h);
  await addTo(h.db, topicId, user, role);
  return user;
}
/** Moves the date of a membership to so many milliseconds from now. */
const setDate = (topicId: string, user: TestUser, ms: number) =>
  h.db
    .updateTable("memberships")
    .set({ reprove_by: new Date(Date.now() + ms), reprove_told: 0 })
    .where("topic_id", "=", topicId)
    .where("user_id", "=", user.userId)
    .execute();
const near = (iso: string | null | undefined, at: number) =>
  expect(Math.abs(Date.parse(iso ?? "") - at)).toBeLessThan(60_000);

describe("reproveDays", () => {
  it("needs a gate, is the owner's to set, and is in the log by name", async () => {
    const { id } = await makeTopic(owner);
    expect(await refusalOf(update(id, { reproveDays: 30 }))).toMatchObject({
      code: "invalid_request",
      field: "reproveDays",
    });
    const topicId = await freshTopic();
    const { entries } = await owner.api.call(contract.moderation.log, { topicId });
    expect(entries[0]).toMatchObject({ action: "topic_edited", details: { fields: "reproveDays" } });
  });

  it("counts from the last proof, but gives everybody a week after the change", async () => {
    const topicId = await freshTopic();
    const [young, old] = [await memberOf(topicId), await memberOf(topicId)];
    const joined = (user: TestUser, days: number) =>
      h.db
        .updateTable("memberships")
        .set({ proven_at: new Date(Date.now() - days * day) })
        .where("user_id", "=", user.userId)
        .execute();
    await joined(young, 10);
    await joined(old, 300);
    await update(topicId, { reproveDays: 90 });
    near((await see(young, topicId)).proof?.reproveBy, Date.now() + 80 * day);
    near((await see(old, topicId)).proof?.reproveBy, Date.now() + 7 * day);
    await update(topicId, { reproveDays: null });
    expect((await see(old, topicId)).proof).toMatchObject({ reproveBy: null, state: "current" });
  });

  it("dates a membership from the verification that opened the gate, and members see it", async () => {
    const topicId = await freshTopic("public");
    const user = await signIn(h);
    await verified(h, user, { circuit });
    const verified_at = new Date(Date.now() - 5 * day);
    await h.db.updateTable("verifications").set({ verified_at }).where("user_id", "=", user.userId).execute();
    await join(user, topicId);
    const { proof } = await see(user, topicId);
    expect(proof).toMatchObject({ provenAt: verified_at.toISOString(), state: "current" });
    near(proof?.reproveBy, Date.now() + 25 * day);
    const { members } = await owner.api.call(contract.members.list, { topicId });
    expect(members.find(({ userId }) => userId === user.userId)?.provenAt).toBe(verified_at.toISOString());
    // There is nothing to renew yet.
    expect(await refusalOf(join(user, topicId))).toMatchObject({ code: "already_member" });
  });
});

it("a change and joins at the same time leave nobody without a date", async () => {
  const { id: topicId } = await makeTopic(owner);
  await gate(h.db, topicId, "kyc");
  const users = await Promise.all(Array.from({ length: 20 }, () => signIn(h)));
  for (const user of users) await verified(h, user, { circuit });
  const [first, ...others] = users.map((user) => () => join(user, topicId));
  await Promise.all([first?.(), update(topicId, { reproveDays: 30 }), ...others.map((act) => act())]);
  const dates = await h.db
    .selectFrom("memberships")
    .select("reprove_by")
    .where("topic_id", "=", topicId)
    .execute();
  expect(dates.filter((row) => row.reprove_by === null)).toEqual([]);
  expect(dates).toHaveLength(21);
});

describe("a membership past its date", () => {
  it.each(["private", "secret"] as const)(
    "of a %s topic: 403 reprove_required, but not removed",
    async (visibility) => {
      const topicId = await freshTopic(visibility);
      const user = await memberOf(topicId);
      const post = await makePost(owner, topicId, `Words of the ${visibility} topic`);
      const own = await makePost(user, topicId, "My own");
      const again = { status: 403, code: "reprove_required" };
      const feed = async () =>
        (await user.api.call(contract.feed.list, { view: "my" })).posts.map(({ id }) => id);
      const found = async () =>
        JSON.stringify(
          await user.api.call(contract.search.all, { q: `words of the ${visibility}` }),
        ).includes(post.id);
      expect([(await feed()).includes(post.id), await found()]).toEqual([true, true]);

      await setDate(topicId, user, -1000);
      const calls = [
        user.api.call(contract.posts.list, { topicId }),
        user.api.call(contract.posts.get, { postId: post.id }),
        user.api.call(contract.chat.list, { topicId }),
        user.api.call(contract.chat.send, { topicId, message: "Hello" }),
        user.api.call(contract.members.list, { topicId }),
        user.api.call(contract.moderation.log, { topicId }),
        makePost(user, topicId),
        user.api.call(contract.comments.create, { postId: post.id, content: "Hello" }),
        user.api.call(contract.posts.vote, { postId: post.id, value: 1 }),
        user.api.call(contract.topics.createInvite, { topicId }),
      ];
      for (const refusal of await Promise.all(calls.map(refusalOf))) expect(refusal).toMatchObject(again);
      expect([(await feed()).includes(post.id), await found()]).toEqual([false, false]);
      const view = await see(user, topicId);
      expect(view).toMatchObject({ currentUserRole: "member", proof: { state: "lapsed" } });
      expect([view.topic.abilities, view.topic.inviteCode]).toEqual([["join", "report"], null]);
      // They remain a member, whom others see, and may delete what they wrote.
      const { members } = await owner.api.call(contract.members.list, { topicId });
      expect(members.map(({ userId }) => userId)).toContain(user.userId);
      await user.api.call(contract.posts.delete, { postId: own.id });
    },
  );

  it("of a public topic: reads go on, as for everybody", async () => {
    const topicId = await freshTopic("public");
    const user = await memberOf(topicId);
    const post = await makePost(owner, topicId);
    await setDate(topicId, user, -1000);
    await user.api.call(contract.posts.get, { postId: post.id });
    expect(await refusalOf(makePost(user, topicId))).toMatchObject({ code: "reprove_required" });
  });

  it("is renewed by a new proof alone, by join or invite, with role and mute as before", async () => {
    const topicId = await freshTopic();
    const admin = await memberOf(topicId, "admin");
    await verified(h, admin, { circuit });
    await h.db
      .updateTable("verifications")
      .set({ verified_at: new Date(Date.now() - day) })
      .where("user_id", "=", admin.userId)
      .execute();
    await setDate(topicId, admin, -1000);
    // The stored verification is older than the membership.
    expect(await refusalOf(join(admin, topicId))).toMatchObject({ status: 402, code: "proof_required" });
    await join(prover(admin), topicId, someProof);
    expect(await see(admin, topicId)).toMatchObject({
      currentUserRole: "admin",
      proof: { state: "current" },
    });
    near((await see(admin, topicId)).proof?.reproveBy, Date.now() + 30 * day);
    await makePost(admin, topicId);

    await setDate(topicId, admin, -1000);
    const { inviteCode } = (await see(owner, topicId)).topic;
    await prover(admin).api.call(contract.topics.joinByInvite, {
      inviteCode: inviteCode ?? "",
      ...someProof,
    });
    expect((await see(admin, topicId)).proof?.state).toBe("current");
  });

  it("is not renewed by a person who joined with another account", async () => {
    const topicId = await freshTopic("public");
    const [one, two] = [await signIn(h), await signIn(h)];
    await join(prover(one, "one wallet"), topicId, someProof);
    await join(prover(two, "another wallet"), topicId, someProof);
    await setDate(topicId, two, -1000);
    expect(await refusalOf(join(prover(two, "one wallet"), topicId, someProof))).toMatchObject({
      code: "proof_used",
    });
    expect((await see(two, topicId)).proof?.state).toBe("lapsed");
  });

  it("can be left; its owner proves again or deletes the topic", async () => {
    const topicId = await freshTopic();
    const user = await memberOf(topicId);
    await setDate(topicId, user, -1000);
    await user.api.call(contract.topics.leave, { topicId });
    expect((await see(user, topicId)).currentUserRole).toBeNull();
    await setDate(topicId, owner, -1000);
    expect(await refusalOf(update(topicId, { reproveDays: null }))).toMatchObject({
      code: "reprove_required",
    });
    await owner.api.call(contract.topics.delete, { topicId });
  });
});

describe("whose proof is due", () => {
  it("may prove again within the week before, and do everything until then", async () => {
    const topicId = await freshTopic();
    const user = await memberOf(topicId);
    await setDate(topicId, user, 6 * day);
    const { proof, topic } = await see(user, topicId);
    expect([proof?.state, topic.abilities]).toEqual(["due", ["join", "write", "report"]]);
    await makePost(user, topicId);
    await join(prover(user), topicId, someProof);
    expect((await see(user, topicId)).proof?.state).toBe("current");
  });

  it("is notified once before the date and once at it, whichever processes look", async () => {
    const topicId = await freshTopic("secret");
    const user = await memberOf(topicId);
    const kinds = async () => (await notificationsOf(user)).map(({ kind }) => kind);
    const look = () => Promise.all([tellOfProofs(h.services), tellOfProofs(h.services)]);
    await setDate(topicId, user, 8 * day);
    await look();
    expect(await kinds()).toEqual([]);
    await setDate(topicId, user, 6 * day);
    await look();
    await look();
    const [due] = await notificationsOf(user);
    expect(due).toMatchObject({ kind: "proof_due", actor: null, topicTitle: "A topic" });
    near(due?.details.until, Date.now() + 6 * day);
    await h.db
      .updateTable("memberships")
      .set({ reprove_by: new Date(Date.now() - 1000) })
      .where("user_id", "=", user.userId)
      .execute();
    await look();
    await look();
    expect((await kinds()).toSorted()).toEqual(["proof_due", "proof_lapsed"]);
    // A renewal starts over.
    await join(prover(user), topicId, someProof);
    await setDate(topicId, user, 6 * day);
    await look();
    expect((await kinds()).filter((kind) => kind === "proof_due")).toHaveLength(2);
  });
});

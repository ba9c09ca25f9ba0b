import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { contentHashOf, postIdHashOf, readRecord } from "@/lib/proofs/records";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { type RecordWorld, startRecordWorld } from "@/lib/testing/records";
import { comeBack, identityOf } from "../profile/testing";
import { addTo, makeTopic, refusalOf, signIn } from "../testing";
import { numbersOf, oldPost, recordsOf, recordTopic } from "./testing";

let world: RecordWorld;
let wallet: Awaited<ReturnType<RecordWorld["wallet"]>>;
let h: Harness;
let topic: Awaited<ReturnType<typeof recordTopic>>;
let member: TestUser;
beforeAll(async () => {
  world = await startRecordWorld();
  wallet = await world.wallet();
  h = await createHarness(world.options(wallet.key));
  topic = await recordTopic(h, 2);
  [member = expect.fail()] = topic.people;
});
afterAll(async () => {
  await h.close();
  await world.stop();
});

const record = (user: TestUser, postId: string) => user.api.call(contract.records.record, { postId });
const status = (user: TestUser, postId: string) => user.api.call(contract.records.status, { postId });
const list = (user: Pick<TestUser, "api">, postId: string) =>
  user.api.call(contract.records.list, { postId });
const newMember = async () => {
  const user = await signIn(h, "recorder");
  await addTo(h.db, topic.topicId, user);
  return user;
};

/** That both say the same: the status beforehand, and the refusal. */
async function expectRefused(user: TestUser, postId: string, code: string, words?: RegExp) {
  const said = await status(user, postId);
  expect(said).toMatchObject({ allowed: false, code });
  const refused = await h.send("POST", `/api/posts/${postId}/record`, { token: user.token });
  expect(refused).toMatchObject({ status: 403, body: { code, error: said.reason } });
  if (words) expect(said.reason).toMatch(words);
}

describe("POST /api/posts/{postId}/record", () => {
  it("records the hash of the returned content on the chain, counts it, and notifies the author", async () => {
    const user = await newMember();
    const post = await oldPost(h, topic);
    const { success, record: made } = await record(user, post.id);
    expect([success, made.status, made.recordCount]).toEqual([true, "confirmed", 1]);
    const { post: shown } = await user.api.call(contract.posts.get, { postId: post.id });
    expect([shown.recordCount, shown.userRecorded]).toEqual([1, true]);
    expect(made.contentHash).toBe(contentHashOf(shown.content));

    const { records, recordCount, postEdited, userRecorded, board } = await list(user, post.id);
    expect([recordCount, postEdited, userRecorded]).toEqual([1, false, true]);
    expect(records).toMatchObject([
      { id: made.id, txHash: made.txHash, contentHashMatch: true, recorderNickname: user.nickname },
    ]);
    // interface 24: a picture drawn from the id is the same as beside their posts.
    expect(records[0]?.recorderId).toBe(user.userId);
    // Anyone can check it with only what the response says.
    const txHash: `0x${string}` = `0x${made.txHash?.slice(2)}`;
    const found = await readRecord(world.chain.client, { txHash, board: world.board });
    expect(found).toMatchObject({
      ...{ contentHash: contentHashOf(shown.content), postIdHash: board?.postIdHash, sender: board?.sender },
      blockNumber: records[0]?.blockNumber,
    });
    expect(board).toMatchObject({ chainId: 8453, address: world.board, sender: wallet.address });
    const told = await h.db
      .selectFrom("notifications")
      .select(["user_id", "kind", "actor_id", "post_id"])
      .where("post_id", "=", post.id)
      .execute();
    expect(told).toEqual([
      { user_id: topic.author.userId, kind: "post_recorded", actor_id: user.userId, post_id: post.id },
    ]);
  });

  it("says on the chain nothing that links a person to another record, or to themselves elsewhere", async () => {
    const [one, two] = [await newMember(), await newMember()];
    const [a, b] = [await oldPost(h, topic), await oldPost(h, topic)];
    await record(one, a.id);
    await record(one, b.id);
    await record(two, a.id);
    const seen = (await world.events(wallet.address)).slice(-3);
    expect(seen.map((event) => event.postIdHash)).toEqual([a, b, a].map(({ id }) => postIdHashOf(id)));
    const people = seen.flatMap((event) => [event.authorHash, event.recorderHash]);
    // Of one post both records name the same author; nothing else is twice there.
    expect(new Set(people).size).toBe(5);
    expect(seen[0]?.authorHash).toBe(seen[2]?.authorHash);
  });

  it("404 for what is no post, and for a post that is deleted", async () => {
    expect(await refusalOf(record(member, randomUUID()))).toMatchObject({ code: "post_not_found" });
    const post = await oldPost(h, topic);
    await topic.author.api.call(contract.posts.delete, { postId: post.id });
    expect(await refusalOf(record(member, post.id))).toMatchObject({ code: "post_not_found" });
  });

  it("is for members that may write: outsiders, muted ones and hidden posts come first", async () => {
    const outsider = await signIn(h, "outsider");
    const young = await oldPost(h, topic, { ageMs: 0 });
    await expectRefused(outsider, young.id, "not_a_member");
    const muted = await newMember();
    await topic.author.api.call(contract.moderation.sanction, {
      topicId: topic.topicId,
      userId: muted.userId,
      kind: "mute",
      reason: "r",
    });
    await expectRefused(muted, young.id, "muted");
    await topic.author.api.call(contract.moderation.hidePost, {
      postId: young.id,
      hidden: true,
      reason: "r",
    });
    await expectRefused(member, young.id, "post_hidden");
  });

  it("refuses in this order: own post, younger than an hour, recorded already, three that day", async () => {
    const user = await newMember();
    const own = await oldPost(h, { topicId: topic.topicId, author: user }, { ageMs: 0 });
    await expectRefused(user, own.id, "record_own_post");
    const young = await oldPost(h, topic, { ageMs: 61_000 });
    await expectRefused(user, young.id, "record_too_new", /in 59 minutes/);

    const posts = [];
    for (let i = 0; i < 3; i += 1) posts.push(await oldPost(h, topic));
    for (const [i, { id }] of posts.entries()) {
      expect(await status(user, id)).toMatchObject({ allowed: true, code: null, leftToday: 3 - i });
      await record(user, id);
    }
    for (const { id } of posts) await expectRefused(user, id, "record_already");
    await expectRefused(user, (await oldPost(h, topic)).id, "record_limit", /midnight UTC/);
    await expectRefused(user, young.id, "record_too_new");
    await expectRefused(user, own.id, "record_own_post");
    expect((await recordsOf(h, user.userId)).used).toBe(3);
    expect((await world.events(wallet.address)).length).toBe((await numbersOf(h, wallet.address)).length);
  });

  it("counts days by UTC", async () => {
    let now = new Date("2031-05-05T23:59:00Z");
    const later = await createHarness({ ...world.options((await world.wallet()).key), now: () => now });
    const other = await recordTopic(later, 1);
    const [user = expect.fail()] = other.people;
    for (let i = 0; i < 3; i += 1) await record(user, (await oldPost(later, other)).id);
    const fourth = await oldPost(later, other);
    expect(await refusalOf(record(user, fourth.id))).toMatchObject({ code: "record_limit" });
    now = new Date("2031-05-06T00:00:00Z");
    expect(await status(user, fourth.id)).toMatchObject({ allowed: true, leftToday: 3 });
    expect((await record(user, fourth.id)).record.status).toBe("confirmed");
    await later.close();
  });

  it("counts the day of a person, who cannot shed it by withdrawing", async () => {
    const user = await newMember();
    for (let i = 0; i < 2; i += 1) await record(user, (await oldPost(h, topic)).id);
    const identity = await identityOf(h, user);
    await user.api.call(contract.profile.deleteAccount, {});
    const back = await comeBack(h, identity);
    await addTo(h.db, topic.topicId, back);
    const third = await oldPost(h, topic);
    expect(await status(back, third.id)).toMatchObject({ allowed: true, leftToday: 1 });
    await record(back, third.id);
    await expectRefused(back, (await oldPost(h, topic)).id, "record_limit");
    // Withdrawing twice adds them up.
    await back.api.call(contract.profile.deleteAccount, {});
    const again = await comeBack(h, identity);
    await addTo(h.db, topic.topicId, again);
    await expectRefused(again, (await oldPost(h, topic)).id, "record_limit");
  });

  it("prevents edits of the post", async () => {
    const post = await oldPost(h, topic);
    await record(member, post.id);
    const edit = topic.author.api.call(contract.posts.update, { postId: post.id, title: "new" });
    expect(await refusalOf(edit)).toMatchObject({ status: 409, code: "post_recorded" });
  });
});

describe("GET /api/posts/{postId}/record-status", () => {
  it("says what it costs us", async () => {
    const { cost, allowed } = await status(await newMember(), (await oldPost(h, topic)).id);
    expect([allowed, cost?.chainId, cost?.symbol]).toEqual([true, 8453, "ETH"]);
    // 21,000 of any transaction, the event, the calldata.
    expect(cost?.gas).toBeGreaterThan(21_000);
    expect(cost?.gas).toBeLessThan(40_000);
    expect(BigInt(cost?.wei ?? 0)).toBeGreaterThan(0n);
  });

  it("needs a session, and a topic one may read", async () => {
    const secret = await makeTopic(topic.author, "secret");
    const post = await oldPost(h, { topicId: secret.id, author: topic.author });
    expect((await h.send("GET", `/api/posts/${post.id}/record-status`)).status).toBe(401);
    expect(await refusalOf(status(member, post.id))).toMatchObject({ code: "not_a_member" });
    expect(await refusalOf(list(member, post.id))).toMatchObject({ code: "not_a_member" });
    expect(await refusalOf(list({ api: h.guest }, post.id))).toMatchObject({ code: "post_not_found" });
  });
});

describe("GET /api/posts/{postId}/records", () => {
  it("lists confirmed ones, latest first, with withdrawn users as such", async () => {
    const post = await oldPost(h, topic);
    const [one, two] = [await newMember(), await newMember()];
    await record(one, post.id);
    await record(two, post.id);
    await one.api.call(contract.profile.deleteAccount, {});
    const { records, recordCount, userRecorded } = await list({ api: h.guest }, post.id);
    expect(records.map((row) => row.recorderNickname)).toEqual([two.nickname, "[withdrawn]"]);
    expect([recordCount, userRecorded]).toEqual([2, false]);
  });

  it("shows when the text is not the one that was recorded", async () => {
    const post = await oldPost(h, topic);
    await record(member, post.id).catch(() => undefined);
    const user = await newMember();
    await record(user, post.id);
    await h.db.updateTable("posts").set({ content: "<p>forged</p>" }).where("id", "=", post.id).execute();
    const { records, postEdited } = await list({ api: h.guest }, post.id);
    expect(postEdited).toBe(true);
    expect(records.every((row) => row.contentHashMatch)).toBe(false);
  });
});

describe("an installation without a record board or a key for it", () => {
  it("says so after all other reasons, and uses nothing up", async () => {
    const bare = await createHarness();
    const other = await recordTopic(bare, 1);
    const [user = expect.fail()] = other.people;
    const post = await oldPost(bare, other);
    expect(await status(user, post.id)).toMatchObject({
      ...{ allowed: false, code: "record_unavailable", cost: null, leftToday: 3 },
    });
    expect(await refusalOf(record(user, post.id))).toMatchObject({ status: 503, code: "record_unavailable" });
    const young = await oldPost(bare, other, { ageMs: 0 });
    expect(await refusalOf(record(user, young.id))).toMatchObject({ code: "record_too_new" });
    expect((await bare.guest.call(contract.records.list, { postId: post.id })).board).toBeNull();
    expect(await recordsOf(bare, user.userId)).toEqual({ rows: [], used: 0 });
    await bare.close();
  });
});

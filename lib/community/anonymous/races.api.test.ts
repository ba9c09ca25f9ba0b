import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { png } from "@/lib/testing/images";
import { makeTopic, refusalOf, signIn } from "../testing";
import { crowdOf, heldMemberships, type Insider } from "./testing";

const MINUTE = 60_000;

/** Acts that come at once: each has looked up all before the first is written. */
const held = heldMemberships();
let h: Harness;
let clock = Date.UTC(2026, 10, 28, 12, 3);
let owner: TestUser;
let topicId: string;
let one: Insider;
let other: Insider;

beforeAll(async () => {
  const { memberships } = held;
  h = await createHarness({ now: () => new Date(clock), memberships, env: { ANONYMOUS_MINIMUM: "2" } });
});
afterAll(() => h.close());
beforeEach(async () => {
  owner = await signIn(h, "owner");
  topicId = (await makeTopic(owner)).id;
  const [first, second] = await crowdOf(h, topicId, 2, (at) => {
    clock = at;
  });
  if (!first || !second) throw new Error("the crowd has nobody");
  [one, other] = [first, second];
});

/** A ban of before the terms that everybody has read by now. */
async function banSomebody(): Promise<void> {
  const ends_at = new Date(clock + 24 * 60 * MINUTE);
  const ban = { week: 1, tag: `0x${"1".repeat(64)}`, created_at: new Date(clock - 1), ends_at };
  await h.db
    .insertInto("anonymous_bans")
    .values({ topic_id: topicId, ...ban })
    .execute();
}

const acts = () => h.db.selectFrom("anonymous_acts").selectAll().where("topic_id", "=", topicId).execute();

it("100 parallel uses of one slot make one post, and the same act sent 20 times is answered 20 times", async () => {
  const terms = one.terms();
  const bodies = await Promise.all(Array.from({ length: 100 }, () => one.post(3, {}, { terms })));
  held.until(bodies.length);
  const results = await Promise.allSettled(bodies.map((body) => h.guest.call(contract.anonymous.post, body)));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  for (const result of results)
    if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "slot_used" });
  expect(await acts()).toHaveLength(1);
  expect((await owner.api.call(contract.topics.get, { topicId })).topic.postCount).toBe(1);

  const same = await other.post(0, {}, { terms });
  held.until(20);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => h.guest.call(contract.anonymous.post, same)),
  );
  expect(new Set(answers.map(({ postId }) => postId))).toEqual(new Set([same.id]));
  expect(await acts()).toHaveLength(2);
});

it("two authors who want the same id get one post", async () => {
  const id = randomUUID();
  const bodies = [await one.post(0, { id }), await other.post(0, { id })];
  held.until(2);
  const results = await Promise.allSettled(bodies.map((body) => h.guest.call(contract.anonymous.post, body)));
  expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(results.find(({ status }) => status === "rejected")).toMatchObject({
    reason: { code: "id_taken" },
  });
});

it("and is refused when a ban of before its terms comes in while it is checked", async () => {
  const { membership, ...body } = await one.post();
  held.until(2);
  const sent = h.guest.call(contract.anonymous.post, { ...body, membership });
  await held.arrived();
  await banSomebody();
  held.letGo();
  expect(await refusalOf(sent)).toMatchObject({ status: 409, code: "terms_expired" });
  expect(await acts()).toEqual([]);
});

it("so are a picture, and a leaf whose former secret was proven not to be banned", async () => {
  const picture = await one.picture(`data:image/png;base64,${png().toString("base64")}`);
  held.until(2);
  const added = h.guest.call(contract.anonymous.picture, picture);
  await held.arrived();
  await banSomebody();
  held.letGo();
  expect(await refusalOf(added)).toMatchObject({ status: 409, code: "terms_expired" });
  expect(await h.db.selectFrom("anonymous_pictures").select("key").execute()).toEqual([]);
  expect(await h.db.selectFrom("uploads").select("key").execute()).toEqual([]);

  const leaf = `0x${"0".repeat(60)}1234`;
  await one.user.api.call(contract.crowd.enrol, { topicId, leaf });
  clock += 7 * 24 * 60 * MINUTE;
  const { api } = await h.login(one.user.nickname);
  const former = await one.former(leaf);
  held.until(2);
  const proven = api.call(contract.crowd.enrol, { topicId, leaf, former });
  await held.arrived();
  await banSomebody();
  held.letGo();
  expect(await refusalOf(proven)).toMatchObject({ status: 409, code: "terms_expired" });
  const { crowd } = await api.call(contract.crowd.get, { topicId });
  expect(Date.parse(crowd.own?.countsFrom ?? "")).toBeGreaterThan(clock);
});

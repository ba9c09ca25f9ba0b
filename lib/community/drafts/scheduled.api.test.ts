import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { withRole } from "../desk/testing";
import { notificationsOf } from "../notifications/testing";
import { addTo, makeTopic, refusalOf, signIn } from "../testing";
import { publishDue } from "./publish";

const HOUR_MS = 3_600_000;
let clock = Date.now();
let h: Harness;
let owner: TestUser;
let writer: TestUser;
let topicId: string;
beforeAll(async () => {
  h = await createHarness({ now: () => new Date(clock) });
});
afterAll(() => h.close());
beforeEach(async () => {
  owner = await signIn(h);
  writer = await signIn(h);
  topicId = (await makeTopic(owner)).id;
  await addTo(h.db, topicId, writer);
});

const inHours = (hours: number) => new Date(clock + hours * HOUR_MS).toISOString();
const schedule = (hours: number, more: object = {}) =>
  writer.api.call(contract.scheduled.create, {
    topicId,
    title: "Later",
    content: "<p>Words.</p>",
    publishAt: inHours(hours),
    ...more,
  });
const waiting = async (by = writer) => (await by.api.call(contract.scheduled.list, {})).scheduled;
const posts = async () => (await owner.api.call(contract.posts.list, { topicId })).posts;
/** Lets time pass without a session's end. */
async function pass(hours: number): Promise<void> {
  clock += 1000;
  await sql`update scheduled_posts set publish_at = publish_at - ${hours} * interval '1 hour'`.execute(h.db);
}

describe("a post that is written now", () => {
  it("is published once its time has come, as if it were written then", async () => {
    const poll = { question: "Tea?", options: ["Yes", "No"], multipleChoice: false, closesAt: inHours(30) };
    const { scheduled } = await schedule(24, { tags: ["tea"], poll });
    expect(scheduled).toMatchObject({ topicId, topicTitle: expect.any(String), problem: null });
    expect(await waiting()).toEqual([scheduled]);
    expect(await waiting(owner)).toEqual([]);
    await pass(23);
    await publishDue(h.services);
    expect(await posts()).toEqual([]);
    await pass(2);
    await Promise.all(Array.from({ length: 10 }, () => publishDue(h.services)));
    const [post, ...more] = await posts();
    expect(more).toEqual([]);
    expect(post).toMatchObject({ title: "Later", authorId: writer.userId, tags: [{ name: "tea" }] });
    expect(post?.poll).toMatchObject({ question: "Tea?", closesAt: poll.closesAt });
    expect(await waiting()).toEqual([]);
    expect(await notificationsOf(writer)).toEqual([]);
  });

  it("is taken back with its text, and then never published", async () => {
    const { scheduled } = await schedule(1);
    const taken = await writer.api.call(contract.scheduled.cancel, { scheduledId: scheduled.id });
    expect(taken.scheduled.post).toMatchObject({ title: "Later", content: "<p>Words.</p>" });
    await pass(2);
    await publishDue(h.services);
    expect(await posts()).toEqual([]);
    const again = writer.api.call(contract.scheduled.cancel, { scheduledId: scheduled.id });
    expect(await refusalOf(again)).toMatchObject({ status: 404, code: "scheduled_not_found" });
  });

  it("is either taken back or published, whoever is faster", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { scheduled } = await schedule(1);
      await pass(2);
      const before = (await posts()).length;
      const [taken] = await Promise.allSettled([
        writer.api.call(contract.scheduled.cancel, { scheduledId: scheduled.id }),
        publishDue(h.services),
      ]);
      await publishDue(h.services);
      expect((await posts()).length - before).toBe(taken.status === "fulfilled" ? 0 : 1);
    }
  });

  it("stays with the reason where the rules of then refuse it, and its author is told", async () => {
    await schedule(1);
    const mute = { topicId, userId: writer.userId, kind: "mute", reason: "Calm down." } as const;
    await owner.api.call(contract.moderation.sanction, mute);
    await pass(2);
    await publishDue(h.services);
    await publishDue(h.services);
    expect(await posts()).toEqual([]);
    expect(await waiting()).toMatchObject([{ problem: "muted", post: { title: "Later" } }]);
    const told = (await notificationsOf(writer)).filter(({ kind }) => kind === "scheduled_refused");
    expect(told).toMatchObject([{ topicId: null, details: { problem: "muted", title: "Later" } }]);
  });

  it("stays with the reason where its author is suspended", async () => {
    await schedule(1);
    const operator = await withRole(h, "operator");
    const { userId } = writer;
    await operator.api.call(contract.desk.sanction, { userId, kind: "suspend", reason: "Spam." });
    await pass(2);
    await publishDue(h.services);
    expect(await posts()).toEqual([]);
    await operator.api.call(contract.desk.lift, { userId, kind: "suspend" });
    // The suspension ended every session.
    writer = await h.login(writer.nickname);
    expect(await waiting()).toMatchObject([{ problem: "suspended" }]);
  });

  it("stays with the reason where its author left", async () => {
    await schedule(1);
    await writer.api.call(contract.topics.leave, { topicId });
    await pass(2);
    await publishDue(h.services);
    expect(await waiting()).toMatchObject([{ problem: "not_a_member" }]);
  });

  it("waits for none that cannot be published", async () => {
    const { scheduled } = await schedule(1);
    // What no handler writes, and so fails for no fault of the author's; more than one round of it.
    await sql`insert into scheduled_posts (user_id, topic_id, content, publish_at, created_at)
      select user_id, topic_id, '{}', publish_at - interval '1 minute', created_at
      from scheduled_posts, generate_series(1, 120) where id = ${scheduled.id}`.execute(h.db);
    await pass(2);
    await publishDue(h.services);
    expect(await posts()).toHaveLength(1);
    await h.db.deleteFrom("scheduled_posts").execute();
  });

  it("is seen by nobody else, and not cancelled by them", async () => {
    const { scheduled } = await schedule(1);
    const foreign = owner.api.call(contract.scheduled.cancel, { scheduledId: scheduled.id });
    expect(await refusalOf(foreign)).toMatchObject({ code: "scheduled_not_found" });
    expect(await posts()).toEqual([]);
  });
});

describe("400, 403 and 409", () => {
  it.each([
    [-1, {}, "publishAt"],
    [24 * LIMITS.scheduled.days + 1, {}, "publishAt"],
    [2, { poll: { options: ["a", "b"], closesAt: inHours(1) } }, "poll.closesAt"],
    [2, { title: " " }, "title"],
  ])("in %d hours, %j", async (hours, more, field) => {
    expect(await refusalOf(schedule(hours, more))).toMatchObject({ status: 400, field });
  });

  it("is for members who may write, twenty at once at most", async () => {
    const stranger = await signIn(h);
    const body = { topicId, title: "T", content: "<p>c</p>", publishAt: inHours(1) };
    expect(await refusalOf(stranger.api.call(contract.scheduled.create, body))).toMatchObject({
      code: "not_a_member",
    });
    const many = Array.from({ length: LIMITS.scheduled.most + 4 }, () => schedule(1));
    const made = (await Promise.allSettled(many)).filter(({ status }) => status === "fulfilled");
    expect(made).toHaveLength(LIMITS.scheduled.most);
    expect(await refusalOf(schedule(1))).toMatchObject({ code: "too_many_scheduled" });
  });
});

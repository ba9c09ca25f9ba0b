import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import type { Harness, TestUser } from "@/lib/testing/harness";
import { createWords, person } from "../moderation/testing";
import { type Cast, createCast, makePost, refusalOf, signIn } from "../testing";
import { actsSince, lastEntry, whileOperator, withRole } from "./testing";

/** The operators' queue: what it shows, and claiming and answering. */
let cast: Cast;
let h: Harness;
let member: TestUser;
let outsider: TestUser;
let operator: TestUser;
let reviewer: TestUser;
let second: TestUser;
let clock = Date.now();
beforeAll(async () => {
  cast = await createCast({ now: () => new Date(clock) });
  ({ h, member, outsider } = cast);
  operator = await withRole(h, "operator");
  reviewer = await withRole(h, "reviewer");
  second = await withRole(h, "reviewer");
});
afterAll(() => h.close());

const queue = async (query: object = {}, user = reviewer) =>
  (await user.api.call(contract.desk.reports, { ...query })).reports;
const reportPost = async (postId: string, reason: "illegal" | "owner" = "illegal", by = outsider) => {
  clock += 1;
  await by.api.call(contract.moderation.reportPost, { postId, reason, details: "See." });
};
const claim = (user: TestUser, reportId: string) => user.api.call(contract.desk.claim, { reportId });
const release = (user: TestUser, reportId: string) => user.api.call(contract.desk.release, { reportId });
const decide = (user: TestUser, reportId: string, action: "dismiss" | "resolve" = "resolve") =>
  user.api.call(contract.desk.decide, { reportId, action, reason: "Quite so." });

/** A post with reports of two people; their ids. */
async function reported() {
  const at = await createWords(cast);
  await reportPost(at.postId);
  await reportPost(at.postId, "illegal", await signIn(h));
  const ids = (await queue({ topicId: at.topicId })).map(({ id }) => id);
  return { ...at, first: ids[0] ?? "", other: ids[1] ?? "" };
}

describe("reports about an operator", () => {
  it.each(["post", "topic", "profile"] as const)(
    "are not theirs to read, claim or decide: a %s",
    async (kind) => {
      const at = await createWords(cast);
      const about = kind === "topic" ? cast.owner : member;
      await whileOperator(h, about, async () => {
        if (kind === "post") await reportPost(at.postId);
        if (kind === "topic") {
          await outsider.api.call(contract.moderation.reportTopic, { topicId: at.topicId, reason: "owner" });
        }
        if (kind === "profile") {
          await outsider.api.call(contract.moderation.reportProfile, {
            userId: about.userId,
            reason: "abuse",
          });
        }
        const filter = kind === "profile" ? { kind } : { kind, topicId: at.topicId };
        expect(await queue(filter, about)).toEqual([]);
        const [report] = await queue(filter, operator);
        const reportId = report?.id ?? "";
        for (const call of [
          () => claim(about, reportId),
          () => release(about, reportId),
          () => decide(about, reportId, "dismiss"),
        ]) {
          expect(await refusalOf(call())).toMatchObject({ status: 404, code: "report_not_found" });
        }
        const told = await about.api.call(contract.notifications.list, { limit: 100 });
        expect(told.notifications.filter((one) => one.kind === "desk_report_opened")).toEqual([]);
        expect(await decide(operator, reportId)).toMatchObject({ decided: 1 });
      });
    },
  );
});

describe("the queue", () => {
  it("shows what, whose, by whom and why, also of a secret topic", async () => {
    const { topicId, postId } = await createWords(cast, "secret");
    await reportPost(postId, "illegal", cast.admin);
    expect(await queue({ topicId })).toEqual([
      {
        id: expect.any(String),
        kind: "post",
        targetId: postId,
        topicId,
        topicTitle: "A topic",
        postId,
        reason: "illegal",
        details: "See.",
        snapshot: { title: "Title", text: "Some words.", files: [] },
        status: "open",
        createdAt: new Date(clock).toISOString(),
        reporter: person(cast.admin),
        reporterRecord: { resolved: 0, dismissed: 0 },
        state: "shown",
        acts: [],
        isHeld: false,
        subject: person(member),
        claimedBy: null,
        decidedAt: null,
        decision: null,
      },
    ]);
  });

  it("says how earlier reports of the reporter were answered", async () => {
    const reporter = await signIn(h);
    const records = [];
    for (const action of ["dismiss", "resolve", "dismiss"] as const) {
      const { topicId, postId } = await createWords(cast);
      await reportPost(postId, "illegal", reporter);
      const [report] = await queue({ topicId });
      records.push(report?.reporterRecord);
      await decide(reviewer, report?.id ?? "", action);
    }
    expect(records).toEqual([
      { resolved: 0, dismissed: 0 },
      { resolved: 0, dismissed: 1 },
      { resolved: 1, dismissed: 1 },
    ]);
  });

  it("filters by reason, kind and topic, and pages oldest first", async () => {
    const topicId = await cast.place();
    const posts = [];
    for (let i = 0; i < 4; i += 1) {
      const { id } = await makePost(member, topicId);
      await reportPost(id, i % 2 ? "owner" : "illegal");
      posts.push(id);
    }
    clock += 1;
    await outsider.api.call(contract.moderation.reportTopic, { topicId, reason: "owner" });
    const targets = async (query: object) => {
      const seen: string[] = [];
      for (let cursor: string | undefined, first = true; first || cursor; first = false) {
        const page = await reviewer.api.call(contract.desk.reports, { topicId, limit: 2, ...query, cursor });
        seen.push(...page.reports.map(({ targetId }) => targetId));
        cursor = page.nextCursor ?? undefined;
      }
      return seen;
    };
    const [a, b, c, d] = posts;
    expect(await targets({})).toEqual([...posts, topicId]);
    expect(await targets({ reason: "illegal" })).toEqual([a, c]);
    expect(await targets({ reason: "owner" })).toEqual([b, d, topicId]);
    expect(await targets({ reason: "owner", kind: "topic" })).toEqual([topicId]);
    const [oldest] = await queue({ topicId });
    await decide(operator, oldest?.id ?? "");
    expect(await targets({})).toEqual([b, c, d, topicId]);
    expect(await targets({ status: "all" })).toEqual([...posts, topicId]);
  });

  it("keeps a report of what is gone, with its subject, and offers no act", async () => {
    const { topicId, postId } = await createWords(cast);
    await reportPost(postId);
    const seen = async () => (await queue({ topicId }, operator)).map(({ state, acts }) => ({ state, acts }));
    expect(await seen()).toEqual([{ state: "shown", acts: ["hide", "delete", "take_files_down"] }]);
    await cast.owner.api.call(contract.topics.delete, { topicId });
    expect(await seen()).toEqual([{ state: "gone", acts: [] }]);
    expect(await queue({ topicId })).toMatchObject([
      { topicId, topicTitle: null, snapshot: { title: "Title" }, subject: { userId: member.userId } },
    ]);
  });

  it("403 for everyone else", async () => {
    const { first } = await reported();
    for (const user of [cast.owner, member, outsider]) {
      for (const call of [() => queue({}, user), () => claim(user, first), () => release(user, first)]) {
        expect(await refusalOf(call())).toMatchObject({ status: 403, code: "operator_required" });
      }
      expect(await refusalOf(decide(user, first))).toMatchObject({ code: "operator_required" });
    }
    expect((await h.send("GET", "/api/desk/reports")).status).toBe(401);
  });
});

describe("claiming", () => {
  it("keeps others from claiming and answering any report of the same content, until it is released", async () => {
    const { topicId, first, other } = await reported();
    expect(await claim(reviewer, first)).toEqual({ success: true, claimed: 2 });
    expect((await queue({ topicId })).map(({ claimedBy }) => claimedBy?.userId)).toEqual([
      reviewer.userId,
      reviewer.userId,
    ]);
    for (const id of [first, other]) {
      expect(await refusalOf(claim(second, id))).toMatchObject({ status: 409, code: "report_claimed" });
      expect(await refusalOf(decide(second, id))).toMatchObject({ code: "report_claimed" });
      expect(await refusalOf(decide(operator, id))).toMatchObject({ code: "report_claimed" });
      expect(await refusalOf(release(second, id))).toMatchObject({ code: "report_claimed" });
    }
    expect(await claim(reviewer, other)).toMatchObject({ claimed: 2 });
    await release(reviewer, other);
    expect(await claim(second, first)).toMatchObject({ claimed: 2 });
    // An operator releases a claim that is in the way.
    await release(operator, first);
    expect(await decide(reviewer, first)).toEqual({ success: true, decided: 2, acted: false });
    expect(await claim(second, first)).toEqual({ success: true, claimed: 0 });
  });

  it("lapses after two hours", async () => {
    const { topicId, first } = await reported();
    await claim(reviewer, first);
    clock += 2 * 60 * 60 * 1000 - 1;
    expect(await refusalOf(claim(second, first))).toMatchObject({ code: "report_claimed" });
    clock += 1;
    expect((await queue({ topicId }))[0]?.claimedBy).toBeNull();
    expect(await claim(second, first)).toMatchObject({ claimed: 2 });
  });

  it("of an answered report leaves later ones of the same content alone", async () => {
    const { topicId, postId, first } = await reported();
    await decide(reviewer, first);
    await reportPost(postId, "illegal", await signIn(h));
    expect(await claim(reviewer, first)).toEqual({ success: true, claimed: 0 });
    expect(await decide(reviewer, first)).toEqual({ success: true, decided: 0, acted: false });
    expect(await queue({ topicId })).toMatchObject([{ claimedBy: null }]);
  });

  it("ends with the decision", async () => {
    const { topicId, first } = await reported();
    await claim(reviewer, first);
    await decide(reviewer, first);
    const answered = await queue({ topicId, status: "all" });
    expect(answered.map(({ claimedBy }) => claimedBy)).toEqual([null, null]);
  });
});

describe("answering", () => {
  it.each(["dismiss", "resolve"] as const)(
    "%s closes all of the same content and logs it once",
    async (action) => {
      const { topicId, postId, first, other } = await reported();
      const since = await lastEntry(h);
      expect(await decide(reviewer, other, action)).toEqual({ success: true, decided: 2, acted: false });
      expect(await decide(second, first, action)).toEqual({ success: true, decided: 0, acted: false });
      expect(await queue({ topicId })).toEqual([]);
      const status = action === "dismiss" ? "dismissed" : "resolved";
      const decided = { status, decision: "Quite so.", decidedAt: new Date(clock).toISOString() };
      expect(await queue({ topicId, status: "all" })).toMatchObject([decided, decided]);
      expect(await actsSince(h, since)).toEqual([
        {
          action: `report_${status}`,
          role: "reviewer",
          actor_id: reviewer.userId,
          target_kind: "post",
          target_id: postId,
          topic_id: topicId,
          reason: "Quite so.",
          details: { reports: "2" },
        },
      ]);
      // The staff answer theirs separately.
      const staff = await cast.owner.api.call(contract.moderation.reports, { topicId });
      expect(staff.openCount).toBe(2);
    },
  );

  it("404 for no report, 400 without a reason", async () => {
    expect(await refusalOf(decide(reviewer, randomUUID()))).toMatchObject({
      status: 404,
      code: "report_not_found",
    });
    const path = `/api/desk/reports/${randomUUID()}`;
    const answer = await h.send("PATCH", path, { token: reviewer.token, body: { action: "resolve" } });
    expect(answer).toMatchObject({ status: 400, body: { field: "reason" } });
  });
});

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import type { Harness, TestUser } from "@/lib/testing/harness";
import { addTo, type Cast, createCast, makePost, refusalOf, signIn } from "../testing";
import { createWords, hide, kinds, openReports, report as send } from "./testing";

/** Reports and the staff's queue. */
let cast: Cast;
let h: Harness;
let owner: TestUser;
let admin: TestUser;
let member: TestUser;
let other: TestUser;
let outsider: TestUser;
let clock = Date.now();
beforeAll(async () => {
  cast = await createCast({ now: () => new Date(clock) });
  ({ h, owner, admin, member, outsider } = cast);
  other = await signIn(h, "other");
});
afterAll(() => h.close());

async function place(visibility: "public" | "secret" = "public") {
  const words = await createWords(cast, visibility);
  await addTo(h.db, words.topicId, other);
  return words;
}
/** One report later than the one before. */
const report: typeof send = (...sent) => {
  clock += 1;
  return send(...sent);
};
const queue = (user: TestUser, topicId: string, query: object = {}) =>
  user.api.call(contract.moderation.reports, { topicId, ...query });
const decide = (
  user: TestUser,
  topicId: string,
  reportId: string,
  action: "dismiss" | "resolve",
  reason?: string,
) => user.api.call(contract.moderation.decideReport, { topicId, reportId, action, reason });
const logOf = async (topicId: string) =>
  (await member.api.call(contract.moderation.log, { topicId })).entries;

describe.each(kinds)("report a %s", (kind) => {
  it("201: the staff finds it in its queue, with who, whose, what and why", async () => {
    const at = await place();
    expect(await report(other, kind, at, "Look.")).toEqual({ success: true });
    const { reports, openCount, nextCursor } = await queue(admin, at.topicId);
    const person = (user: TestUser) => ({
      userId: user.userId,
      nickname: user.nickname,
      profileImage: null,
    });
    expect([openCount, nextCursor]).toEqual([1, null]);
    expect(reports).toEqual([
      {
        id: expect.any(String),
        topicId: at.topicId,
        postId: at.postId,
        commentId: kind === "post" ? null : at.commentId,
        messageId: null,
        reason: kind === "post" ? "spam" : "abuse",
        details: "Look.",
        status: "open",
        createdAt: new Date(clock).toISOString(),
        reporter: person(other),
        author: { ...person(member), abilities: ["mute", "ban"] },
        title: "Title",
        excerpt: kind === "post" ? "Some words." : "A comment.",
        isHidden: false,
        isDeleted: false,
        snapshot: { title: "Title", text: kind === "post" ? "Some words." : "A comment.", files: [] },
      },
    ]);
  });

  it("201 again changes nothing while the first report is open, and counts again once that is decided", async () => {
    const at = await place();
    for (let i = 0; i < 3; i += 1) expect(await report(other, kind, at)).toEqual({ success: true });
    expect(await openReports(cast, at.topicId)).toEqual([1, 1]);
    await report(admin, kind, at);
    expect(await openReports(cast, at.topicId)).toEqual([2, 2]);
    const { reports } = await queue(owner, at.topicId);
    expect(await decide(owner, at.topicId, reports[0]?.id ?? "", "dismiss")).toEqual({
      success: true,
      decided: 2,
    });
    expect(await openReports(cast, at.topicId)).toEqual([0, 0]);
    await report(other, kind, at);
    expect(await openReports(cast, at.topicId)).toEqual([1, 1]);
  });

  it("201 from a muted member", async () => {
    const at = await place();
    const mute = { topicId: at.topicId, userId: other.userId, kind: "mute", reason: "r" } as const;
    await owner.api.call(contract.moderation.sanction, mute);
    expect(await report(other, kind, at)).toEqual({ success: true });
  });

  it("400, 401, 403, 404", async () => {
    const at = await place("secret");
    const path = kind === "post" ? `/api/posts/${at.postId}/report` : `/api/comments/${at.commentId}/report`;
    const send = async (body: object, token?: string) => {
      const answer = await h.send("POST", path, { token, body });
      return [answer.status, Object(answer.body).field ?? Object(answer.body).code];
    };
    expect(await send({ reason: "spam" })).toEqual([401, "not_authenticated"]);
    expect(await send({ reason: "dislike" }, other.token)).toEqual([400, "reason"]);
    expect(await send({ reason: "spam", details: "x".repeat(1001) }, other.token)).toEqual([400, "details"]);
    expect(await refusalOf(report(outsider, kind, at))).toMatchObject({ status: 403, code: "not_a_member" });
    const absent = { ...at, postId: randomUUID(), commentId: randomUUID() };
    const code = kind === "post" ? "post_not_found" : "comment_not_found";
    expect(await refusalOf(report(other, kind, absent))).toMatchObject({ status: 404, code });
    await member.api.call(contract.posts.delete, { postId: at.postId });
    expect(await refusalOf(report(other, kind, at))).toMatchObject({ status: 404, code });
    expect(await openReports(cast, at.topicId)).toEqual([0, 0]);
  });
});

describe("queue", () => {
  it("is oldest first and paged; with status=all the answered ones too", async () => {
    const at = await place();
    await report(other, "comment", at);
    const posts = [];
    for (let i = 0; i < 4; i += 1) {
      const post = await makePost(member, at.topicId, `post ${i}`);
      await report(other, "post", { ...at, postId: post.id });
      posts.push(post);
    }
    const titles = async (query: object) => {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await queue(owner, at.topicId, { limit: 2, ...query, cursor });
        seen.push(...page.reports.map(({ title }) => title));
        cursor = page.nextCursor ?? undefined;
      } while (cursor);
      return seen;
    };
    const everything = ["Title", "post 0", "post 1", "post 2", "post 3"];
    expect(await titles({})).toEqual(everything);
    const { reports } = await queue(owner, at.topicId);
    await decide(owner, at.topicId, reports[1]?.id ?? "", "resolve");
    await decide(owner, at.topicId, reports[3]?.id ?? "", "dismiss");
    expect(await titles({})).toEqual(["Title", "post 1", "post 3"]);
    expect(await titles({ status: "all" })).toEqual(everything);
    const all = await queue(owner, at.topicId, { status: "all" });
    expect(all.reports.map(({ status }) => status)).toEqual([
      "open",
      "resolved",
      "open",
      "dismissed",
      "open",
    ]);
    expect(all.openCount).toBe(3);
  });

  it("shows what was deleted or hidden since as such, with its text only as it was reported", async () => {
    const at = await place();
    const hidden = await makePost(member, at.topicId, "Hidden one");
    await report(other, "comment", at);
    await report(other, "post", { ...at, postId: hidden.id });
    await member.api.call(contract.comments.delete, { commentId: at.commentId });
    await hide(admin, "post", { ...at, postId: hidden.id });
    const { reports } = await queue(owner, at.topicId);
    expect(reports).toMatchObject([
      { isDeleted: true, isHidden: false, excerpt: "", snapshot: { text: "A comment." } },
      { isDeleted: false, isHidden: true, excerpt: "Words." },
    ]);
    // A comment outlives its post.
    const left = await place();
    await report(other, "comment", left);
    await report(other, "post", left);
    await member.api.call(contract.posts.delete, { postId: left.postId });
    expect((await queue(owner, left.topicId)).reports).toMatchObject([
      { isDeleted: false, excerpt: "A comment.", title: "" },
      { isDeleted: true, excerpt: "", title: "", snapshot: { title: "Title", text: "Some words." } },
    ]);
  });

  it("has a changed post as it was reported", async () => {
    const at = await place();
    await report(other, "post", at);
    await member.api.call(contract.posts.update, {
      postId: at.postId,
      title: "Nice",
      content: "<p>Kind.</p>",
    });
    expect((await queue(owner, at.topicId)).reports).toMatchObject([
      { title: "Nice", excerpt: "Kind.", snapshot: { title: "Title", text: "Some words." } },
    ]);
  });

  it("deciding closes every open report of the same thing and of nothing else, and logs it once", async () => {
    const at = await place();
    for (const user of [other, admin, owner]) await report(user, "post", at);
    await report(other, "comment", at);
    const { reports } = await queue(owner, at.topicId);
    const [first, second] = reports;
    const decided = await decide(admin, at.topicId, second?.id ?? "", "resolve", "Quite so.");
    expect(decided).toEqual({ success: true, decided: 3 });
    expect(await openReports(cast, at.topicId)).toEqual([1, 1]);
    // Another decision on the same post is too late.
    expect(await decide(owner, at.topicId, first?.id ?? "", "dismiss")).toEqual({
      success: true,
      decided: 0,
    });
    const states = (await queue(owner, at.topicId, { status: "all" })).reports.map(({ status }) => status);
    expect(states).toEqual(["resolved", "resolved", "resolved", "open"]);
    const log = await logOf(at.topicId);
    expect(log).toMatchObject([
      {
        action: "report_resolved",
        actorId: admin.userId,
        postId: at.postId,
        commentId: null,
        reason: "Quite so.",
        details: { reports: "3" },
      },
    ]);
    // Members read the log: it does not say who reported.
    expect(JSON.stringify(log)).not.toContain(other.userId);
  });

  it("401, 403, 404", async () => {
    const at = await place();
    await report(other, "post", at);
    const [{ id } = { id: "" }] = (await queue(owner, at.topicId)).reports;
    for (const [user, code] of [
      [member, "role_required"],
      [outsider, "not_a_member"],
    ] as const) {
      expect(await refusalOf(queue(user, at.topicId))).toMatchObject({ status: 403, code });
      expect(await refusalOf(decide(user, at.topicId, id, "dismiss"))).toMatchObject({ status: 403, code });
    }
    const elsewhere = await place();
    for (const [topicId, reportId] of [
      [at.topicId, randomUUID()],
      [elsewhere.topicId, id],
    ] as const) {
      expect(await refusalOf(decide(owner, topicId, reportId, "dismiss"))).toMatchObject({
        status: 404,
        code: "report_not_found",
      });
    }
    expect(await refusalOf(queue(owner, randomUUID()))).toMatchObject({ code: "topic_not_found" });
    const path = `/api/topics/${at.topicId}/reports`;
    expect((await h.send("GET", path)).status).toBe(401);
    expect((await h.send("PATCH", path, { body: { reportId: id, action: "dismiss" } })).status).toBe(401);
    const bad = await h.send("PATCH", path, { token: owner.token, body: { reportId: id, action: "agree" } });
    expect(bad.status).toBe(400);
    const cursor = (await h.send("GET", `${path}?cursor=x`, { token: owner.token })).body;
    expect(cursor).toMatchObject({ code: "invalid_request", field: "cursor" });
    expect(await openReports(cast, at.topicId)).toEqual([1, 1]);
  });
});

import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import type { ReportReason } from "@/lib/contract/moderation";
import type { Harness, TestUser } from "@/lib/testing/harness";
import { addTo, type Cast, createCast, general, makePost, onePixel, refusalOf, signIn } from "../testing";
import { createWords, kinds, openReports, report } from "./testing";

/** Who may report what, and who reads the report. */
let cast: Cast;
let h: Harness;
let owner: TestUser;
let member: TestUser;
let outsider: TestUser;
beforeAll(async () => {
  cast = await createCast();
  ({ h, owner, member, outsider } = cast);
});
afterAll(() => h.close());

const deskReports = async (targetId: string) =>
  await h.db
    .selectFrom("desk_reports")
    .select(["kind", "reason", "subject_id", "reporter_id", "topic_id", "snapshot", "details"])
    .where("target_id", "=", targetId)
    .orderBy("created_at")
    .execute();
const queue = async (topicId: string) =>
  (await owner.api.call(contract.moderation.reports, { topicId })).reports;
const say = async (user: TestUser, topicId: string, message: string) =>
  (await user.api.call(contract.chat.send, { topicId, message })).message.id;
const reportMessage = (user: TestUser, topicId: string, messageId: string, reason: ReportReason = "abuse") =>
  user.api.call(contract.moderation.reportMessage, { topicId, messageId, reason });

describe.each(kinds)("a reader who is not a member reports a %s", (kind) => {
  it("201 in a public topic, without a nickname too; 403 where they cannot read it", async () => {
    const at = await createWords(cast);
    const nameless = await h.login();
    expect(await report(outsider, kind, at)).toEqual({ success: true });
    expect(await report(nameless, kind, at)).toEqual({ success: true });
    expect((await queue(at.topicId)).map(({ reporter }) => reporter.userId)).toEqual([
      outsider.userId,
      nameless.userId,
    ]);
    const hidden = await createWords(cast, "secret");
    expect(await refusalOf(report(outsider, kind, hidden))).toMatchObject({ code: "not_a_member" });
  });
});

describe("a chat message", () => {
  it("201: the staff find it, with what it said, and answer it", async () => {
    const topicId = await cast.place();
    const messageId = await say(member, topicId, "Rude words");
    for (let i = 0; i < 2; i += 1) await reportMessage(cast.admin, topicId, messageId);
    await reportMessage(cast.owner, topicId, messageId, "spam");
    expect(await openReports(cast, topicId)).toEqual([2, 2]);
    const reports = await queue(topicId);
    expect(reports).toMatchObject([
      { postId: null, commentId: null, messageId, excerpt: "Rude words", isDeleted: false, title: "" },
      { messageId, reason: "spam" },
    ]);
    expect(reports[0]).toMatchObject({
      snapshot: { title: "", text: "Rude words", files: [] },
      author: { userId: member.userId },
    });
    const other = await say(member, topicId, "Other words");
    await reportMessage(cast.admin, topicId, other);
    const decision = { topicId, reportId: reports[0]?.id ?? "", action: "resolve" } as const;
    expect(await owner.api.call(contract.moderation.decideReport, decision)).toMatchObject({ decided: 2 });
    expect((await queue(topicId)).map((one) => one.messageId)).toEqual([other]);
    const { entries } = await member.api.call(contract.moderation.log, { topicId });
    expect(entries[0]).toMatchObject({
      action: "report_resolved",
      postId: null,
      commentId: null,
      details: { reports: "2", messageId },
    });
  });

  it("stays in the queue with what it said when it is gone", async () => {
    const topicId = await cast.place();
    const messageId = await say(member, topicId, "Gone words");
    await reportMessage(cast.admin, topicId, messageId);
    await member.api.call(contract.chat.delete, { messageId });
    expect(await queue(topicId)).toMatchObject([
      { isDeleted: true, excerpt: "", snapshot: { text: "Gone words" }, author: { userId: member.userId } },
    ]);
  });

  it("is marked in the queue while it is hidden; who cannot read it cannot report it", async () => {
    const topicId = await cast.place();
    const messageId = await say(member, topicId, "Hidden words");
    await reportMessage(cast.admin, topicId, messageId);
    await owner.api.call(contract.moderation.hideMessage, { messageId, hidden: true });
    expect(await queue(topicId)).toMatchObject([{ isHidden: true, isDeleted: false }]);
    const reader = await signIn(h, "reader");
    await addTo(h.db, topicId, reader);
    const refused = () => refusalOf(reportMessage(reader, topicId, messageId));
    expect(await refused()).toMatchObject({ code: "message_not_found" });
    await member.api.call(contract.chat.delete, { messageId });
    expect(await refused()).toMatchObject({ code: "message_not_found" });
  });

  it("notifies the staff once while it is unread", async () => {
    const topicId = await cast.place();
    const [first, second] = [await say(member, topicId, "one"), await say(member, topicId, "two")];
    for (const messageId of [first, first, second]) await reportMessage(cast.admin, topicId, messageId);
    const reporter = await signIn(h);
    await reporter.api.call(contract.topics.join, { topicId });
    await reportMessage(reporter, topicId, first);
    const { notifications } = await owner.api.call(contract.notifications.list, { unread: "true" });
    const about = notifications.filter((one) => one.topicId === topicId);
    expect(about.map(({ kind, details }) => [kind, details.messageId])).toEqual([
      ["report_opened", second],
      ["report_opened", first],
    ]);
  });

  it("404 for an outsider, for a message elsewhere, and for a join", async () => {
    const topicId = await cast.place();
    const elsewhere = await cast.place();
    const messageId = await say(member, elsewhere, "m");
    expect(await refusalOf(reportMessage(outsider, elsewhere, messageId))).toMatchObject({
      status: 404,
      code: "topic_not_found",
    });
    for (const id of [messageId, randomUUID()]) {
      expect(await refusalOf(reportMessage(member, topicId, id))).toMatchObject({
        code: "message_not_found",
      });
    }
    await sql`update chat_messages set type = 'join' where id = ${messageId}`.execute(h.db);
    expect(await refusalOf(reportMessage(member, elsewhere, messageId))).toMatchObject({
      code: "message_not_found",
    });
    const path = `/api/topics/${topicId}/chat/x/report`;
    const answer = await h.send("POST", path, { token: member.token, body: { reason: "spam" } });
    expect(answer).toMatchObject({ status: 404, body: { code: "message_not_found" } });
  });
});

describe("topics, profiles and tags", () => {
  it("a topic goes to the operators only, with title, description and owner", async () => {
    const { topic } = await owner.api.call(contract.topics.create, {
      title: "Bad topic",
      description: "Bad words",
      categoryId: general,
      visibility: "private",
    });
    const topicId = topic.id;
    const body = { topicId, reason: "owner", details: "They threaten people." } as const;
    for (let i = 0; i < 3; i += 1) await outsider.api.call(contract.moderation.reportTopic, body);
    expect(await deskReports(topicId)).toEqual([
      {
        kind: "topic",
        reason: "owner",
        subject_id: owner.userId,
        reporter_id: outsider.userId,
        topic_id: topicId,
        snapshot: { title: "Bad topic", text: "Bad words", files: [] },
        details: "They threaten people.",
      },
    ]);
    expect(await openReports(cast, topicId)).toEqual([0, 0]);
    const secret = await cast.place("secret");
    const refused = outsider.api.call(contract.moderation.reportTopic, { topicId: secret, reason: "spam" });
    expect(await refusalOf(refused)).toMatchObject({ status: 403, code: "topic_secret" });
    const absent = outsider.api.call(contract.moderation.reportTopic, {
      topicId: randomUUID(),
      reason: "spam",
    });
    expect(await refusalOf(absent)).toMatchObject({ status: 404, code: "topic_not_found" });
  });

  it("a profile, by anyone signed in, with its nickname", async () => {
    const rude = await signIn(h, "rude");
    const { userId } = rude;
    await outsider.api.call(contract.moderation.reportProfile, { userId, reason: "abuse" });
    expect(await deskReports(userId)).toMatchObject([
      { kind: "profile", topic_id: null, snapshot: { title: rude.nickname, text: "" } },
    ]);
    for (const absent of ["u_none", "%00", "a b"]) {
      const path = `/api/users/${encodeURIComponent(absent)}/report`;
      const answer = await h.send("POST", path, { token: outsider.token, body: { reason: "spam" } });
      expect(answer, absent).toMatchObject({ status: 404, body: { code: "user_not_found" } });
    }
  });

  it("a tag that the reader can see, and no other", async () => {
    const [open, secret] = [await cast.place(), await cast.place("secret")];
    const tagged = async (topicId: string, tag: string) =>
      await member.api.call(contract.posts.create, { topicId, title: "t", content: "<p>c</p>", tags: [tag] });
    await tagged(open, "Rude Tag");
    await tagged(secret, "Hidden Tag");
    const send = (user: TestUser, tag: string) =>
      user.api.call(contract.moderation.reportTag, { tag, reason: "abuse" });
    await send(outsider, "rude-tag");
    const tagId = async (slug: string) =>
      (await h.db.selectFrom("tags").select("id").where("slug", "=", slug).executeTakeFirst())?.id ?? "";
    expect(await deskReports(await tagId("rude-tag"))).toMatchObject([
      { kind: "tag", subject_id: null, snapshot: { title: "rude-tag" } },
    ]);
    expect(await refusalOf(send(outsider, "hidden-tag"))).toMatchObject({
      status: 404,
      code: "tag_not_found",
    });
    await send(member, "hidden-tag");
    expect(await deskReports(await tagId("hidden-tag"))).toHaveLength(1);
  });
});

describe("who reads a report", () => {
  it.each(kinds)("a %s that is illegal: the staff and the operators", async (kind) => {
    const at = await createWords(cast);
    const target =
      kind === "post"
        ? outsider.api.call(contract.moderation.reportPost, { postId: at.postId, reason: "illegal" })
        : outsider.api.call(contract.moderation.reportComment, {
            commentId: at.commentId,
            reason: "illegal",
          });
    await target;
    expect(await queue(at.topicId)).toMatchObject([{ reason: "illegal" }]);
    const text = kind === "post" ? "Some words." : "A comment.";
    expect(await deskReports(kind === "post" ? at.postId : at.commentId)).toMatchObject([
      { kind, reason: "illegal", subject_id: member.userId, snapshot: { title: "Title", text } },
    ]);
  });

  it("security F4c: that the owner is the problem: not the owner, where they wrote it", async () => {
    const topicId = await cast.place();
    const [theirs, others] = [await makePost(owner, topicId), await makePost(member, topicId)];
    for (const { id } of [theirs, others]) {
      await outsider.api.call(contract.moderation.reportPost, { postId: id, reason: "owner" });
    }
    expect((await queue(topicId)).map(({ postId }) => postId)).toEqual([others.id]);
    expect(await deskReports(theirs.id)).toHaveLength(1);
    expect(await deskReports(others.id)).toHaveLength(1);
    const { notifications } = await owner.api.call(contract.notifications.list, { unread: "true" });
    expect(notifications.filter(({ postId }) => postId === theirs.id)).toEqual([]);
  });

  it("that a member is a nuisance: the staff alone", async () => {
    const at = await createWords(cast);
    await report(outsider, "post", at);
    expect(await deskReports(at.postId)).toEqual([]);
  });
});

describe("security F4d: what was reported", () => {
  it("has the keys of its pictures, and its poll", async () => {
    const topicId = await cast.place();
    const { post } = await member.api.call(contract.posts.create, {
      topicId,
      title: "Pictures",
      content: `<p>See</p><img src="${onePixel}" alt="">`,
      poll: { question: "Which?", options: ["This", "That"] },
    });
    await outsider.api.call(contract.moderation.reportPost, { postId: post.id, reason: "illegal" });
    const [filed] = await deskReports(post.id);
    expect(filed?.snapshot).toEqual({
      title: "Pictures",
      text: "See\n\nWhich?\n- This\n- That",
      files: [expect.stringMatching(new RegExp(`^[a-z]+/posts/${member.userId}/.+\\.png$`))],
    });
  });

  it("stays with the operators when the topic is deleted", async () => {
    const { topicId, postId } = await createWords(cast);
    await outsider.api.call(contract.moderation.reportPost, { postId, reason: "illegal" });
    await owner.api.call(contract.topics.delete, { topicId });
    expect(await deskReports(postId)).toMatchObject([{ snapshot: { title: "Title", text: "Some words." } }]);
  });

  it("names no withdrawn account together with what it wrote", async () => {
    const gone = await signIn(h, "gone");
    const topicId = await cast.place();
    await gone.api.call(contract.topics.join, { topicId });
    const content = `<p>See</p><img src="${onePixel}" alt="">`;
    const post = await makePost(gone, topicId, "Title", content);
    await outsider.api.call(contract.moderation.reportPost, { postId: post.id, reason: "illegal" });
    await outsider.api.call(contract.moderation.reportProfile, { userId: gone.userId, reason: "abuse" });
    await gone.api.call(contract.profile.deleteAccount, {});
    await h.idle();
    for (const table of ["reports", "desk_reports"]) {
      const { rows } = await sql<{
        named: number;
      }>`select count(*)::int as named from ${sql.table(table)} as r
        where r::text like ${`%${gone.userId}%`}`.execute(h.db);
      // The report of the profile itself.
      expect(rows).toEqual([{ named: table === "reports" ? 0 : 1 }]);
    }
    const [profile] = await deskReports(gone.userId);
    expect(profile).toMatchObject({ kind: "profile", subject_id: null });
  });
});

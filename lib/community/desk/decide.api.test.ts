import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import type { DeskAct } from "@/lib/contract/desk";
import type { Harness, TestUser } from "@/lib/testing/harness";
import { createWords } from "../moderation/testing";
import { staffActs } from "../posts/testing";
import { type Cast, createCast, refusalOf, signIn } from "../testing";
import { uploadsOf } from "../uploads/testing";
import { actsSince, ageProof, lastEntry, latestOf, withRole } from "./testing";

/** One request decides a report and acts on what was reported. */
let cast: Cast;
let h: Harness;
let operator: TestUser;
let reviewer: TestUser;
beforeAll(async () => {
  cast = await createCast();
  h = cast.h;
  operator = await withRole(h, "operator");
  reviewer = await withRole(h, "reviewer");
});
afterAll(() => h.close());

const decide = (user: TestUser, reportId: string, act?: DeskAct) =>
  user.api.call(contract.desk.decide, { reportId, action: "resolve", reason: "Against the law.", act });
const queue = async (user: TestUser, topicId: string) =>
  (await user.api.call(contract.desk.reports, { topicId, status: "all" })).reports;
const reportsOn = async (targetId: string) => {
  const { reports } = await operator.api.call(contract.desk.reports, { limit: 100 });
  return reports.filter((report) => report.targetId === targetId);
};

/** A post, a comment and a message of a secret topic, each reported by two members. */
async function reported() {
  const at = await createWords(cast, "secret");
  const { message } = await cast.member.api.call(contract.chat.send, { topicId: at.topicId, message: "Hi." });
  const messageId = message.id;
  for (const { api } of [cast.owner, cast.admin]) {
    await api.call(contract.moderation.reportPost, { postId: at.postId, reason: "illegal" });
    await api.call(contract.moderation.reportComment, { commentId: at.commentId, reason: "illegal" });
    const { topicId } = at;
    await api.call(contract.moderation.reportMessage, { topicId, messageId, reason: "illegal" });
  }
  const reports = await queue(operator, at.topicId);
  const reportOf = (kind: string) => reports.find((one) => one.kind === kind)?.id ?? "";
  return { ...at, messageId, reportOf };
}

const kinds = ["post", "comment", "message"] as const;

describe.each(kinds)("a reported %s", (kind) => {
  it.each(["hide", "delete"] as const)("%s: one request, two entries, all reports closed", async (act) => {
    const at = await reported();
    const targetId = { post: at.postId, comment: at.commentId, message: at.messageId }[kind];
    const since = await lastEntry(h);
    expect(await decide(operator, at.reportOf(kind), act)).toEqual({
      success: true,
      decided: 2,
      acted: true,
    });
    const done = `${kind}_${act === "hide" ? "hidden" : "deleted"}`;
    const of = { role: "operator", target_kind: kind, target_id: targetId, reason: "Against the law." };
    expect(await actsSince(h, since)).toMatchObject([
      { action: done, ...of },
      { action: "report_resolved", ...of, details: { reports: "2" } },
    ]);
    expect(await staffActs(h.db, at.topicId)).toMatchObject([
      { action: done, actor_id: operator.userId, subject_id: cast.member.userId },
    ]);
    const told = act === "hide" ? done : `${kind}_removed`;
    expect(await latestOf(cast.member)).toMatchObject({
      kind: told,
      reason: "Against the law.",
      details: { by: "operators" },
    });
    const closed = (await queue(operator, at.topicId)).filter((one) => one.kind === kind);
    expect(closed).toMatchObject([
      { status: "resolved", state: act === "hide" ? "hidden" : "gone" },
      { status: "resolved", state: act === "hide" ? "hidden" : "gone" },
    ]);
    // Other reports stay open.
    const open = (await queue(operator, at.topicId)).filter(({ status }) => status === "open");
    expect(open).toHaveLength(4);
    // Deciding again does nothing, not even the act.
    const later = await lastEntry(h);
    expect(await decide(operator, at.reportOf(kind), "delete")).toEqual({
      success: true,
      decided: 0,
      acted: false,
    });
    expect(await actsSince(h, later)).toEqual([]);
  });

  it("that is gone or hidden already is closed, and nothing is logged but that", async () => {
    const at = await reported();
    const id = at.reportOf(kind);
    if (kind === "post") await cast.member.api.call(contract.posts.delete, { postId: at.postId });
    else if (kind === "comment")
      await cast.member.api.call(contract.comments.delete, { commentId: at.commentId });
    else
      await cast.owner.api.call(contract.moderation.hideMessage, { messageId: at.messageId, hidden: true });
    const since = await lastEntry(h);
    expect(await decide(operator, id, "hide")).toEqual({ success: true, decided: 2, acted: false });
    expect((await actsSince(h, since)).map(({ action }) => action)).toEqual(["report_resolved"]);
  });
});

describe("who may", () => {
  it("reviewers decide but do not act, and see no acts", async () => {
    const at = await reported();
    const since = await lastEntry(h);
    for (const act of ["hide", "delete", "take_files_down"] as const) {
      expect(await refusalOf(decide(reviewer, at.reportOf("post"), act))).toMatchObject({
        status: 403,
        code: "operator_required",
      });
    }
    expect(await actsSince(h, since)).toEqual([]);
    expect((await queue(reviewer, at.topicId))[0]?.acts).toEqual([]);
    expect((await queue(operator, at.topicId)).find(({ kind }) => kind === "post")?.acts).toEqual([
      "hide",
      "delete",
      "take_files_down",
    ]);
    expect(await decide(reviewer, at.reportOf("post"))).toMatchObject({ decided: 2, acted: false });
  });

  it("what cannot be undone needs a fresh proof, and then nothing happens", async () => {
    const at = await reported();
    const old = await ageProof(h, operator);
    const since = await lastEntry(h);
    for (const act of ["delete", "take_files_down"] as const) {
      expect(await refusalOf(decide(old, at.reportOf("post"), act))).toMatchObject({
        status: 403,
        code: "fresh_proof_required",
      });
    }
    expect(await actsSince(h, since)).toEqual([]);
    expect(await decide(old, at.reportOf("post"), "hide")).toMatchObject({ acted: true });
  });

  it("nobody acts on what another claimed", async () => {
    const at = await reported();
    await reviewer.api.call(contract.desk.claim, { reportId: at.reportOf("post") });
    expect(await refusalOf(decide(operator, at.reportOf("post"), "hide"))).toMatchObject({
      status: 409,
      code: "report_claimed",
    });
    expect(await staffActs(h.db, at.topicId)).toEqual([]);
  });

  it("an act that does not fit, or one with a dismissal, is refused", async () => {
    const at = await reported();
    for (const act of ["freeze", "reset_nickname", "remove_image", "remove_tag"] as const) {
      expect(await refusalOf(decide(operator, at.reportOf("post"), act))).toMatchObject({
        status: 409,
        code: "act_not_possible",
      });
    }
    const path = `/api/desk/reports/${at.reportOf("post")}`;
    const body = { action: "dismiss", act: "hide", reason: "r" };
    expect(await h.send("PATCH", path, { token: operator.token, body })).toMatchObject({
      status: 400,
      body: { field: "act" },
    });
  });

  it("acts as an operator also where they are staff of the topic", async () => {
    const topicId = await cast.place();
    await h.db
      .insertInto("memberships")
      .values({ topic_id: topicId, user_id: operator.userId, role: "admin" })
      .execute();
    const { post } = await cast.member.api.call(contract.posts.create, {
      topicId,
      title: "T",
      content: "<p>c</p>",
    });
    await cast.outsider.api.call(contract.moderation.reportPost, { postId: post.id, reason: "illegal" });
    const since = await lastEntry(h);
    await decide(operator, (await queue(operator, topicId))[0]?.id ?? "", "hide");
    expect((await actsSince(h, since)).map(({ action }) => action)).toEqual([
      "post_hidden",
      "report_resolved",
    ]);
  });
});

describe("other kinds", () => {
  it("a profile: a new nickname, or no image", async () => {
    const troll = await signIn(h, "troll");
    const url = await uploadsOf(h).upload(troll, undefined, "avatar");
    await troll.api.call(contract.profile.setImage, { imageUrl: url });
    await cast.owner.api.call(contract.moderation.reportProfile, { userId: troll.userId, reason: "illegal" });
    const [report] = await reportsOn(troll.userId);
    expect(report).toMatchObject({
      state: "shown",
      acts: ["reset_nickname", "remove_image", "take_files_down"],
    });
    expect(await decide(operator, report?.id ?? "", "remove_image")).toMatchObject({ acted: true });
    expect(await uploadsOf(h).status(url)).toBe(404);
    await cast.owner.api.call(contract.moderation.reportProfile, { userId: troll.userId, reason: "abuse" });
    const [again] = await reportsOn(troll.userId);
    const since = await lastEntry(h);
    expect(await decide(operator, again?.id ?? "", "reset_nickname")).toMatchObject({ acted: true });
    expect((await actsSince(h, since)).map(({ action }) => action)).toEqual([
      "nickname_reset",
      "report_resolved",
    ]);
    const row = await h.db
      .selectFrom("users")
      .select("nickname")
      .where("id", "=", troll.userId)
      .executeTakeFirst();
    expect(row?.nickname).not.toBe(troll.nickname);
  });

  it("a topic is frozen, a tag removed", async () => {
    const topicId = await cast.place();
    await cast.member.api.call(contract.posts.create, {
      topicId,
      title: "T",
      content: "<p>c</p>",
      tags: ["Bad word"],
    });
    await cast.outsider.api.call(contract.moderation.reportTopic, { topicId, reason: "owner" });
    await cast.outsider.api.call(contract.moderation.reportTag, { tag: "bad-word", reason: "abuse" });
    const [ofTopic] = await reportsOn(topicId);
    expect(await decide(operator, ofTopic?.id ?? "", "freeze")).toMatchObject({ acted: true });
    const frozen = await h.db
      .selectFrom("topics")
      .select("frozen_at")
      .where("id", "=", topicId)
      .executeTakeFirst();
    expect(frozen?.frozen_at).not.toBeNull();
    const { reports } = await operator.api.call(contract.desk.reports, { kind: "tag" });
    const [ofTag] = reports;
    expect(ofTag).toMatchObject({ acts: ["remove_tag"] });
    const old = await ageProof(h, operator);
    expect(await refusalOf(decide(old, ofTag?.id ?? "", "remove_tag"))).toMatchObject({
      code: "fresh_proof_required",
    });
    expect(await decide(operator, ofTag?.id ?? "", "remove_tag")).toMatchObject({ acted: true });
    const left = await h.db.selectFrom("tags").select("id").where("slug", "=", "bad-word").execute();
    expect(left).toEqual([]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { userWithIdentity } from "@/lib/session/users";
import type { TestUser } from "@/lib/testing/harness";
import { png } from "@/lib/testing/images";
import { type Cast, createCast, general, makePost, refusalOf, signIn } from "../testing";
import { storeImages } from "../uploads/store";
import { actsSince, lastEntry, latestOf, withRole } from "./testing";

/** What operators do to accounts. */
let cast: Cast;
let operator: TestUser;
let reviewer: TestUser;
let clock = Date.now();
beforeAll(async () => {
  cast = await createCast({
    now: () => new Date(clock),
    env: { APPEAL_ADDRESS: "appeals@example.com" },
  });
  operator = await withRole(cast.h, "operator");
  reviewer = await withRole(cast.h, "reviewer");
});
afterAll(() => cast.h.close());

type Kind = "silence" | "suspend";
const impose = (user: TestUser, kind: Kind, more: object = {}, by = operator) =>
  by.api.call(contract.desk.sanction, { userId: user.userId, kind, reason: "Threats.", ...more });
const lift = (user: TestUser, kind: Kind, by = operator) =>
  by.api.call(contract.desk.lift, { userId: user.userId, kind, reason: "Enough." });
const ask = (user: TestUser, path = "/api/notifications") => cast.h.send("GET", path, { token: user.token });
/** A member of a new topic. */
async function newMember() {
  const user = await signIn(cast.h);
  const topicId = await cast.place();
  await user.api.call(contract.topics.join, { topicId });
  const post = await makePost(cast.member, topicId);
  return { user, topicId, postId: post.id };
}
/** An hour from now, by the clock of the database. */
const soon = () => new Date(Date.now() + 3_600_000).toISOString();

describe("a suspension", () => {
  it("refuses every request with why, until when and whom to write to, and signs out", async () => {
    const user = await signIn(cast.h);
    const since = await lastEntry(cast.h);
    const until = soon();
    expect(await impose(user, "suspend", { until })).toEqual({
      sanction: { kind: "suspend", reason: "Threats.", createdAt: new Date(clock).toISOString(), until },
    });
    expect(await ask(user)).toMatchObject({ status: 401, body: { code: "not_authenticated" } });
    // Signing in again tells them.
    const again = await cast.h.login(user.nickname);
    const refused = { code: "suspended", reason: "Threats.", until, appeal: "appeals@example.com" };
    for (const path of ["/api/notifications", "/api/feed", "/api/auth/session"]) {
      expect(await ask(again, path), path).toMatchObject({ status: 403, body: refused });
    }
    expect(await cast.h.send("POST", "/api/topics", { token: again.token, body: {} })).toMatchObject({
      status: 403,
      body: refused,
    });
    // A browser loses its cookie, and reads as a guest from then on.
    const cookie = await cast.h.send("GET", "/api/feed", { cookie: again.token });
    expect(cookie.headers.get("set-cookie")).toContain("zk-community-session=;");
    await expect(cast.h.memberContext(again.token)).rejects.toThrow();
    expect(await actsSince(cast.h, since)).toMatchObject([
      {
        action: "account_suspended",
        role: "operator",
        actor_id: operator.userId,
        target_kind: "profile",
        target_id: user.userId,
        reason: "Threats.",
        details: { until },
      },
    ]);
    await lift(user, "suspend");
    expect(await latestOf(again)).toMatchObject({ kind: "account_unsuspended", reason: "Enough." });
  });

  it("ends at its time", async () => {
    const user = await signIn(cast.h);
    await impose(user, "suspend", { until: soon() });
    const again = await cast.h.login(user.nickname);
    expect((await ask(again)).status).toBe(403);
    const now = clock;
    clock = Date.now() + 3_700_000;
    expect((await ask(again)).status).toBe(200);
    clock = now;
  });

  it("does not end by withdrawing and signing in with the same identity", async () => {
    const user = await signIn(cast.h);
    const { identity_hash: identity } = await cast.h.db
      .selectFrom("users")
      .select("identity_hash")
      .where("id", "=", user.userId)
      .executeTakeFirstOrThrow();
    await impose(user, "silence");
    await user.api.call(contract.profile.deleteAccount, {});
    await cast.h.idle();
    const successor = await userWithIdentity(cast.h.db, identity ?? "");
    expect(successor.userId).not.toBe(user.userId);
    const next = await cast.h.login(successor.nickname);
    expect(next.userId).toBe(successor.userId);
    await next.api.call(contract.profile.setNickname, { nickname: "successor_of" });
    const again = await cast.h.login("successor_of");
    const topic = again.api.call(contract.topics.create, { title: "T", categoryId: general });
    expect(await refusalOf(topic)).toMatchObject({ code: "silenced" });
    await lift(again, "silence");
    await again.api.call(contract.topics.create, { title: "T", categoryId: general });
  });
});

describe("a silence", () => {
  it("lets read, report and leave, but write nowhere, and says why and until when", async () => {
    const { user, topicId, postId } = await newMember();
    const until = soon();
    await impose(user, "silence", { until });
    expect(await latestOf(user)).toMatchObject({
      kind: "account_silenced",
      reason: "Threats.",
      actor: null,
      details: { until },
    });
    const { api, token } = user;
    for (const [method, path, body] of [
      ["POST", `/api/posts/${postId}/comments`, { content: "c" }],
      ["POST", `/api/posts/${postId}/vote`, { value: 1 }],
      ["POST", `/api/topics/${topicId}/posts`, { title: "T", content: "<p>c</p>" }],
      ["POST", `/api/topics/${topicId}/chat`, { message: "m" }],
      ["POST", "/api/topics", { title: "T", categoryId: general }],
    ] as const) {
      const answer = await cast.h.send(method, path, { token, body });
      const refused = { code: "silenced", reason: "Threats.", until };
      expect(answer, path).toMatchObject({ status: 403, body: refused });
    }
    const { post } = await api.call(contract.posts.get, { postId });
    expect(post.abilities).not.toContain("write");
    expect((await api.call(contract.topics.get, { topicId })).muted).toEqual({ reason: "Threats.", until });
    await api.call(contract.posts.bookmark, { postId });
    await api.call(contract.moderation.reportPost, { postId, reason: "spam" });
    await lift(user, "silence");
    await api.call(contract.comments.create, { postId, content: "c" });
    await api.call(contract.topics.leave, { topicId });
  });

  it("a later one replaces an earlier one; one that ended keeps nobody from writing", async () => {
    const { user, postId } = await newMember();
    await impose(user, "silence");
    await cast.h.db
      .updateTable("account_sanctions")
      .set({ until: new Date(Math.min(Date.now(), clock) - 1000) })
      .where("user_id", "=", user.userId)
      .execute();
    await user.api.call(contract.comments.create, { postId, content: "c" });
    // Nothing is left to lift, so nothing is logged or told.
    const since = await lastEntry(cast.h);
    expect(await refusalOf(lift(user, "silence"))).toMatchObject({ status: 404, code: "sanction_not_found" });
    expect(await actsSince(cast.h, since)).toEqual([]);
    await impose(user, "silence", { reason: "Again." });
    const comment = user.api.call(contract.comments.create, { postId, content: "c" });
    expect(await refusalOf(comment)).toMatchObject({ code: "silenced" });
  });
});

describe("the other acts", () => {
  it("end sessions", async () => {
    const user = await signIn(cast.h);
    const other = await cast.h.login(user.nickname);
    const { userId } = user;
    const ended = await operator.api.call(contract.desk.endSessions, { userId, reason: "A stolen token." });
    expect(ended).toEqual({ success: true, ended: 2 });
    for (const session of [user, other]) expect((await ask(session)).status).toBe(401);
    const again = await cast.h.login(user.nickname);
    expect(await latestOf(again)).toMatchObject({ kind: "sessions_ended", reason: "A stolen token." });
  });

  it("reset a nickname, which nobody can take for a while", async () => {
    const before = await signIn(cast.h);
    await before.api.call(contract.profile.setNickname, { nickname: "rude_name" });
    const user = await cast.h.login("rude_name");
    const { userId } = user;
    const { nickname } = await operator.api.call(contract.desk.resetNickname, { userId, reason: "Rude." });
    expect(nickname).toMatch(/^anon_/);
    expect(await latestOf(user)).toMatchObject({ kind: "nickname_reset", reason: "Rude." });
    const topic = user.api.call(contract.topics.create, { title: "T", categoryId: general });
    expect(await refusalOf(topic)).toMatchObject({ code: "nickname_required" });
    for (const someone of [user, await signIn(cast.h)]) {
      const taken = someone.api.call(contract.profile.setNickname, { nickname: user.nickname });
      expect(await refusalOf(taken)).toMatchObject({ code: "nickname_taken" });
    }
  });

  it("remove a profile image with its file, once", async () => {
    const user = await signIn(cast.h);
    const { userId } = user;
    const ctx = await cast.h.memberContext(user.token);
    const [key = ""] = await storeImages(ctx, "avatar", [png()], "file");
    const { storage } = cast.h.services;
    await user.api.call(contract.profile.setImage, { imageUrl: storage.publicUrl(key) });
    const since = await lastEntry(cast.h);
    for (let i = 0; i < 2; i += 1) {
      await operator.api.call(contract.desk.removeImage, { userId, reason: "Not you." });
    }
    expect(await storage.read(key)).toBeNull();
    expect((await user.api.call(contract.profile.getImage, {})).profileImage).toBeNull();
    expect(await latestOf(user)).toMatchObject({ kind: "image_removed", reason: "Not you." });
    expect(await actsSince(cast.h, since)).toMatchObject([{ action: "image_removed", target_id: userId }]);
  });

  it("show the history of an account", async () => {
    const { user, postId } = await newMember();
    const { userId } = user;
    const own = await makePost(user, await ownTopic(user));
    await cast.outsider.api.call(contract.moderation.reportPost, { postId: own.id, reason: "illegal" });
    await cast.outsider.api.call(contract.moderation.reportProfile, { userId, reason: "abuse" });
    await user.api.call(contract.moderation.reportPost, { postId, reason: "illegal" });
    const { reports } = await reviewer.api.call(contract.desk.reports, { kind: "profile" });
    const about = reports.find(({ targetId }) => targetId === userId);
    expect(about?.subject?.userId).toBe(userId);
    const answer = { reportId: about?.id ?? "", action: "dismiss", reason: "Fine." } as const;
    await reviewer.api.call(contract.desk.decide, answer);
    await impose(user, "silence");
    expect(await reviewer.api.call(contract.desk.account, { userId })).toEqual({
      user: { userId, nickname: user.nickname, profileImage: null },
      role: null,
      sanctions: [
        { kind: "silence", reason: "Threats.", createdAt: new Date(clock).toISOString(), until: null },
      ],
      reportsAbout: { open: 1, dismissed: 1, resolved: 0 },
      reportsBy: { open: 1, dismissed: 0, resolved: 0 },
    });
    expect(await reviewer.api.call(contract.desk.account, { userId: operator.userId })).toMatchObject({
      role: "operator",
    });
  });
});

async function ownTopic(user: TestUser): Promise<string> {
  const { topic } = await user.api.call(contract.topics.create, { title: "T", categoryId: general });
  return topic.id;
}

describe("403, 404, 409", () => {
  it("for reviewers and others, for nobody, for those with a role, and without a sanction", async () => {
    const user = await signIn(cast.h);
    for (const by of [reviewer, cast.owner]) {
      expect(await refusalOf(impose(user, "suspend", {}, by))).toMatchObject({ code: "operator_required" });
      expect(await refusalOf(lift(user, "suspend", by))).toMatchObject({ code: "operator_required" });
      const { userId } = user;
      for (const call of [
        () => by.api.call(contract.desk.endSessions, { userId, reason: "r" }),
        () => by.api.call(contract.desk.resetNickname, { userId, reason: "r" }),
        () => by.api.call(contract.desk.removeImage, { userId, reason: "r" }),
      ]) {
        expect(await refusalOf(call())).toMatchObject({ status: 403, code: "operator_required" });
      }
    }
    const nobody = { ...user, userId: "u_none" };
    expect(await refusalOf(impose(nobody, "silence"))).toMatchObject({ status: 404, code: "user_not_found" });
    for (const protectedUser of [operator, reviewer]) {
      expect(await refusalOf(impose(protectedUser, "suspend"))).toMatchObject({
        status: 409,
        code: "operator_protected",
      });
    }
    expect(await refusalOf(lift(user, "silence"))).toMatchObject({ status: 404, code: "sanction_not_found" });
    expect(await refusalOf(lift(operator, "silence"))).toMatchObject({ status: 403, code: "own_case" });
    expect(await refusalOf(impose(user, "silence", { until: "2020-01-01T00:00:00Z" }))).toMatchObject({
      status: 400,
      field: "until",
    });
  });
});

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { contract } from "@/lib/contract";
import type { HeldKind } from "@/lib/contract/desk-acts";
import { sweepExpired } from "@/lib/runtime/housekeeping";
import type { Harness, TestUser } from "@/lib/testing/harness";
import { png } from "@/lib/testing/images";
import { type Cast, createCast, refusalOf, signIn } from "../testing";
import { sweepUploads } from "../uploads/store";
import { uploadsOf } from "../uploads/testing";
import { sweepUnused } from "../uploads/used";
import { actsSince, ageProof, lastEntry, whileOperator, withRole } from "./testing";

/** Legal holds: what is held stays, whoever deletes it, until an operator releases it. */
let cast: Cast;
let h: Harness;
let use: ReturnType<typeof uploadsOf>;
let operator: TestUser;
let clock = Date.now();
beforeAll(async () => {
  cast = await createCast({ now: () => new Date(clock) });
  h = cast.h;
  use = uploadsOf(h);
  operator = await withRole(h, "operator");
});
afterAll(() => h.close());

const place = async (kind: HeldKind, targetId: string, user = operator) =>
  (await user.api.call(contract.desk.placeHold, { kind, targetId, reason: "An order." })).hold;
const release = (holdId: string, user = operator) =>
  user.api.call(contract.desk.releaseHold, { holdId, reason: "Over." });

const line = z.looseObject({ line: z.enum(["hold", "text", "file"]) });
/** The lines of an export, by what they are. */
async function exported(holdId: string, user = operator) {
  const response = await h.fetch(`http://localhost:3000/api/desk/holds/${holdId}/export`, {
    method: "POST",
    headers: { authorization: `Bearer ${user.token}`, "content-type": "application/json" },
    body: JSON.stringify({ reason: "For the court." }),
  });
  if (response.status !== 200) return { status: response.status, texts: [], files: [], all: "" };
  const all = await response.text();
  const lines = all
    .trim()
    .split("\n")
    .map((text) => line.parse(JSON.parse(text)));
  const of = (what: string) => lines.filter((one) => one.line === what);
  return { status: 200, hold: of("hold")[0], texts: of("text"), files: of("file"), all };
}

let seeds = 0;
/** A post with a picture, a comment and a message of a new member, in a secret topic. */
async function written() {
  const topicId = await cast.place("secret");
  const author = await signIn(h);
  await h.db
    .insertInto("memberships")
    .values({ topic_id: topicId, user_id: author.userId, role: "member" })
    .execute();
  seeds += 1;
  const bytes = png(2, 1, seeds);
  const [inPost, inChat] = [await use.upload(author, bytes), await use.upload(author, bytes)];
  const { post } = await author.api.call(contract.posts.create, {
    topicId,
    title: "Evidence",
    content: `<p>First words.</p><img src="${inPost}" alt="">`,
    poll: { question: "Who?", options: ["One", "Two"] },
  });
  const { comment } = await author.api.call(contract.comments.create, {
    postId: post.id,
    content: "A comment.",
  });
  const { message } = await author.api.call(contract.chat.send, { topicId, message: `A message ${inChat}` });
  return {
    topicId,
    author,
    bytes,
    inPost,
    inChat,
    postId: post.id,
    commentId: comment.id,
    messageId: message.id,
  };
}
const keyOf = (url: string) => h.services.storage.keyOf(url) ?? "";
/** Whether a file is anywhere. */
async function isKept(url: string): Promise<boolean> {
  const { storage } = h.services;
  return Boolean((await storage.read(keyOf(url))) ?? (await storage.readWithheld(keyOf(url))));
}

describe("a hold", () => {
  it.each(["post", "topic", "profile"] as const)(
    "on a %s is not released by an operator whose texts it keeps",
    async (kind) => {
      const at = await written();
      const { author } = at;
      const id = { post: at.postId, topic: at.topicId, profile: author.userId }[kind];
      const hold = await place(kind, id);
      await whileOperator(h, author, async () => {
        expect(await refusalOf(release(hold.id, author))).toMatchObject({ status: 403, code: "own_case" });
      });
      expect(await release(hold.id)).toEqual({ success: true });
    },
  );

  it("on a post keeps text and pictures after its author deletes it; nothing serves them", async () => {
    const at = await written();
    const since = await lastEntry(h);
    const hold = await place("post", at.postId);
    expect(hold).toEqual({
      id: expect.any(String),
      kind: "post",
      targetId: at.postId,
      reason: "An order.",
      placedBy: { userId: operator.userId, nickname: operator.nickname, profileImage: null },
      placedAt: new Date(clock).toISOString(),
      renewedAt: new Date(clock).toISOString(),
      texts: 1,
      files: 1,
      releasedAt: null,
    });
    // The log has no word of what is held.
    const [entry] = await actsSince(h, since);
    expect(entry).toMatchObject({
      action: "hold_placed",
      target_kind: "hold",
      target_id: hold.id,
      topic_id: null,
      details: { kind: "post" },
    });
    expect(JSON.stringify(entry)).not.toContain(at.postId);
    const told = await at.author.api.call(contract.notifications.list, {});
    expect(told.notifications).toEqual([]);

    // It changes nothing for anyone.
    expect(await use.status(at.inPost)).toBe(200);
    await at.author.api.call(contract.posts.delete, { postId: at.postId });
    expect(await use.status(at.inPost)).toBe(404);
    const later = { ...h.services, now: () => new Date(clock + 30 * 24 * 3_600_000) };
    await sweepUploads(later);
    await sweepUnused(later);
    const { texts, files } = await exported(hold.id);
    expect(texts).toMatchObject([
      {
        kind: "post",
        id: at.postId,
        content: {
          title: "Evidence",
          content: expect.stringContaining("First words."),
          authorId: at.author.userId,
          poll: { question: "Who?", options: ["One", "Two"] },
        },
      },
    ]);
    expect(files).toMatchObject([
      { key: keyOf(at.inPost), contentType: "image/png", base64: at.bytes.toString("base64") },
    ]);
  });

  it.each(["comment", "message"] as const)("on a %s keeps it after its deletion", async (kind) => {
    const at = await written();
    const hold = await place(kind, kind === "comment" ? at.commentId : at.messageId);
    if (kind === "comment") await at.author.api.call(contract.comments.delete, { commentId: at.commentId });
    else await at.author.api.call(contract.chat.delete, { messageId: at.messageId });
    const { texts, files } = await exported(hold.id);
    const content = kind === "comment" ? { content: "A comment." } : { message: `A message ${at.inChat}` };
    expect(texts).toMatchObject([{ kind, content }]);
    expect(files).toHaveLength(kind === "comment" ? 0 : 1);
  });

  it("on an account keeps all it wrote and uploaded after its deletion", async () => {
    const at = await written();
    const avatar = await use.upload(at.author, png(3, 1, seeds), "avatar");
    await at.author.api.call(contract.profile.setImage, { imageUrl: avatar });
    const hold = await place("profile", at.author.userId);
    expect(hold).toMatchObject({ texts: 4, files: 3 });
    await at.author.api.call(contract.profile.deleteAccount, {});
    await h.idle();
    await sweepExpired(h.services);
    for (const url of [avatar, at.inPost, at.inChat]) expect(await use.status(url)).toBe(404);
    const { texts, files } = await exported(hold.id);
    expect(texts.map(({ kind }) => kind)).toEqual(["comment", "message", "post", "profile"]);
    expect(files.map(({ key }) => key).toSorted()).toEqual(
      [avatar, at.inPost, at.inChat].map(keyOf).toSorted(),
    );
    expect(files.every(({ base64 }) => typeof base64 === "string")).toBe(true);
  });

  it("on a topic keeps everything in it after its deletion", async () => {
    const at = await written();
    const hold = await place("topic", at.topicId);
    await cast.owner.api.call(contract.topics.delete, { topicId: at.topicId });
    const { texts, files } = await exported(hold.id);
    expect(texts.map(({ kind }) => kind)).toEqual(["comment", "message", "post", "topic"]);
    expect(files.map(({ key }) => key)).toContain(keyOf(at.inPost));
    expect(await use.status(at.inPost)).toBe(404);
    expect(await isKept(at.inPost)).toBe(true);
  });

  it("keeps images that operators take down", async () => {
    const at = await written();
    const hold = await place("post", at.postId);
    await operator.api.call(contract.desk.takeFilesDown, { url: at.inPost, reason: "Illegal." });
    expect(await use.status(at.inPost)).toBe(404);
    expect(await use.status(at.inChat)).toBe(404);
    expect(await isKept(at.inChat)).toBe(false);
    expect((await exported(hold.id)).files).toMatchObject([{ base64: at.bytes.toString("base64") }]);
  });

  it("keeps the copy in a report of what is gone", async () => {
    const at = await written();
    await cast.owner.api.call(contract.moderation.reportPost, { postId: at.postId, reason: "illegal" });
    await at.author.api.call(contract.posts.delete, { postId: at.postId });
    const hold = await place("post", at.postId);
    expect((await exported(hold.id)).texts).toMatchObject([
      { kind: "report", content: { snapshot: { title: "Evidence" } } },
    ]);
    const { reports } = await operator.api.call(contract.desk.reports, { topicId: at.topicId });
    expect(reports).toMatchObject([{ isHeld: true, state: "gone", acts: [] }]);
  });

  it("placed again keeps what came and changed since, besides what it had", async () => {
    const at = await written();
    const first = await place("profile", at.author.userId);
    await at.author.api.call(contract.comments.update, { commentId: at.commentId, content: "Other words." });
    clock += 1_000;
    const since = await lastEntry(h);
    const second = await place("profile", at.author.userId);
    expect(second).toMatchObject({ id: first.id, texts: 5, renewedAt: new Date(clock).toISOString() });
    expect(second.placedAt).toBe(first.placedAt);
    expect((await actsSince(h, since)).map(({ action }) => action)).toEqual(["hold_renewed"]);
    const words = (await exported(first.id)).texts.filter(({ kind }) => kind === "comment");
    expect(JSON.stringify(words)).toContain("A comment.");
    expect(JSON.stringify(words)).toContain("Other words.");
    // Unchanged, it takes nothing twice.
    expect(await place("profile", at.author.userId)).toMatchObject({ texts: 5, files: 2 });
  });
});

describe("releasing", () => {
  it("erases what only the hold kept, and leaves what is still shown", async () => {
    const at = await written();
    const hold = await place("profile", at.author.userId);
    await at.author.api.call(contract.posts.delete, { postId: at.postId });
    expect(await isKept(at.inPost)).toBe(true);
    const since = await lastEntry(h);
    await release(hold.id);
    expect((await actsSince(h, since)).map(({ action }) => action)).toEqual(["hold_released"]);
    expect(await isKept(at.inPost)).toBe(false);
    expect(await use.status(at.inChat)).toBe(200);
    const texts = await h.db.selectFrom("held_texts").select("kind").where("hold_id", "=", hold.id).execute();
    const files = await h.db.selectFrom("held_files").select("key").where("hold_id", "=", hold.id).execute();
    expect([texts, files]).toEqual([[], []]);
    expect((await exported(hold.id)).status).toBe(404);
    expect(await refusalOf(release(hold.id))).toMatchObject({ status: 404, code: "hold_not_found" });
    // A new hold on the same may follow.
    expect((await place("profile", at.author.userId)).id).not.toBe(hold.id);
  });

  it("leaves what another hold keeps", async () => {
    const at = await written();
    const [onPost, onAccount] = [await place("post", at.postId), await place("profile", at.author.userId)];
    await at.author.api.call(contract.posts.delete, { postId: at.postId });
    await release(onPost.id);
    expect(await isKept(at.inPost)).toBe(true);
    expect((await exported(onAccount.id)).files.map(({ key }) => key)).toContain(keyOf(at.inPost));
    await release(onAccount.id);
    expect(await isKept(at.inPost)).toBe(false);
  });
});

describe("who may", () => {
  it("operators; and with a fresh proof what reads or erases", async () => {
    const at = await written();
    const hold = await place("post", at.postId);
    const old = await ageProof(h, operator);
    expect(await refusalOf(release(hold.id, old))).toMatchObject({ code: "fresh_proof_required" });
    expect((await exported(hold.id, old)).status).toBe(403);
    for (const user of [await withRole(h, "reviewer"), cast.owner]) {
      expect(await refusalOf(place("post", at.postId, user))).toMatchObject({ code: "operator_required" });
      expect(await refusalOf(release(hold.id, user))).toMatchObject({ code: "operator_required" });
      expect(await refusalOf(user.api.call(contract.desk.holds, {}))).toMatchObject({
        code: "operator_required",
      });
      expect((await exported(hold.id, user)).status).toBe(403);
    }
    const since = await lastEntry(h);
    expect((await exported(hold.id)).status).toBe(200);
    expect(await actsSince(h, since)).toMatchObject([
      { action: "hold_exported", target_id: hold.id, reason: "For the court." },
    ]);
  });

  it("404 for what does not exist, and then nothing is logged", async () => {
    const since = await lastEntry(h);
    for (const [kind, code] of [
      ["post", "post_not_found"],
      ["comment", "comment_not_found"],
      ["message", "message_not_found"],
      ["topic", "topic_not_found"],
      ["profile", "user_not_found"],
    ] as const) {
      const refused = { status: 404, code, field: "targetId" };
      expect(await refusalOf(place(kind, randomUUID()))).toMatchObject(refused);
      expect(await refusalOf(place(kind, "no-such-thing"))).toMatchObject(refused);
    }
    expect(await actsSince(h, since)).toEqual([]);
    expect((await exported(randomUUID())).status).toBe(404);
  });

  it("lists holds in force, latest first, and all on request", async () => {
    const at = await written();
    const ids: string[] = [];
    for (const [kind, id] of [
      ["post", at.postId],
      ["comment", at.commentId],
      ["message", at.messageId],
    ] as const) {
      clock += 1;
      ids.unshift((await place(kind, id)).id);
    }
    const list = async (status?: "all") =>
      (await operator.api.call(contract.desk.holds, { status, limit: 100 })).holds.map(({ id }) => id);
    expect((await list()).slice(0, 3)).toEqual(ids);
    const page = await operator.api.call(contract.desk.holds, { limit: 2 });
    const next = await operator.api.call(contract.desk.holds, { limit: 2, cursor: page.nextCursor ?? "" });
    expect([...page.holds, ...next.holds].slice(0, 3).map(({ id }) => id)).toEqual(ids);
    await release(ids[0] ?? "");
    expect((await list()).slice(0, 2)).toEqual(ids.slice(1));
    expect((await list("all")).slice(0, 3)).toEqual(ids);
  });
});

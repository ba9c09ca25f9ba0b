import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import type { Harness, TestUser } from "@/lib/testing/harness";
import { addTo, type Cast, createCast, refusalOf, signIn } from "../testing";
import { createWords, hide, kinds, openReports, report as send } from "./testing";

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
const logOf = async (topicId: string) =>
  (await member.api.call(contract.moderation.log, { topicId })).entries;

describe.each(kinds)("hide a %s", (kind) => {
  it("200: its text is for staff and author only, until it is shown again; logged each time, and once", async () => {
    const at = await place();
    const text = async (user: TestUser) => {
      const { post, comments } = await user.api.call(contract.posts.get, { postId: at.postId });
      return kind === "post" ? [post.isHidden, post.title] : [comments[0]?.isHidden, comments[0]?.content];
    };
    const words = kind === "post" ? "Title" : "A comment.";
    expect(await hide(admin, kind, at, true, "Why.")).toEqual({ isHidden: true });
    for (const user of [member, admin, owner]) expect(await text(user)).toEqual([true, words]);
    for (const user of [other, outsider]) expect(await text(user)).toEqual([true, ""]);
    expect(await hide(owner, kind, at, true)).toEqual({ isHidden: true });
    expect(await hide(owner, kind, at, false)).toEqual({ isHidden: false });
    expect(await hide(owner, kind, at, false)).toEqual({ isHidden: false });
    for (const user of [member, other, outsider]) expect(await text(user)).toEqual([false, words]);
    const about = { subjectId: member.userId, postId: at.postId };
    expect(await logOf(at.topicId)).toMatchObject([
      { action: `${kind}_shown`, actorId: owner.userId, reason: null, ...about },
      { action: `${kind}_hidden`, actorId: admin.userId, reason: "Why.", ...about },
    ]);
  });

  it("answers no report and changes no count but that of a post's tags", async () => {
    const at = await place();
    await report(other, kind, at);
    const counts = async () => {
      const [topic, post, tag] = [
        await h.db.selectFrom("topics").select("post_count").where("id", "=", at.topicId).executeTakeFirst(),
        await h.db.selectFrom("posts").select("comment_count").where("id", "=", at.postId).executeTakeFirst(),
        await h.db.selectFrom("topic_tags").select("post_count").where("topic_id", "=", at.topicId).execute(),
      ];
      return { ...topic, ...post, tag };
    };
    await member.api.call(contract.posts.update, { postId: at.postId, tags: ["a", "b"] });
    const before = await counts();
    expect(before).toMatchObject({
      post_count: 1,
      comment_count: 1,
      tag: [{ post_count: 1 }, { post_count: 1 }],
    });
    await hide(admin, kind, at);
    const tag = kind === "post" ? before.tag.map(() => ({ post_count: 0 })) : before.tag;
    expect(await counts()).toEqual({ ...before, tag });
    expect(await openReports(cast, at.topicId)).toEqual([1, 1]);
  });

  it("401, 403, 404", async () => {
    const at = await place();
    for (const [user, code] of [
      [member, "role_required"],
      [other, "role_required"],
      [outsider, "not_a_member"],
    ] as const) {
      expect(await refusalOf(hide(user, kind, at))).toMatchObject({ status: 403, code });
    }
    const path = kind === "post" ? `/api/posts/${at.postId}/hide` : `/api/comments/${at.commentId}/hide`;
    expect((await h.send("POST", path, { body: { hidden: true } })).status).toBe(401);
    expect((await h.send("POST", path, { token: owner.token, body: {} })).status).toBe(400);
    const code = kind === "post" ? "post_not_found" : "comment_not_found";
    const absent = { ...at, postId: randomUUID(), commentId: randomUUID() };
    expect(await refusalOf(hide(owner, kind, absent))).toMatchObject({ status: 404, code });
    if (kind === "post") await member.api.call(contract.posts.delete, { postId: at.postId });
    else await member.api.call(contract.comments.delete, { commentId: at.commentId });
    expect(await refusalOf(hide(owner, kind, at))).toMatchObject({ status: 404, code });
    expect(await logOf(at.topicId)).toEqual([]);
  });
});

describe("a hidden post", () => {
  it("disappears from lists and feeds for everyone, and nobody can write under it", async () => {
    const at = await place();
    await hide(admin, "post", at);
    for (const user of [owner, member, other]) {
      expect((await user.api.call(contract.posts.list, { topicId: at.topicId })).posts).toEqual([]);
    }
    const feed = await h.guest.call(contract.feed.list, { sort: "new", limit: 100 });
    expect(feed.posts.map(({ id }) => id)).not.toContain(at.postId);
    for (const user of [owner, member, other]) {
      const comment = user.api.call(contract.comments.create, { postId: at.postId, content: "c" });
      expect(await refusalOf(comment)).toMatchObject({ status: 403, code: "post_hidden" });
    }
  });
});

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { globalAdmin, staffActs } from "../posts/testing";
import { addTo, makePost, makeTopic, refusalOf, signIn } from "../testing";

let h: Harness;
let owner: TestUser;
let author: TestUser;
let topicId: string;
let postId: string;
beforeAll(async () => {
  h = await createHarness();
  owner = await signIn(h, "owner");
  author = await signIn(h, "author");
  topicId = (await makeTopic(owner)).id;
  postId = (await makePost(owner, topicId)).id;
  await addTo(h.db, topicId, author);
});
afterAll(() => h.close());

const write = async (content: string, user = author, under = postId, parentId?: string) =>
  (await user.api.call(contract.comments.create, { postId: under, content, parentId })).comment;
const change = (commentId: string, content: string, user = author) =>
  user.api.call(contract.comments.update, { commentId, content });
const remove = (commentId: string, user = author) => user.api.call(contract.comments.delete, { commentId });
const page = (id = postId) => h.guest.call(contract.posts.get, { postId: id });
const found = async (q: string) => (await h.guest.call(contract.search.all, { q })).comments.map((c) => c.id);

describe("PATCH", () => {
  it("200: the text changes, updated moves; neither a new comment nor an activity", async () => {
    const post = await makePost(owner, topicId);
    const made = await write("oldtext", author, post.id);
    const before = (await page(post.id)).post;
    const { topic } = await h.guest.call(contract.topics.get, { topicId });
    const { comment } = await change(made.id, "  newtext & <b>more</b> ");
    expect(comment).toEqual({ ...made, content: "newtext & <b>more</b>", updatedAt: expect.any(String) });
    expect(Date.parse(comment.updatedAt)).toBeGreaterThan(Date.parse(made.updatedAt));
    const after = await page(post.id);
    expect(after.comments).toEqual([{ ...comment, abilities: [] }]);
    expect(after.post).toEqual({ ...before, viewCount: 2 });
    expect((await h.guest.call(contract.topics.get, { topicId })).topic.lastActivityAt).toBe(
      topic.lastActivityAt,
    );
    expect([await found("oldtext"), await found("newtext")]).toEqual([[], [made.id]]);
  });

  it.each([{}, { content: " " }, { content: "x".repeat(10_001) }, { content: 1 }])("400", async (body) => {
    const { id } = await write("c");
    const answer = await h.send("PATCH", `/api/comments/${id}`, { token: author.token, body });
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_request", field: "content" } });
  });

  it("403: everyone else, including staff and global admins; an author who is muted or left; a hidden post", async () => {
    const topic = await makeTopic(owner);
    const post = await makePost(owner, topic.id);
    const user = await signIn(h);
    await addTo(h.db, topic.id, user);
    const { id } = await write("c", user, post.id);
    expect(await refusalOf(change(id, "x", owner))).toMatchObject({ status: 403, code: "not_the_author" });
    const { api } = await globalAdmin(h);
    const call = api.call(contract.comments.update, { commentId: id, content: "x" });
    expect(await refusalOf(call)).toMatchObject({ status: 403, code: "not_a_member" });
    const hide = (hidden_at: Date | null) =>
      h.db.updateTable("posts").set({ hidden_at }).where("id", "=", post.id);
    await hide(new Date()).execute();
    expect(await refusalOf(change(id, "x", user))).toMatchObject({ status: 403, code: "post_hidden" });
    await hide(null).execute();
    await h.db
      .insertInto("sanctions")
      .values({
        topic_id: topic.id,
        user_id: user.userId,
        kind: "mute",
        reason: "r",
        created_by: owner.userId,
        until: null,
      })
      .execute();
    expect(await refusalOf(change(id, "x", user))).toMatchObject({ status: 403, code: "muted" });
    await h.db.deleteFrom("memberships").where("user_id", "=", user.userId).execute();
    expect(await refusalOf(change(id, "x", user))).toMatchObject({ status: 403, code: "not_a_member" });
  });

  it("404: no such comment, a deleted one, one under a deleted post", async () => {
    const gone = { status: 404, code: "comment_not_found" };
    expect(await refusalOf(change(randomUUID(), "x"))).toMatchObject(gone);
    const { id } = await write("c");
    await remove(id);
    expect(await refusalOf(change(id, "x"))).toMatchObject(gone);
    const post = await makePost(owner, topicId);
    const under = await write("c", author, post.id);
    await owner.api.call(contract.posts.delete, { postId: post.id });
    expect(await refusalOf(change(under.id, "x"))).toMatchObject(gone);
    expect(
      (await h.send("PATCH", "/api/comments/x", { token: author.token, body: { content: "x" } })).status,
    ).toBe(404);
  });
});

describe("DELETE", () => {
  it("200: it keeps its place in the thread, empty; replies keep their parent; counts follow", async () => {
    const post = await makePost(owner, topicId);
    const made = await write("regretted", author, post.id);
    const reply = await write("reply", owner, post.id, made.id);
    expect(await remove(made.id)).toEqual({ success: true, deletedBy: "author" });
    const after = await page(post.id);
    expect(after.comments).toEqual([
      {
        ...made,
        content: "",
        authorId: null,
        authorNickname: null,
        isDeleted: true,
        deletedBy: "author",
        updatedAt: expect.any(String),
        abilities: [],
      },
      { ...reply, abilities: [] },
    ]);
    expect(after.post.commentCount).toBe(1);
    expect(await found("regretted")).toEqual([]);
    const row = await h.db
      .selectFrom("comments")
      .select("content")
      .where("id", "=", made.id)
      .executeTakeFirst();
    expect(row).toEqual({ content: "" });
    expect(await staffActs(h.db, topicId)).toEqual([]);
  });

  it("200: by owner, admin and global admin it says so, and is logged", async () => {
    const topic = await makeTopic(owner, "secret");
    const post = await makePost(owner, topic.id);
    const admin = await signIn(h);
    await addTo(h.db, topic.id, admin, "admin");
    await addTo(h.db, topic.id, author);
    const global = await globalAdmin(h);
    const ids: string[] = [];
    for (const by of [owner.api, admin.api, global.api]) {
      const { id } = await write("c", author, post.id);
      ids.push(id);
      const gone = await by.call(contract.comments.delete, { commentId: id });
      expect(gone).toEqual({ success: true, deletedBy: "admin" });
    }
    const own = await write("c", owner, post.id);
    expect(await remove(own.id, owner)).toEqual({ success: true, deletedBy: "author" });
    const acts = await staffActs(h.db, topic.id);
    expect(
      acts.map((act) => [act.action, act.actor_id, act.subject_id, act.post_id, act.comment_id]),
    ).toEqual(
      [owner, admin, global.user].map((by, i) => [
        "comment_deleted",
        by.userId,
        author.userId,
        post.id,
        ids[i],
      ]),
    );
    const read = await owner.api.call(contract.posts.get, { postId: post.id });
    expect([read.post.commentCount, read.comments.map((c) => c.deletedBy)]).toEqual([
      0,
      ["admin", "admin", "admin", "author"],
    ]);
  });

  it("200: authors may delete their comment, after leaving and under a deleted post", async () => {
    const topic = await makeTopic(owner);
    const post = await makePost(owner, topic.id);
    await addTo(h.db, topic.id, author);
    const [one, two] = [await write("c", author, post.id), await write("c", author, post.id)];
    await h.db
      .deleteFrom("memberships")
      .where("topic_id", "=", topic.id)
      .where("role", "=", "member")
      .execute();
    await remove(one.id);
    await owner.api.call(contract.posts.delete, { postId: post.id });
    await remove(two.id);
    expect((await page(post.id)).post.commentCount).toBe(0);
  });

  it("403: members who did not write it, and outsiders", async () => {
    const { id } = await write("c", owner);
    expect(await refusalOf(remove(id))).toMatchObject({ status: 403, code: "role_required" });
    expect(await refusalOf(remove(id, await signIn(h)))).toMatchObject({ status: 403, code: "not_a_member" });
  });

  it("404: none, or one that was deleted already, which is counted once", async () => {
    const post = await makePost(owner, topicId);
    const { id } = await write("c", author, post.id);
    await remove(id);
    const gone = { status: 404, code: "comment_not_found" };
    expect(await refusalOf(remove(id))).toMatchObject(gone);
    expect(await refusalOf(remove(id, owner))).toMatchObject(gone);
    expect(await refusalOf(remove(randomUUID()))).toMatchObject(gone);
    expect((await page(post.id)).post.commentCount).toBe(0);
  });
});

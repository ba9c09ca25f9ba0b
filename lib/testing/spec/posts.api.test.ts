import { afterAll, beforeAll, describe, expect } from "vitest";
import { z } from "zod";
import { postEndpoints } from "./rows";
import * as shapes from "./shapes";
import { rowSuite } from "./suite";
import { createWorld, missing, type World } from "./world";

let w: World;
beforeAll(async () => {
  w = await createWorld();
});
afterAll(() => w.close());

const list = z.looseObject({ posts: z.array(shapes.post) });
const onePost = z.looseObject({ post: shapes.post });
const detail = z.looseObject({ post: shapes.post, comments: z.array(shapes.comment) });
const snapshot = z.looseObject({ poll: shapes.poll });
const poll = { question: "Which?", options: ["One", "Two", "Three"] };

describe("the specification: posts, comments, votes, reactions, bookmarks, polls", () => {
  rowSuite(postEndpoints, {
    "GET /api/topics/{topicId}/posts": async () => {
      const { topic, owner, member, post } = await w.place();
      const tagged = await w.post(member, topic.id, { title: "Tagged", tags: ["Blue Sky"] });
      const path = `/api/topics/${topic.id}/posts`;
      const ids = async (query: string, who: typeof owner | null = null) =>
        (await w.ok(200, list, who, "GET", `${path}${query}`)).posts.map(({ id }) => id);
      expect(await ids("?sort=new")).toEqual([tagged.id, post.id]);
      await w.ok(200, z.looseObject({}), owner, "POST", `/api/posts/${post.id}/pin`);
      for (const sort of ["hot", "new", "top", "active", "recorded"]) {
        expect(await ids(`?sort=${sort}`), sort).toEqual([post.id, tagged.id]);
      }
      expect(await ids("?tag=blue-sky")).toEqual([tagged.id]);
      expect(await ids("?limit=1&offset=1")).toEqual([tagged.id]);
      await w.refused(400, null, "GET", `${path}?sort=best`);
      await w.refused(400, null, "GET", `${path}?limit=-1`);
      const closed = await w.place("private");
      await w.refused(401, null, "GET", `/api/topics/${closed.topic.id}/posts`);
      await w.refused(403, owner, "GET", `/api/topics/${closed.topic.id}/posts`);
      const hidden = await w.place("secret");
      await w.refused(403, owner, "GET", `/api/topics/${hidden.topic.id}/posts`);
      expect(
        (await w.ok(200, list, hidden.member, "GET", `/api/topics/${hidden.topic.id}/posts`)).posts,
      ).toHaveLength(1);
    },

    "POST /api/topics/{topicId}/posts": async () => {
      const { topic, member, outsider } = await w.place();
      const path = `/api/topics/${topic.id}/posts`;
      const body = { title: "Title", content: "<p>Text</p>", tags: ["One", "Two"] };
      const made = (await w.ok(201, onePost, member, "POST", path, body)).post;
      expect(made).toMatchObject({
        title: "Title",
        content: "<p>Text</p>",
        authorId: member.userId,
        authorNickname: member.nickname,
        tags: [
          { name: "One", slug: "one" },
          { name: "Two", slug: "two" },
        ],
        upvoteCount: 0,
        commentCount: 0,
        isPinned: false,
        userVoted: null,
      });
      await w.refused(401, null, "POST", path, body);
      await w.refused(403, outsider, "POST", path, body);
      await w.refused(400, member, "POST", path, { content: "<p>Text</p>" });
      await w.refused(400, member, "POST", path, { title: "Title" });
      await w.refused(400, member, "POST", path, { ...body, tags: ["a", "b", "c", "d", "e", "f"] });
    },

    "GET /api/posts/{postId}": async () => {
      const { topic, member, post, outsider } = await w.place();
      await w.comment(member, post.id, "First!");
      const path = `/api/posts/${post.id}`;
      const first = await w.ok(200, detail, null, "GET", path);
      expect(first.post.topicTitle).toBe(topic.title);
      expect(first.comments.map(({ content }) => content)).toEqual(["First!"]);
      const second = await w.ok(200, detail, outsider, "GET", path);
      expect(second.post.viewCount).toBe(first.post.viewCount + 1);
      await w.refused(404, null, "GET", `/api/posts/${missing}`);
      const closed = await w.place("private");
      await w.refused(401, null, "GET", `/api/posts/${closed.post.id}`);
      await w.refused(403, outsider, "GET", `/api/posts/${closed.post.id}`);
    },

    "PATCH /api/posts/{postId}": async () => {
      const { topic, owner, member, post } = await w.place();
      const path = `/api/posts/${post.id}`;
      const media = { images: ["https://images.example/a.png"], videos: ["https://youtu.be/abc"] };
      const change = { title: "Other", content: "<p>Other words</p>", tags: ["New"], media, poll };
      const changed = (await w.ok(200, onePost, member, "PATCH", path, change)).post;
      expect(changed).toMatchObject({
        title: "Other",
        content: "<p>Other words</p>",
        tags: [{ name: "New", slug: "new" }],
        media,
        poll: { question: "Which?", options: [{ text: "One" }, { text: "Two" }, { text: "Three" }] },
      });
      await w.refused(400, member, "PATCH", path, {});
      await w.refused(401, null, "PATCH", path, { title: "x" });
      await w.refused(403, owner, "PATCH", path, { title: "x" });
      await w.refused(404, member, "PATCH", `/api/posts/${missing}`, { title: "x" });
      const option = changed.poll?.options[0]?.id;
      await w.ok(200, snapshot, owner, "POST", `${path}/poll/vote`, { optionIds: [option] });
      await w.refused(409, member, "PATCH", path, { poll: { options: ["Four", "Five"] } });
      const asked = await w.ok(200, onePost, member, "PATCH", path, { poll: { question: "Which one?" } });
      expect(asked.post.poll?.question).toBe("Which one?");
      expect((await w.ok(200, onePost, member, "PATCH", path, { poll: null })).post.poll).toBeNull();
      await w.h.db.updateTable("posts").set({ record_count: 1 }).where("id", "=", post.id).execute();
      await w.refused(409, member, "PATCH", path, { title: "x" });
      expect(topic.id).toBe(changed.topicId);
    },

    "DELETE /api/posts/{postId}": async () => {
      const { topic, owner, admin, member, post, outsider } = await w.place();
      const shape = z.looseObject({ id: z.uuid(), isDeleted: z.literal(true) });
      await w.refused(401, null, "DELETE", `/api/posts/${post.id}`);
      await w.refused(403, outsider, "DELETE", `/api/posts/${post.id}`);
      expect(await w.ok(200, shape, member, "DELETE", `/api/posts/${post.id}`)).toMatchObject({
        id: post.id,
      });
      for (const staff of [owner, admin]) {
        const other = await w.post(member, topic.id);
        await w.ok(200, shape, staff, "DELETE", `/api/posts/${other.id}`);
      }
      const another = await w.post(owner, topic.id);
      await w.refused(403, member, "DELETE", `/api/posts/${another.id}`);
      await w.refused(404, owner, "DELETE", `/api/posts/${missing}`);
    },

    "POST /api/posts/{postId}/comments": async () => {
      const { member, owner, post, outsider } = await w.place();
      const made = await w.comment(owner, post.id, "Well <b>said</b>.");
      expect(made).toMatchObject({
        postId: post.id,
        authorId: owner.userId,
        content: "Well <b>said</b>.",
        isDeleted: false,
        deletedBy: null,
      });
      const path = `/api/posts/${post.id}/comments`;
      const read = await w.ok(200, detail, member, "GET", `/api/posts/${post.id}`);
      expect(read.post.commentCount).toBe(1);
      await w.refused(401, null, "POST", path, { content: "x" });
      await w.refused(403, outsider, "POST", path, { content: "x" });
      await w.refused(400, member, "POST", path, {});
    },

    "POST /api/posts/{postId}/pin": async () => {
      const { owner, admin, member, post, outsider } = await w.place();
      const shape = z.looseObject({ isPinned: z.boolean() });
      const path = `/api/posts/${post.id}/pin`;
      expect(await w.ok(200, shape, admin, "POST", path)).toEqual({ isPinned: true });
      expect(await w.ok(200, shape, owner, "POST", path)).toEqual({ isPinned: false });
      await w.refused(401, null, "POST", path);
      await w.refused(403, member, "POST", path);
      await w.refused(403, outsider, "POST", path);
    },

    "POST /api/posts/{postId}/vote": async () => {
      const { owner, post } = await w.place();
      const shape = z.looseObject({
        vote: z.looseObject({ value: z.int() }).nullable(),
        upvoteCount: z.int(),
      });
      const path = `/api/posts/${post.id}/vote`;
      const vote = async (value: number) => await w.ok(200, shape, owner, "POST", path, { value });
      expect(await vote(1)).toEqual({ vote: { value: 1 }, upvoteCount: 1 });
      expect(await vote(-1)).toEqual({ vote: { value: -1 }, upvoteCount: -1 });
      expect(await vote(-1)).toEqual({ vote: null, upvoteCount: 0 });
      await w.refused(401, null, "POST", path, { value: 1 });
      await w.refused(400, owner, "POST", path, { value: 2 });
    },

    "GET /api/posts/{postId}/reactions": async () => {
      const { owner, member, post } = await w.place();
      const shape = z.looseObject({ reactions: z.array(shapes.reactionSummary) });
      const path = `/api/posts/${post.id}/reactions`;
      await w.ok(200, z.looseObject({}), owner, "POST", path, { emoji: "🔥" });
      const seen = async (who: typeof owner | null) =>
        (await w.ok(200, shape, who, "GET", path)).reactions.find(({ emoji }) => emoji === "🔥");
      expect(await seen(owner)).toEqual({ emoji: "🔥", count: 1, userReacted: true });
      expect(await seen(member)).toEqual({ emoji: "🔥", count: 1, userReacted: false });
      expect(await seen(null)).toEqual({ emoji: "🔥", count: 1, userReacted: false });
    },

    "POST /api/posts/{postId}/reactions": async () => {
      const { owner, post } = await w.place();
      const shape = z.looseObject({ added: z.boolean() });
      const path = `/api/posts/${post.id}/reactions`;
      for (const emoji of ["👍", "❤️", "🔥", "😂", "🎉", "😮"]) {
        expect(await w.ok(200, shape, owner, "POST", path, { emoji })).toEqual({ added: true });
        expect(await w.ok(200, shape, owner, "POST", path, { emoji })).toEqual({ added: false });
      }
      await w.refused(400, owner, "POST", path, { emoji: "👎" });
      await w.refused(401, null, "POST", path, { emoji: "👍" });
    },

    "GET /api/posts/{postId}/bookmark": async () => {
      const { owner, member, post } = await w.place();
      const shape = z.looseObject({ bookmarked: z.boolean() });
      const path = `/api/posts/${post.id}/bookmark`;
      await w.ok(200, shape, owner, "POST", path);
      expect(await w.ok(200, shape, owner, "GET", path)).toEqual({ bookmarked: true });
      expect(await w.ok(200, shape, member, "GET", path)).toEqual({ bookmarked: false });
      await w.refused(401, null, "GET", path);
    },

    "POST /api/posts/{postId}/bookmark": async () => {
      const { owner, post } = await w.place();
      const shape = z.looseObject({ bookmarked: z.boolean() });
      const path = `/api/posts/${post.id}/bookmark`;
      expect(await w.ok(200, shape, owner, "POST", path)).toEqual({ bookmarked: true });
      expect(await w.ok(200, shape, owner, "POST", path)).toEqual({ bookmarked: false });
      await w.refused(401, null, "POST", path);
    },

    "POST /api/posts/{postId}/poll/vote": async () => {
      const { topic, owner, member } = await w.place();
      const vote = async (id: string, optionIds: (string | undefined)[]) =>
        (await w.ok(200, snapshot, owner, "POST", `/api/posts/${id}/poll/vote`, { optionIds })).poll;
      const single = await w.post(member, topic.id, { poll });
      const [a, b, c] = single.poll?.options.map(({ id }) => id) ?? [];
      expect(await vote(single.id, [a])).toMatchObject({ totalVotes: 1, userVotedOptionIds: [a] });
      expect(await vote(single.id, [b])).toMatchObject({ totalVotes: 1, userVotedOptionIds: [b] });
      const path = `/api/posts/${single.id}/poll/vote`;
      await w.refused(400, owner, "POST", path, { optionIds: [a, b] });
      await w.refused(400, owner, "POST", path, { optionIds: [] });
      await w.refused(400, owner, "POST", path, { optionIds: [missing] });
      await w.refused(401, null, "POST", path, { optionIds: [c] });
      const several = await w.post(member, topic.id, { poll: { ...poll, multipleChoice: true } });
      const [d, e] = several.poll?.options.map(({ id }) => id) ?? [];
      expect(await vote(several.id, [d, d])).toMatchObject({ totalVotes: 1 });
      const both = await vote(several.id, [d, e]);
      expect(both.totalVotes).toBe(2);
      expect(new Set(both.userVotedOptionIds)).toEqual(new Set([d, e]));
      const past = new Date(Date.now() - 1000);
      await w.h.db.updateTable("polls").set({ closes_at: past }).where("post_id", "=", single.id).execute();
      await w.refused(409, owner, "POST", path, { optionIds: [c] });
    },

    "DELETE /api/posts/{postId}/poll/vote": async () => {
      const { topic, owner, member } = await w.place();
      const made = await w.post(member, topic.id, { poll });
      const path = `/api/posts/${made.id}/poll/vote`;
      await w.ok(200, snapshot, owner, "POST", path, { optionIds: [made.poll?.options[0]?.id] });
      const cleared = (await w.ok(200, snapshot, owner, "DELETE", path)).poll;
      expect(cleared).toMatchObject({ totalVotes: 0, userVotedOptionIds: [] });
      await w.refused(401, null, "DELETE", path);
    },
  });
});

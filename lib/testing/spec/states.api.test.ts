import { afterAll, beforeAll, describe, expect } from "vitest";
import { z } from "zod";
import { transitions } from "./rows";
import * as shapes from "./shapes";
import { rowSuite } from "./suite";
import { createWorld, type World } from "./world";

let w: World;
beforeAll(async () => {
  w = await createWorld();
});
afterAll(() => w.close());

const any = z.looseObject({});
type Person = Awaited<ReturnType<World["person"]>>;

async function roleOf(user: Person, topicId: string) {
  const shape = z.looseObject({ currentUserRole: z.string().nullable(), topic: shapes.topic });
  const read = await w.ok(200, shape, user, "GET", `/api/topics/${topicId}`);
  return { role: read.currentUserRole, members: read.topic.memberCount };
}

async function requestsOf(owner: Person, topicId: string) {
  const shape = z.looseObject({ requests: z.array(shapes.joinRequest) });
  return (await w.ok(200, shape, owner, "GET", `/api/topics/${topicId}/requests?status=all`)).requests;
}

/** A private topic with somebody who asked to join it. */
async function asked() {
  const at = await w.place("private");
  const user = await w.person();
  expect((await w.call(user, "POST", `/api/topics/${at.topic.id}/join`)).status).toBe(202);
  const [request] = await requestsOf(at.owner, at.topic.id);
  return { ...at, user, request };
}

async function decide(at: Awaited<ReturnType<typeof asked>>, action: "approve" | "reject") {
  const body = { requestId: at.request?.id, action };
  await w.ok(200, any, at.admin, "PATCH", `/api/topics/${at.topic.id}/requests`, body);
}

async function readPost(user: Person, postId: string) {
  return (await w.ok(200, z.looseObject({ post: shapes.post }), user, "GET", `/api/posts/${postId}`)).post;
}

describe("the specification: states and transitions", () => {
  rowSuite(transitions, {
    "JoinRequest: none -> pending by POST join on a private topic": async () => {
      const at = await asked();
      expect(at.request).toMatchObject({ userId: at.user.userId, status: "pending" });
      expect(await roleOf(at.user, at.topic.id)).toEqual({ role: null, members: 3 });
    },
    "JoinRequest: pending -> approved by PATCH requests; the requester becomes a member": async () => {
      const at = await asked();
      await decide(at, "approve");
      expect((await requestsOf(at.owner, at.topic.id))[0]).toMatchObject({ status: "approved" });
      expect(await roleOf(at.user, at.topic.id)).toEqual({ role: "member", members: 4 });
    },
    "JoinRequest: pending -> rejected by PATCH requests": async () => {
      const at = await asked();
      await decide(at, "reject");
      expect((await requestsOf(at.owner, at.topic.id))[0]).toMatchObject({ status: "rejected" });
      expect(await roleOf(at.user, at.topic.id)).toEqual({ role: null, members: 3 });
    },
    "Membership: none -> member by POST join on a public topic": async () => {
      const { topic, outsider } = await w.place();
      await w.ok(201, any, outsider, "POST", `/api/topics/${topic.id}/join`);
      expect(await roleOf(outsider, topic.id)).toEqual({ role: "member", members: 4 });
    },
    "Membership: none -> member by POST join with an invite code, visibility ignored": async () => {
      for (const visibility of ["public", "private", "secret"] as const) {
        const { topic, outsider } = await w.place(visibility);
        await w.join(outsider, topic.inviteCode);
        expect(await roleOf(outsider, topic.id)).toEqual({ role: "member", members: 4 });
      }
    },
    "Membership: any role -> removed by DELETE members": async () => {
      const { topic, owner, admin, member } = await w.place();
      const path = `/api/topics/${topic.id}/members`;
      await w.refused(403, admin, "DELETE", path, { userId: owner.userId });
      await w.ok(200, any, admin, "DELETE", path, { userId: member.userId });
      await w.ok(200, any, owner, "DELETE", path, { userId: admin.userId });
      expect(await roleOf(member, topic.id)).toEqual({ role: null, members: 1 });
      expect(await roleOf(admin, topic.id)).toEqual({ role: null, members: 1 });
    },
    "Member role: member or admin -> the given role by PATCH members": async () => {
      const { topic, owner, admin, member } = await w.place();
      const path = `/api/topics/${topic.id}/members`;
      await w.ok(200, any, owner, "PATCH", path, { userId: member.userId, role: "admin" });
      await w.ok(200, any, owner, "PATCH", path, { userId: admin.userId, role: "member" });
      expect((await roleOf(member, topic.id)).role).toBe("admin");
      expect((await roleOf(admin, topic.id)).role).toBe("member");
    },
    "Member role: member or admin -> owner by PATCH members; the previous owner becomes admin": async () => {
      const { topic, owner, member } = await w.place();
      const path = `/api/topics/${topic.id}/members`;
      const shape = z.looseObject({ transferred: z.boolean() });
      const body = { userId: member.userId, role: "owner" };
      expect(await w.ok(200, shape, owner, "PATCH", path, body)).toMatchObject({ transferred: true });
      expect((await roleOf(member, topic.id)).role).toBe("owner");
      expect((await roleOf(owner, topic.id)).role).toBe("admin");
    },
    "Topic: exists -> deleted, with everything in it": async () => {
      const { topic, owner, member, post } = await w.place("private");
      await w.comment(member, post.id);
      await w.call(await w.person(), "POST", `/api/topics/${topic.id}/join`);
      await w.ok(200, any, owner, "DELETE", `/api/topics/${topic.id}`);
      await w.refused(404, member, "GET", `/api/topics/${topic.id}`);
      await w.refused(404, member, "GET", `/api/posts/${post.id}`);
      for (const table of ["posts", "memberships", "join_requests", "invite_tokens"] as const) {
        const rows = await w.h.db
          .selectFrom(table)
          .select("topic_id")
          .where("topic_id", "=", topic.id)
          .execute();
        expect(rows, table).toEqual([]);
      }
      const comments = w.h.db.selectFrom("comments").select("id").where("post_id", "=", post.id);
      expect(await comments.execute()).toEqual([]);
    },
    "Post: active -> soft-deleted; title, content and media cleared, row kept": async () => {
      const { topic, owner, member } = await w.place();
      const media = { images: ["https://images.example/a.png"] };
      const post = await w.post(member, topic.id, { media, poll: { options: ["One", "Two"] } });
      await w.ok(200, any, member, "DELETE", `/api/posts/${post.id}`);
      const read = await readPost(owner, post.id);
      expect(read).toMatchObject({
        title: "",
        content: "",
        media: { images: [], videos: [] },
        poll: null,
        isDeleted: true,
      });
      expect(Date.parse(read.deletedAt ?? "")).toBeGreaterThan(Date.parse(post.createdAt) - 1);
      const row = await w.h.db
        .selectFrom("posts")
        .select(["title", "content", "media"])
        .where("id", "=", post.id)
        .executeTakeFirst();
      expect(row).toEqual({ title: "", content: "", media: { images: [], videos: [] } });
      await w.refused(404, owner, "POST", `/api/posts/${post.id}/vote`, { value: 1 });
      await w.refused(404, member, "DELETE", `/api/posts/${post.id}`);
    },
    "Post: unpinned -> pinned": async () => {
      const { owner, post } = await w.place();
      await w.ok(200, any, owner, "POST", `/api/posts/${post.id}/pin`);
      expect((await readPost(owner, post.id)).isPinned).toBe(true);
    },
    "Post: pinned -> unpinned": async () => {
      const { owner, post } = await w.place();
      await w.ok(200, any, owner, "POST", `/api/posts/${post.id}/pin`);
      await w.ok(200, any, owner, "POST", `/api/posts/${post.id}/pin`);
      expect((await readPost(owner, post.id)).isPinned).toBe(false);
    },
    "Post vote: none -> v": async () => {
      for (const value of [1, -1]) {
        const { owner, post } = await w.place();
        await w.ok(200, any, owner, "POST", `/api/posts/${post.id}/vote`, { value });
        expect(await readPost(owner, post.id)).toMatchObject({ userVoted: value, upvoteCount: value });
      }
    },
    "Post vote: v -> none by the same value": async () => {
      for (const value of [1, -1]) {
        const { owner, post } = await w.place();
        const path = `/api/posts/${post.id}/vote`;
        await w.ok(200, any, owner, "POST", path, { value });
        expect(await w.ok(200, any, owner, "POST", path, { value })).toMatchObject({ vote: null });
        expect(await readPost(owner, post.id)).toMatchObject({ userVoted: null, upvoteCount: 0 });
      }
    },
    "Post vote: v -> the opposite": async () => {
      const { owner, post } = await w.place();
      const path = `/api/posts/${post.id}/vote`;
      await w.ok(200, any, owner, "POST", path, { value: 1 });
      await w.ok(200, any, owner, "POST", path, { value: -1 });
      expect(await readPost(owner, post.id)).toMatchObject({ userVoted: -1, upvoteCount: -1 });
    },
    "Reaction: absent -> present": async () => {
      const { owner, post } = await w.place();
      await w.ok(200, any, owner, "POST", `/api/posts/${post.id}/reactions`, { emoji: "🎉" });
      expect((await readPost(owner, post.id)).reactions).toContainEqual({
        emoji: "🎉",
        count: 1,
        userReacted: true,
      });
    },
    "Reaction: present -> absent": async () => {
      const { owner, post } = await w.place();
      const path = `/api/posts/${post.id}/reactions`;
      await w.ok(200, any, owner, "POST", path, { emoji: "🎉" });
      await w.ok(200, any, owner, "POST", path, { emoji: "🎉" });
      const left = (await readPost(owner, post.id)).reactions.filter(({ count }) => count > 0);
      expect(left).toEqual([]);
    },
    "Bookmark: off -> on": async () => {
      const { owner, post } = await w.place();
      await w.ok(200, any, owner, "POST", `/api/posts/${post.id}/bookmark`);
      expect((await readPost(owner, post.id)).userBookmarked).toBe(true);
    },
    "Bookmark: on -> off": async () => {
      const { owner, post } = await w.place();
      await w.ok(200, any, owner, "POST", `/api/posts/${post.id}/bookmark`);
      await w.ok(200, any, owner, "POST", `/api/posts/${post.id}/bookmark`);
      expect((await readPost(owner, post.id)).userBookmarked).toBe(false);
    },
    "Poll votes: voted -> none by DELETE poll/vote": async () => {
      const { topic, owner, member } = await w.place();
      const poll = { options: ["One", "Two"], multipleChoice: true };
      const post = await w.post(member, topic.id, { poll });
      const path = `/api/posts/${post.id}/poll/vote`;
      const optionIds = post.poll?.options.map(({ id }) => id);
      await w.ok(200, any, owner, "POST", path, { optionIds });
      expect((await readPost(owner, post.id)).poll?.totalVotes).toBe(2);
      await w.ok(200, any, owner, "DELETE", path);
      expect((await readPost(owner, post.id)).poll).toMatchObject({ totalVotes: 0, userVotedOptionIds: [] });
    },
    "Invite token: none -> issued; 7 days, single use": async () => {
      const { topic, member, outsider } = await w.place("secret");
      const shape = z.looseObject({ token: z.string().length(16), expiresAt: z.iso.datetime() });
      const { token } = await w.ok(201, shape, member, "POST", `/api/topics/${topic.id}/invite`);
      await w.join(outsider, token);
      await w.refused(404, await w.person(), "GET", `/api/topics/join/${token}`);
      const second = await w.ok(201, shape, member, "POST", `/api/topics/${topic.id}/invite`);
      const past = new Date(Date.now() - 1);
      await w.h.db
        .updateTable("invite_tokens")
        .set({ expires_at: past })
        .where("topic_id", "=", topic.id)
        .execute();
      await w.refused(404, await w.person(), "POST", `/api/topics/join/${second.token}`);
    },
  });
});

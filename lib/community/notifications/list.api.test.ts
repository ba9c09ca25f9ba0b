import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { sweepExpired } from "@/lib/runtime/housekeeping";
import type { TestUser } from "@/lib/testing/harness";
import { addTo, type Cast, createCast, makePost, refusalOf, signIn } from "../testing";
import { clearNotifications, notificationsOf, wrongCounts } from "./testing";

let cast: Cast;
let reader: TestUser;
let other: TestUser;
beforeAll(async () => {
  cast = await createCast();
  reader = await signIn(cast.h, "reader");
  other = await signIn(cast.h, "other");
});
afterAll(() => cast.h.close());

const comment = async (postId: string, content: string, by = other) =>
  (await by.api.call(contract.comments.create, { postId, content })).comment.id;
const read = (body: { ids?: string[]; upTo?: string }, user = reader) =>
  user.api.call(contract.notifications.read, body);

/** A topic with the two in it, a post of the reader, and an empty inbox. */
async function scene(visibility: "public" | "private" | "secret" = "private") {
  const topicId = await cast.place(visibility);
  for (const user of [reader, other]) await addTo(cast.h.db, topicId, user);
  const { id: postId } = await makePost(reader, topicId, "Title", "<p>Words</p>");
  await clearNotifications(cast.h.db);
  return { topicId, postId };
}

describe("GET /api/notifications", () => {
  it("200: latest first, in pages that join up; unread ones by themselves; the count is of all", async () => {
    const { postId } = await scene();
    for (const text of ["1", "2", "3", "4", "5"]) await comment(postId, text);
    const list = (query: object) => reader.api.call(contract.notifications.list, query);
    const [fifth, , third] = (await list({})).notifications;
    await read({ ids: [third?.id ?? ""] });
    for (const [unread, expected] of [
      ["false", ["5", "4", "3", "2", "1"]],
      ["true", ["5", "4", "2", "1"]],
    ] as const) {
      const seen: (string | null)[] = [];
      let cursor: string | undefined;
      do {
        const page = await list({ unread, limit: 2, cursor });
        expect(page.unreadCount).toBe(4);
        seen.push(...page.notifications.map(({ excerpt }) => excerpt));
        cursor = page.nextCursor ?? undefined;
      } while (cursor);
      expect(seen).toEqual(expected);
    }
    expect(fifth).toMatchObject({ isRead: false, createdAt: expect.any(String) });
    const { nextCursor } = await list({ limit: 1 });
    const wrong = list({ unread: "true", cursor: nextCursor });
    expect(await refusalOf(wrong)).toMatchObject({ status: 400, field: "cursor" });
  });

  it("200: an excerpt is plain text of at most 140 characters", async () => {
    const { postId } = await scene();
    await comment(postId, `<img src=x onerror=alert(1)>\n\n  "&amp;" ${"\u{1F44D}".repeat(200)}`);
    const [told] = await notificationsOf(reader);
    expect(told?.excerpt).toMatch(/^<img src=x onerror=alert\(1\)> "&amp;" \u{1F44D}+…$/u);
    expect([...(told?.excerpt ?? "")]).toHaveLength(140);
  });

  it("200: leaves out what was hidden, deleted or closed to the reader since", async () => {
    const { topicId, postId } = await scene("secret");
    const hidden = await comment(postId, "hidden");
    const deleted = await comment(postId, "deleted");
    await comment(postId, "kept");
    await cast.admin.api.call(contract.moderation.hideComment, { commentId: hidden, hidden: true });
    await other.api.call(contract.comments.delete, { commentId: deleted });
    const shown = async () =>
      (await notificationsOf(reader)).map(({ topicTitle, postTitle, excerpt, actor }) => [
        topicTitle,
        postTitle,
        excerpt,
        actor?.nickname ?? null,
      ]);
    const name = other.nickname;
    expect(await shown()).toEqual([
      ["A topic", "Title", "kept", name],
      ["A topic", "Title", null, null],
      ["A topic", "Title", null, name],
    ]);
    await reader.api.call(contract.topics.leave, { topicId });
    expect(await shown()).toEqual([
      [null, null, null, name],
      [null, null, null, null],
      [null, null, null, name],
    ]);
    await addTo(cast.h.db, topicId, reader);
    await cast.owner.api.call(contract.posts.delete, { postId });
    expect((await shown()).at(-1)).toEqual(["A topic", null, null, name]);
    await cast.owner.api.call(contract.topics.delete, { topicId });
    expect(await notificationsOf(reader)).toEqual([]);
    expect(await wrongCounts(cast.h.db)).toEqual([]);
  });

  it("200: the actor has their current name, and none after withdrawing", async () => {
    const { topicId, postId } = await scene();
    const actor = await signIn(cast.h, "actor");
    await addTo(cast.h.db, topicId, actor);
    await comment(postId, "x", actor);
    const nickname = "renamed_actor";
    const { token } = await actor.api.call(contract.profile.setNickname, { nickname });
    expect((await notificationsOf(reader))[0]?.actor).toEqual({
      userId: actor.userId,
      nickname,
      profileImage: null,
    });
    await cast.h.clientFor(token).call(contract.profile.deleteAccount, {});
    expect((await notificationsOf(reader))[0]).toMatchObject({ actor: null, excerpt: "x" });
  });

  it("200: a chat message that mentions the reader, while they may read the chat", async () => {
    const { topicId } = await scene("public");
    const text = `Hello @${reader.nickname} @${cast.outsider.nickname} @${other.nickname}`;
    const { message } = await other.api.call(contract.chat.send, { topicId, message: text });
    for (const user of [cast.outsider, other]) expect(await notificationsOf(user)).toEqual([]);
    expect(await notificationsOf(reader)).toEqual([
      expect.objectContaining({
        kind: "chat_mention",
        excerpt: text,
        details: { messageId: message.id },
        actor: expect.objectContaining({ userId: other.userId }),
      }),
    ]);
    await reader.api.call(contract.topics.leave, { topicId });
    expect((await notificationsOf(reader))[0]).toMatchObject({ excerpt: null, topicTitle: "A topic" });
  });

  it("401: a guest", async () => {
    expect((await cast.h.send("GET", "/api/notifications")).status).toBe(401);
  });
});

describe("POST /api/notifications/read", () => {
  it("200: ids, or one and all earlier ones; other users', unknown and read ones change nothing", async () => {
    const { topicId, postId } = await scene();
    for (let i = 0; i < 5; i += 1) await comment(postId, String(i));
    const [e, d, c, b, a] = (await notificationsOf(reader)).map(({ id }) => id);
    if (!a || !b || !c || !d || !e) expect.fail();
    // Their own first notification has the same position as another user's.
    const { id: theirs } = await makePost(other, topicId);
    await comment(theirs, "x", reader);
    expect(await read({ upTo: e }, other)).toEqual({ unreadCount: 1 });
    expect(await read({ ids: [a, e] }, other)).toEqual({ unreadCount: 1 });
    expect(await read({ upTo: randomUUID() })).toEqual({ unreadCount: 5 });
    expect(await read({ ids: [d, d, randomUUID()] })).toEqual({ unreadCount: 4 });
    expect(await read({ ids: [d] })).toEqual({ unreadCount: 4 });
    expect(await read({ upTo: c })).toEqual({ unreadCount: 1 });
    expect((await notificationsOf(reader)).map(({ isRead }) => isRead)).toEqual([
      false,
      true,
      true,
      true,
      true,
    ]);
    expect(await read({ upTo: e })).toEqual({ unreadCount: 0 });
    expect(await wrongCounts(cast.h.db)).toEqual([]);
  });

  it.each([{}, { ids: [] }, { ids: ["x"] }, { ids: [randomUUID()], upTo: randomUUID() }])(
    "400: %o",
    async (body) => {
      const answer = await cast.h.send("POST", "/api/notifications/read", { token: reader.token, body });
      expect(answer.status).toBe(400);
    },
  );
});

describe("old notifications", () => {
  it("are deleted after 90 days, and uncounted", async () => {
    const { postId } = await scene();
    const day = 24 * 60 * 60 * 1000;
    await comment(postId, "read");
    await read({ upTo: (await notificationsOf(reader))[0]?.id });
    await comment(postId, "unread");
    const sweepIn = (days: number) =>
      sweepExpired({ ...cast.h.services, now: () => new Date(Date.now() + days * day) });
    await sweepIn(89);
    expect(await cast.h.db.selectFrom("notifications").select("id").execute()).toHaveLength(2);
    await sweepIn(91);
    expect(await cast.h.db.selectFrom("notifications").select("id").execute()).toEqual([]);
    expect(await wrongCounts(cast.h.db)).toEqual([]);
  });
});

import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { sweepExpired } from "@/lib/runtime/housekeeping";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { png } from "@/lib/testing/images";
import { addTo, draftTitled, makePost, makeTopic, membersOf, refusalOf, signIn, verified } from "../testing";
import { storeImages } from "../uploads/store";
import { ban } from "./testing";

let h: Harness;
let owner: TestUser;
let clock = Date.now();
beforeAll(async () => {
  h = await createHarness({ now: () => new Date(clock) });
  owner = await signIn(h, "owner");
});
afterAll(() => h.close());

const withdraw = (user: TestUser) => user.api.call(contract.profile.deleteAccount, {});
const userRow = (user: TestUser) =>
  h.db.selectFrom("users").selectAll().where("id", "=", user.userId).executeTakeFirstOrThrow();

/** Gives a user a browser with push messages, and an open chat. */
async function listens(topicId: string, { userId, nickname }: TestUser) {
  const { id: session_id } = await h.db
    .selectFrom("sessions")
    .select("id")
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  const at = new Date(clock);
  const keys = { endpoint: `https://push.example/${nickname}`, p256dh: "", auth: "", label: "" };
  await h.db
    .insertInto("push_subscriptions")
    .values({ user_id: userId, session_id, created_at: at, ...keys })
    .execute();
  const process_id = randomUUID();
  await h.db.insertInto("live_processes").values({ id: process_id, seen_at: at }).execute();
  await h.db
    .insertInto("chat_connections")
    .values({ id: randomUUID(), topic_id: topicId, user_id: userId, process_id, connected_at: at })
    .execute();
}

/** Returns the tables that contain a text. */
async function tablesWith(text: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(h.db);
  const found: string[] = [];
  for (const { name } of rows) {
    const hit =
      await sql`select from ${sql.table(name)} as t where position(${text} in t::text) > 0 limit 1`.execute(
        h.db,
      );
    if (hit.rows.length > 0) found.push(name);
  }
  return found;
}

describe("DELETE /api/account", () => {
  it("200: name, identity and sessions go; posts, comments and votes stay under [withdrawn]", async () => {
    const topic = await makeTopic(owner);
    const user = await signIn(h);
    const second = await h.login(user.nickname);
    await addTo(h.db, topic.id, user);
    const post = await makePost(user, topic.id, "Mine", "<p>Mine.</p>");
    const { id: postId } = post;
    await user.api.call(contract.comments.create, { postId, content: "Also mine" });
    await user.api.call(contract.posts.vote, { postId, value: 1 });
    expect(await withdraw(user)).toEqual({ success: true });

    for (const { token } of [user, second]) {
      expect((await h.send("GET", "/api/profile/badges", { token })).status).toBe(401);
    }
    expect(await userRow(user)).toMatchObject({
      identity_hash: null,
      nickname: "[withdrawn]",
      profile_image: null,
      deleted_at: expect.any(Date),
    });
    const seen = await owner.api.call(contract.posts.get, { postId });
    expect(seen.post).toMatchObject({
      content: "<p>Mine.</p>",
      authorNickname: "[withdrawn]",
      upvoteCount: 1,
    });
    expect(seen.comments).toMatchObject([{ content: "Also mine", authorNickname: "[withdrawn]" }]);
    expect(await membersOf(h.db, topic.id)).toEqual({ counted: 1, rows: 1 });
  });

  it("removes the personal rows of this user only", async () => {
    const [topic, asked] = [await makeTopic(owner), await makeTopic(owner, "private")];
    const user = await signIn(h);
    const other = await signIn(h);
    for (const one of [user, other]) {
      await addTo(h.db, topic.id, one);
      const { id } = await makePost(one, topic.id);
      await one.api.call(contract.posts.bookmark, { postId: id });
      await one.api.call(contract.topics.join, { topicId: asked.id });
      await verified(h, one, { domain: "acme.example" });
      await one.api.call(contract.profile.addDomainBadge, {});
      await one.api.call(contract.profile.addDomainBadge, { onlyNew: true });
      await one.api.call(contract.auth.challenge, {});
      const key = { "idempotency-key": randomUUID() };
      const body = { title: "T", content: "c" };
      await h.send("POST", `/api/topics/${topic.id}/posts`, { token: one.token, headers: key, body });
      await owner.api.call(contract.comments.create, { postId: id, content: `Hello @${one.nickname}` });
      await listens(topic.id, one);
      await one.api.call(contract.users.block, { userId: owner.userId });
      await one.api.call(contract.users.follow, { userId: (await signIn(h)).userId });
    }
    const tables = [
      ...([
        "verifications",
        "domain_badges",
        "limited_badges",
        "bookmarks",
        "challenges",
        "idempotency_keys",
      ] as const),
      ...(["sessions", "join_requests", "memberships"] as const),
      ...(["inboxes", "notifications", "mentions", "push_subscriptions", "chat_connections"] as const),
      ...(["blocks", "follows"] as const),
    ];
    const rows = async (one: TestUser) =>
      Object.fromEntries(
        await Promise.all(
          tables.map(async (table) => {
            const found = await h.db
              .selectFrom(table)
              .select("user_id")
              .where("user_id", "=", one.userId)
              .execute();
            return [table, found.length > 0] as const;
          }),
        ),
      );
    const all = (present: boolean) => Object.fromEntries(tables.map((table) => [table, present]));
    expect(await rows(user)).toEqual(all(true));
    await withdraw(user);
    expect(await rows(user)).toEqual(all(false));
    expect(await rows(other)).toEqual(all(true));
  });

  it("security F6: what remains has a random author id, and nothing but sanctions and the log has the old one", async () => {
    const topic = await makeTopic(owner);
    const user = await signIn(h);
    await addTo(h.db, topic.id, user, "admin");
    const as = await h.memberContext(user.token);
    const [key = ""] = await storeImages(as, "post", [png()], "file");
    const html = `<p>Look:</p><img src="${h.services.storage.htmlUrl(key)}" alt="A">`;
    const media = { images: [h.services.storage.publicUrl(key)] };
    const { post } = await user.api.call(contract.posts.create, {
      topicId: topic.id,
      title: "T",
      content: html,
      media,
    });
    const { id: postId } = await makePost(owner, topic.id);
    const { comment } = await user.api.call(contract.comments.create, { postId, content: "Mine" });
    await user.api.call(contract.comments.vote, { commentId: comment.id, value: 1 });
    await user.api.call(contract.posts.vote, { postId, value: 1 });
    await user.api.call(contract.posts.react, { postId, emoji: "👍" });
    await user.api.call(contract.chat.send, { topicId: topic.id, message: "Hello" });
    await user.api.call(contract.posts.pin, { postId });
    await user.api.call(contract.moderation.reportPost, { postId, reason: "spam" });
    // What only they see, and what others set about them.
    await user.api.call(contract.users.block, { userId: owner.userId });
    await owner.api.call(contract.users.block, { userId: user.userId });
    const friend = await signIn(h);
    await user.api.call(contract.users.follow, { userId: friend.userId });
    await friend.api.call(contract.users.follow, { userId: user.userId });
    await user.api.call(contract.topics.mute, { topicId: topic.id });
    await user.api.call(contract.topics.setNotifications, { topicId: topic.id, level: "none" });
    await user.api.call(contract.notifications.setKinds, { kinds: ["reply"], push: false });
    await user.api.call(contract.crowd.enrol, { topicId: topic.id, leaf: `0x${"2".padStart(64, "0")}` });
    const draft = draftTitled("Mine");
    await user.api.call(contract.drafts.save, { topicId: topic.id, content: draft, version: null });
    const publishAt = new Date(Date.now() + 3_600_000).toISOString();
    const later = { topicId: topic.id, title: "Later", content: "<p>Later.</p>", publishAt };
    await user.api.call(contract.scheduled.create, later);
    await ban(h, topic.id, user);
    await h.idle();
    const seen = async () => {
      const { post: own } = await owner.api.call(contract.posts.get, { postId: post.id });
      const { comments } = await owner.api.call(contract.posts.get, { postId });
      const { messages } = await owner.api.call(contract.chat.list, { topicId: topic.id });
      const said = messages.filter(({ type }) => type === "message");
      return {
        own,
        ids: new Set([own.authorId, ...comments.map((c) => c.authorId), ...said.map((m) => m.userId)]),
      };
    };
    expect((await seen()).ids).toEqual(new Set([user.userId]));
    await withdraw(user);
    await h.idle();

    const { own, ids } = await seen();
    expect((await owner.api.call(contract.my.blocks, {})).users).toEqual([]);
    expect(ids.size).toBe(1);
    const [author = ""] = ids;
    expect(author).toMatch(/^u_[0-9a-f]{32}$/);
    expect(JSON.stringify(own)).not.toContain(user.userId);
    const [picture = ""] = own.media.images ?? [];
    expect(own.content).toContain(new URL(picture).pathname);
    const { storage } = h.services;
    expect(await storage.read(storage.keyOf(picture) ?? "")).not.toBeNull();
    expect(await storage.read(key)).toBeNull();
    expect(await tablesWith(user.userId)).toEqual([
      "moderation_log",
      "remembered_identities",
      "sanctions",
      "users",
    ]);
    // What was only theirs did not move to that id. The notifications are those of others, about what they did.
    expect(await tablesWith(author ?? "")).toEqual([
      "chat_messages",
      "comment_votes",
      "comments",
      "notifications",
      "posts",
      "reactions",
      "reports",
      "uploads",
      "users",
      "votes",
    ]);
    // No time reveals that two rows began or ended together.
    const rows = await h.db
      .selectFrom("users")
      .selectAll()
      .where("id", "in", [user.userId, author])
      .execute();
    expect(rows.map((row) => row.deleted_at?.getTime())).toEqual([0, 0]);
  });

  it("security F6: pictures of hidden posts lose the old id too, and stay withheld until staff show the post", async () => {
    const topic = await makeTopic(owner);
    const user = await signIn(h);
    await addTo(h.db, topic.id, user);
    const { storage } = h.services;
    const [key = ""] = await storeImages(await h.memberContext(user.token), "post", [png()], "file");
    const post = await makePost(user, topic.id, "T", `<img src="${storage.htmlUrl(key)}" alt="">`);
    const hide = (hidden: boolean) =>
      owner.api.call(contract.moderation.hidePost, { postId: post.id, hidden });
    await hide(true);
    await withdraw(user);
    await h.idle();
    const { content } = (await owner.api.call(contract.posts.get, { postId: post.id })).post;
    expect(content).not.toContain(user.userId);
    const moved = storage.keyOf(/src="([^"]+)"/.exec(content ?? "")?.[1] ?? "") ?? "";
    expect(await storage.readWithheld(moved)).not.toBeNull();
    for (const gone of [
      () => storage.read(moved),
      () => storage.read(key),
      () => storage.readWithheld(key),
    ]) {
      expect(await gone()).toBeNull();
    }
    await hide(false);
    expect(await storage.read(moved)).not.toBeNull();
  });

  it("security F6: a picture is where its post says also when staff hide or show the post at that moment", async () => {
    const { storage } = h.services;
    const topic = await makeTopic(owner);
    for (const hidden of [true, false]) {
      const user = await signIn(h);
      await addTo(h.db, topic.id, user);
      const as = await h.memberContext(user.token);
      const [key = ""] = await storeImages(as, "post", [png()], "file");
      const post = await makePost(user, topic.id, "T", `<img src="${storage.htmlUrl(key)}" alt="">`);
      const hide = (to: boolean) =>
        owner.api.call(contract.moderation.hidePost, { postId: post.id, hidden: to });
      if (!hidden) await hide(true);
      const { deleteAccount } = await import("./account");
      // After the copies were made, before the transaction.
      const put: typeof storage.put = async (...args) => {
        await storage.put(...args);
        await hide(hidden);
      };
      await h.run(() => deleteAccount({ ...as, storage: { ...storage, put } }));
      await h.idle();
      const { content } = (await owner.api.call(contract.posts.get, { postId: post.id })).post;
      const moved = storage.keyOf(/src="([^"]+)"/.exec(content ?? "")?.[1] ?? "") ?? "";
      expect(moved).not.toContain(user.userId);
      expect([hidden, (await storage.readWithheld(moved)) !== null]).toEqual([hidden, hidden]);
      expect([hidden, (await storage.read(moved)) !== null]).toEqual([hidden, !hidden]);
    }
  });

  it("removes profile images and what nothing shows, also when the process dies first; images in posts stay", async () => {
    const user = await signIn(h);
    const as = await h.memberContext(user.token);
    const keep = await h.memberContext(owner.token);
    const place = (ctx: typeof as, purpose: "avatar" | "post") => storeImages(ctx, purpose, [png()], "file");
    const [avatar = ""] = await place(as, "avatar");
    const [inPost = ""] = await place(as, "post");
    const [unused = ""] = await place(as, "post");
    const [others = ""] = await place(keep, "post");
    const { storage } = h.services;
    await user.api.call(contract.profile.setImage, { imageUrl: storage.publicUrl(avatar) });
    const topic = await makeTopic(owner);
    await addTo(h.db, topic.id, user);
    await makePost(user, topic.id, "T", `<img src="${storage.htmlUrl(inPost)}" alt="">`);
    await withdraw(user);
    await h.idle();
    expect(await storage.read(avatar)).toBeNull();
    expect(await storage.read(unused)).toBeNull();
    const gone = `%${unused.split("/")[3]}%`;
    expect(await h.db.selectFrom("uploads").select("key").where("key", "like", gone).execute()).toEqual([]);
    const kept = await h.db
      .selectFrom("uploads")
      .select("key")
      .where("key", "like", `%${inPost.split("/")[3]}%`)
      .execute();
    expect(kept).toHaveLength(1);
    for (const key of [kept[0]?.key ?? "", others]) expect(await storage.read(key)).not.toBeNull();

    const second = await signIn(h);
    const [left = ""] = await place(await h.memberContext(second.token), "avatar");
    const { deleteAccount } = await import("./account");
    // Work after the response that never runs.
    await deleteAccount({ ...(await h.memberContext(second.token)), later: () => undefined });
    expect(await storage.read(left)).not.toBeNull();
    clock += 4_200_001;
    await sweepExpired(h.services);
    expect(await storage.read(left)).toBeNull();
  });

  it("409 owns_topics with the topics, and nothing has changed; after handing over it works", async () => {
    const user = await signIn(h);
    const first = await makeTopic(user, "public", "One");
    clock += 1;
    const second = await makeTopic(user, "secret", "Two");
    const refused = await h.send("DELETE", "/api/account", { token: user.token });
    expect(refused).toMatchObject({
      status: 409,
      body: {
        code: "owns_topics",
        topics: [
          { id: first.id, title: "One" },
          { id: second.id, title: "Two" },
        ],
      },
    });
    expect(await userRow(user)).toMatchObject({ nickname: user.nickname, deleted_at: null });
    const heir = await signIn(h);
    for (const { id } of [first, second]) {
      await addTo(h.db, id, heir);
      await user.api.call(contract.members.setRole, { topicId: id, userId: heir.userId, role: "owner" });
    }
    await withdraw(user);
    expect(await membersOf(h.db, first.id)).toEqual({ counted: 1, rows: 1 });
  });

  it("401 for a guest and the second time; no nickname is needed; the cookie goes", async () => {
    expect((await h.send("DELETE", "/api/account")).status).toBe(401);
    const user = await h.login();
    const { status, headers } = await h.send("DELETE", "/api/account", { token: user.token });
    expect(status).toBe(200);
    expect(headers.get("set-cookie")).toContain("Max-Age=0");
    expect(await refusalOf(withdraw(user))).toMatchObject({ status: 401 });
  });

  it("concurrent with itself and with joins: one wins, counts equal rows, no withdrawn user is a member", async () => {
    const topics = await Promise.all(Array.from({ length: 4 }, () => makeTopic(owner)));
    const user = await signIn(h);
    const outcomes = await Promise.allSettled([
      ...topics.map(({ id }) => user.api.call(contract.topics.join, { topicId: id })),
      ...Array.from({ length: 3 }, () => withdraw(user)),
      ...topics.map(({ id }) => user.api.call(contract.topics.join, { topicId: id })),
    ]);
    expect(outcomes.slice(4, 7).filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const { id } of topics) expect(await membersOf(h.db, id)).toEqual({ counted: 1, rows: 1 });
  });
});

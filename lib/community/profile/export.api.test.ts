import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { contract } from "@/lib/contract";
import type { TestUser } from "@/lib/testing/harness";
import { png } from "@/lib/testing/images";
import { say } from "../notifications/testing";
import { addTo, type Cast, createCast, draftTitled, makePost, signIn, verified } from "../testing";
import { storeImages } from "../uploads/store";
import { collectExport, type ExportEntry } from "./export";

/** Columns that name a user and whose rows an export has. A new one belongs here or below. */
const EXPORTED = [
  "apps.user_id",
  "blocks.user_id",
  "automation_tokens.user_id",
  "bookmarks.user_id",
  "chat_messages.user_id",
  "chat_reactions.user_id",
  "comment_votes.user_id",
  "comments.author_id",
  "crowd_leaves.user_id",
  "desk_reports.reporter_id",
  "digests.user_id",
  "domain_badges.user_id",
  "drafts.user_id",
  "follows.user_id",
  "inboxes.user_id",
  "installation_log.actor_id",
  "invite_tokens.issued_by",
  "join_requests.user_id",
  "limited_badges.user_id",
  "memberships.user_id",
  "moderation_log.actor_id",
  "notification_settings.user_id",
  "operators.user_id",
  "poll_votes.user_id",
  "posts.author_id",
  "private_feeds.user_id",
  "push_subscriptions.user_id",
  "reactions.user_id",
  "records.recorder_id",
  "removals.user_id",
  "reports.reporter_id",
  "sanctions.user_id",
  "scheduled_posts.user_id",
  "sessions.user_id",
  "topic_mutes.user_id",
  "topic_notification_levels.user_id",
  "uploads.user_id",
  "verifications.user_id",
  "votes.user_id",
  "webhooks.user_id",
];

const whoActed = "who did it to something of someone else's";
const aboutThem = "what others wrote or decided about the user, which is not theirs to read";
const passing = "gone within minutes or a day, or derived from what is exported";

/** Columns that name a user and whose rows an export does not have. */
const NOT_EXPORTED: Readonly<Record<string, string>> = {
  "account_sanctions.created_by": whoActed,
  "blocked_files.blocked_by": whoActed,
  "blocks.blocked_id": "nobody learns who blocked them",
  "follows.followed_id": "nobody learns who follows them",
  "chat_connections.user_id": passing,
  "chat_messages.hidden_by": whoActed,
  "comments.hidden_by": whoActed,
  "desk_reports.claimed_by": whoActed,
  "desk_reports.decided_by": whoActed,
  "desk_reports.subject_id": aboutThem,
  "freed_nicknames.user_id": "what a former nickname looks like, until someone else may take it",
  "idempotency_keys.user_id": passing,
  "invite_tokens.used_by": "whose invite it was",
  "join_requests.decided_by": whoActed,
  "legal_holds.placed_by": whoActed,
  "mentions.user_id": "what others wrote",
  "moderation_log.subject_id": aboutThem,
  "notifications.actor_id": "what others did",
  "operators.granted_by": whoActed,
  "ownership_offers.offered_by": "open for a week at most; the log of the topic has what came of it",
  "posts.deleted_by": whoActed,
  "posts.hidden_by": whoActed,
  "record_days.user_id": passing,
  "remembered_identities.user_id": "of withdrawn accounts",
  "reports.decided_by": whoActed,
  "reports.subject_id": aboutThem,
  "sanctions.created_by": whoActed,
  "staff_notes.author_id": "notes about others, for the topic's staff",
  "staff_notes.user_id": aboutThem,
  "topic_identities.user_id": "a keyed hash of an identity, by its membership",
  "topics.creator_id": "their owner exports them",
  "account_sanctions.user_id": "exported by identity, which a later account has too",
};

let cast: Cast;
let topicId: string;
beforeAll(async () => {
  cast = await createCast();
  topicId = await cast.place();
});
afterAll(() => cast.h.close());

async function exportOf(user: TestUser) {
  const { total, entries } = await collectExport(await cast.h.memberContext(user.token));
  const all: ExportEntry[] = [];
  for await (const entry of entries) all.push(entry);
  return { total, all };
}
const textOf = (all: readonly ExportEntry[], name: string) =>
  String(all.find((entry) => entry.name === name)?.content ?? "");
const jsonOf = (all: readonly ExportEntry[], name: string): unknown => JSON.parse(textOf(all, name));

describe("an export", () => {
  it("has everything that the member wrote, did, proved, chose and uploaded, as many files as it says", async () => {
    const user = await signIn(cast.h, "author");
    await addTo(cast.h.db, topicId, user);
    const as = await cast.h.memberContext(user.token);
    const [key = ""] = await storeImages(as, "post", [png()], "file");
    const image = `<img src="${cast.h.services.storage.htmlUrl(key)}" alt="">`;
    const leaf = `0x${"1".padStart(64, "0")}`;
    const post = await makePost(user, topicId, "A <b> title", `<p>Words.</p>${image}`);
    const { comment: said } = await say(user, post.id, "A comment.");
    await user.api.call(contract.comments.vote, { commentId: said.id, value: -1 });
    await user.api.call(contract.chat.send, { topicId, message: "A message." });
    await user.api.call(contract.posts.vote, { postId: post.id, value: 1 });
    await user.api.call(contract.posts.react, { postId: post.id, emoji: "🔥" });
    await user.api.call(contract.posts.bookmark, { postId: post.id });
    await user.api.call(contract.moderation.reportPost, {
      postId: (await makePost(cast.owner, topicId)).id,
      reason: "spam",
      details: "My words.",
    });
    await say(cast.owner, post.id, "Somebody else's comment.");
    await user.api.call(contract.users.block, { userId: cast.outsider.userId });
    await user.api.call(contract.users.follow, { userId: cast.owner.userId });
    await user.api.call(contract.topics.mute, { topicId });
    await user.api.call(contract.notifications.setKinds, { kinds: ["reply"], push: false });
    const { message } = await user.api.call(contract.chat.send, { topicId, message: "# Gone." });
    await user.api.call(contract.chat.delete, { messageId: message.id });
    await user.api.call(contract.moderation.reportProfile, { userId: cast.owner.userId, reason: "abuse" });
    await user.api.call(contract.reading.readTopic, { topicId });
    await user.api.call(contract.reading.readThread, { postId: post.id });
    await verified(cast.h, user, { domain: "acme.example" });
    await user.api.call(contract.crowd.enrol, { topicId, leaf });
    await user.api.call(contract.drafts.save, { topicId, content: draftTitled("A draft"), version: null });
    const publishAt = new Date(Date.now() + 3_600_000).toISOString();
    const later = { topicId, title: "Later", content: "<p>Later.</p>", publishAt };
    await user.api.call(contract.scheduled.create, later);

    const scopes = ["read"];
    await user.api.call(contract.auth.createToken, { name: "Nightly", scopes });

    const url = "https://hooks.example.org/";
    await cast.h.db
      .insertInto("webhooks")
      .values({
        ...{ topic_id: topicId, user_id: user.userId, url, events: ["post.created"] },
        ...{ position: 0, created_at: new Date() },
      })
      .execute();

    const app = { name: "Tea club", kind: "browser" as const, redirectUris: ["https://tea.example.org/"] };
    await user.api.call(contract.apps.create, app);

    const { total, all } = await exportOf(user);
    const names = all.map(({ name }) => name);
    expect(total).toBe(all.length);
    expect(new Set(names).size).toBe(names.length);
    expect(jsonOf(all, "account.json")).toMatchObject({
      userId: user.userId,
      nickname: user.nickname,
      memberships: [{ topicId, title: "A topic", role: "member" }],
      proofs: [{ circuit: "oidc_domain_attestation", facts: { domain: "acme.example" } }],
      notificationSettings: { kinds: [{ kind: "reply", inApp: true, push: false }] },
      mutedTopics: [{ topicId }],
      blocks: [{ userId: cast.outsider.userId }],
      follows: [{ userId: cast.owner.userId }],
      apps: [app],
      webhooks: [{ topicId, url, events: ["post.created"] }],
      automationTokens: [{ name: "Nightly", scopes, spendCap: 0 }],
    });
    const day = post.createdAt.slice(0, 10);
    const markdown = textOf(all, `posts/${day}-${post.id}.md`);
    expect(markdown).toMatch(/^# A \\<b\\> title\n\n- Topic: A topic\n- Written: /);
    expect(markdown).toContain("<p>Words.</p>");
    expect(jsonOf(all, `posts/${day}-${post.id}.json`)).toMatchObject({ id: post.id, title: "A <b> title" });
    expect(jsonOf(all, "comments-1.json")).toMatchObject([{ postId: post.id, content: "A comment." }]);
    expect(jsonOf(all, "chat-messages-1.json")).toMatchObject([{ topicId, message: "A message." }]);
    expect(textOf(all, "chat-messages-1.md")).toMatch(
      /^# Chat messages\n\n## 2\S+Z\n\ntopic \S+\n\n> A message\.\n$/,
    );
    expect(jsonOf(all, "reports-to-operators-1.json")).toMatchObject([
      { kind: "profile", targetId: cast.owner.userId, reason: "abuse" },
    ]);
    expect(jsonOf(all, "crowd-leaves-1.json")).toMatchObject([{ topicId, leaf, withdrawnAt: null }]);
    expect(jsonOf(all, "drafts-1.json")).toMatchObject([{ topicId, content: { title: "A draft" } }]);
    expect(jsonOf(all, "scheduled-posts-1.json")).toMatchObject([
      { topicId, publishAt, content: { title: "Later", content: "<p>Later.</p>" } },
    ]);
    expect(jsonOf(all, "comment-votes-1.json")).toMatchObject([{ commentId: said.id, value: -1 }]);
    expect(jsonOf(all, "votes-1.json")).toMatchObject([{ postId: post.id, value: 1 }]);
    expect(jsonOf(all, "reactions-1.json")).toMatchObject([{ postId: post.id, emoji: "🔥" }]);
    expect(jsonOf(all, "bookmarks-1.json")).toMatchObject([{ postId: post.id }]);
    expect(jsonOf(all, "read-topics-1.json")).toMatchObject([{ topicId, postPosition: 2, chatPosition: 3 }]);
    expect(jsonOf(all, "read-threads-1.json")).toMatchObject([{ postId: post.id, position: 2 }]);
    expect(jsonOf(all, "reports-1.json")).toMatchObject([{ reason: "spam", details: "My words." }]);
    expect(jsonOf(all, "notifications-1.json")).toMatchObject([{ kind: "reply" }]);
    const files = all.filter(({ name }) => name.startsWith("files/"));
    expect(files).toHaveLength(1);
    const stored = await cast.h.services.storage.read(key);
    expect(Buffer.from(files[0]?.content ?? "").equals(Buffer.from(stored ?? ""))).toBe(true);
  });

  it("has nothing of others, and none of what was deleted", async () => {
    const user = await signIn(cast.h);
    await addTo(cast.h.db, topicId, user);
    const gone = await makePost(user, topicId, "Deleted by me", "<p>Deleted words.</p>");
    const { comment } = await say(user, gone.id, "Deleted comment.");
    await user.api.call(contract.comments.delete, { commentId: comment.id });
    await user.api.call(contract.posts.delete, { postId: gone.id });
    const others = await makePost(cast.owner, topicId, "Not mine", "<p>Their words.</p>");
    await user.api.call(contract.posts.bookmark, { postId: others.id });
    const { total, all } = await exportOf(user);
    expect(total).toBe(all.length);
    expect(all.map(({ name }) => name)).toEqual(["README.md", "account.json", "bookmarks-1.json"]);
    const whole = all.map(({ content }) => String(content)).join("\n");
    for (const text of ["Deleted", "Not mine", "Their words", cast.owner.nickname]) {
      expect(whole).not.toContain(text);
    }
    expect(whole).toContain(others.id);
  });

  it("does not name a secret topic to someone who left it", async () => {
    const user = await signIn(cast.h);
    const secret = await cast.place("secret");
    await addTo(cast.h.db, secret, user);
    await makePost(user, secret, "Mine", "<p>c</p>");
    await user.api.call(contract.topics.leave, { topicId: secret });
    await cast.owner.api.call(contract.topics.update, { topicId: secret, title: "A later name" });
    const { all } = await exportOf(user);
    expect(all.map(({ content }) => String(content)).join("\n")).not.toContain("A later name");
    expect(all.filter(({ name }) => name.endsWith(".md"))).toHaveLength(2);
  });

  it("reads long lists in parts: each row once, in order, also where many have the same time", async () => {
    const user = await signIn(cast.h);
    const { id } = await makePost(cast.owner, topicId);
    const count = 2_500;
    await sql`insert into comments (id, post_id, author_id, content, created_at, updated_at)
      select gen_random_uuid(), ${id}, ${user.userId}, n::text, '2026-01-01T00:00:00Z'::timestamptz
        + make_interval(secs => n / 700), now() from generate_series(0, ${count - 1}::int) n`.execute(
      cast.h.db,
    );
    const { total, all } = await exportOf(user);
    expect(total).toBe(all.length);
    const parts = all.filter(({ name }) => /^comments-.*json$/.test(name));
    expect(parts.map(({ name }) => name)).toEqual([1, 2, 3].map((part) => `comments-${part}.json`));
    const rows = z.array(z.object({ content: z.string(), createdAt: z.string() }));
    const read = parts.flatMap(({ content }) => rows.parse(JSON.parse(String(content))));
    expect(new Set(read.map(({ content }) => content)).size).toBe(count);
    expect(read).toHaveLength(count);
    const times = read.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted());
  });

  it("has every table that names a user, or says here why not", async () => {
    const { rows } = await sql<{ column: string }>`
      select referring.relname || '.' || attribute.attname as column from pg_constraint c
      join pg_class referring on referring.oid = c.conrelid
      join pg_attribute attribute on attribute.attrelid = c.conrelid and attribute.attnum = any(c.conkey)
      where c.contype = 'f' and c.confrelid = 'users'::regclass`.execute(cast.h.db);
    const found = new Set(rows.map(({ column }) => column));
    const known = new Set([...EXPORTED, ...Object.keys(NOT_EXPORTED)]);
    expect([...found].filter((column) => !known.has(column))).toEqual([]);
    expect([...known].filter((column) => !found.has(column))).toEqual([]);
  });

  it("of someone who did nothing is a page and an account", async () => {
    const { total, all } = await exportOf(await signIn(cast.h, `quiet_${randomUUID().slice(0, 4)}`));
    expect(all.map(({ name }) => name)).toEqual(["README.md", "account.json"]);
    expect(total).toBe(2);
  });
});

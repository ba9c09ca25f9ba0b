import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { contract } from "@/lib/contract";
import type { TestUser } from "@/lib/testing/harness";
import { png } from "@/lib/testing/images";
import { say } from "../notifications/testing";
import { addTo, type Cast, createCast, makePost, signIn, verified } from "../testing";
import { storeImages } from "../uploads/store";
import { collectExport, type ExportEntry } from "./export";

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
    const post = await makePost(user, topicId, "A <b> title", `<p>Words.</p>${image}`);
    await say(user, post.id, "A comment.");
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
    await user.api.call(contract.topics.mute, { topicId });
    await user.api.call(contract.notifications.setKinds, { kinds: ["reply"], push: false });
    await verified(cast.h, user, { domain: "acme.example" });

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
    });
    const day = post.createdAt.slice(0, 10);
    const markdown = textOf(all, `posts/${day}-${post.id}.md`);
    expect(markdown).toMatch(/^# A \\<b\\> title\n\n- Topic: A topic\n- Written: /);
    expect(markdown).toContain("<p>Words.</p>");
    expect(jsonOf(all, `posts/${day}-${post.id}.json`)).toMatchObject({ id: post.id, title: "A <b> title" });
    expect(jsonOf(all, "comments-1.json")).toMatchObject([{ postId: post.id, content: "A comment." }]);
    expect(jsonOf(all, "chat-messages-1.json")).toMatchObject([{ topicId, message: "A message." }]);
    expect(jsonOf(all, "votes-1.json")).toMatchObject([{ postId: post.id, value: 1 }]);
    expect(jsonOf(all, "reactions-1.json")).toMatchObject([{ postId: post.id, emoji: "🔥" }]);
    expect(jsonOf(all, "bookmarks-1.json")).toMatchObject([{ postId: post.id }]);
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
    const parts = all.filter(({ name }) => name.startsWith("comments-"));
    expect(parts.map(({ name }) => name)).toEqual([1, 2, 3].map((part) => `comments-${part}.json`));
    const rows = z.array(z.object({ content: z.string(), createdAt: z.string() }));
    const read = parts.flatMap(({ content }) => rows.parse(JSON.parse(String(content))));
    expect(new Set(read.map(({ content }) => content)).size).toBe(count);
    expect(read).toHaveLength(count);
    const times = read.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted());
  });

  it("of someone who did nothing is a page and an account", async () => {
    const { total, all } = await exportOf(await signIn(cast.h, `quiet_${randomUUID().slice(0, 4)}`));
    expect(all.map(({ name }) => name)).toEqual(["README.md", "account.json"]);
    expect(total).toBe(2);
  });
});

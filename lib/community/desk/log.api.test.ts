import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import type { InstallationLogEntry } from "@/lib/contract/desk";
import type { Harness, TestUser } from "@/lib/testing/harness";
import { actorTag, verifyInstallationLog, verifyLog } from "../moderation/chain";
import { createWords, hide, report } from "../moderation/testing";
import { globalAdmin } from "../posts/testing";
import { type Cast, createCast, makePost, refusalOf } from "../testing";

/** The log of the installation: what it has, who reads it, and that it has no gaps. */
let cast: Cast;
let h: Harness;
let root: Awaited<ReturnType<typeof globalAdmin>>;
let owner: TestUser;
let member: TestUser;
beforeAll(async () => {
  cast = await createCast();
  ({ h, owner, member } = cast);
  root = await globalAdmin(h);
});
afterAll(() => h.close());

async function readAll(): Promise<InstallationLogEntry[]> {
  const entries: InstallationLogEntry[] = [];
  for (let cursor: string | undefined, first = true; first || cursor; first = false) {
    const page = await h.guest.call(contract.desk.log, { limit: 3, cursor });
    entries.push(...page.entries);
    cursor = page.nextCursor ?? undefined;
  }
  return entries.reverse();
}
/** The entries that an act adds. */
async function added(act: () => Promise<unknown>): Promise<InstallationLogEntry[]> {
  const before = (await readAll()).length;
  await act();
  return (await readAll()).slice(before);
}

describe("an operator's act is logged with its reason, for everyone", () => {
  it("deleting a post and a comment, and editing a post", async () => {
    const at = await createWords(cast);
    const { postId, commentId, topicId } = at;
    const entries = await added(async () => {
      await root.api.call(contract.posts.update, { postId, title: "Better" });
      await root.api.call(contract.comments.delete, { commentId, reason: "A threat." });
      await root.api.call(contract.posts.delete, { postId, reason: "Spam." });
    });
    const common = { role: "operator", topicId };
    expect(entries).toMatchObject([
      {
        ...common,
        action: "post_edited",
        targetKind: "post",
        targetId: postId,
        details: { fields: "title" },
      },
      {
        ...common,
        action: "comment_deleted",
        targetKind: "comment",
        targetId: commentId,
        reason: "A threat.",
      },
      { ...common, action: "post_deleted", targetKind: "post", targetId: postId, reason: "Spam." },
    ]);
    const { notifications } = await member.api.call(contract.notifications.list, { unread: "true" });
    expect(notifications.slice(0, 2)).toMatchObject([
      { kind: "post_removed", reason: "Spam.", actor: null, details: { by: "operators" } },
      { kind: "comment_removed", reason: "A threat.", actor: null, details: { by: "operators" } },
    ]);
    const log = await member.api.call(contract.moderation.log, { topicId });
    expect(log.entries[0]).toMatchObject({ action: "post_deleted", reason: "Spam." });
  });

  it("deleting a chat message", async () => {
    const topicId = await cast.place();
    const { message } = await member.api.call(contract.chat.send, { topicId, message: "m" });
    const messageId = message.id;
    const entries = await added(() =>
      root.api.call(contract.chat.delete, { messageId, reason: "An address." }),
    );
    expect(entries).toMatchObject([
      {
        ...{ role: "operator", topicId, action: "message_deleted", targetKind: "message" },
        ...{ targetId: messageId, reason: "An address." },
      },
    ]);
    const { notifications } = await member.api.call(contract.notifications.list, { unread: "true" });
    expect(notifications[0]).toMatchObject({
      kind: "message_removed",
      details: { messageId, by: "operators" },
    });
  });

  it("security F5: deleting a topic, whose own log stays, with its end in the entry", async () => {
    const at = await createWords(cast, "secret");
    const { topicId } = at;
    await hide(cast.admin, "post", at, true, "Rude.");
    const before = (await member.api.call(contract.moderation.log, { topicId })).entries;
    const [entry] = await added(() =>
      root.api.call(contract.topics.delete, { topicId, reason: "A market for drugs." }),
    );
    expect(entry).toMatchObject({
      action: "topic_deleted",
      targetKind: "topic",
      targetId: topicId,
      reason: "A market for drugs.",
      details: { logSeq: "1", logHash: before[0]?.hash },
    });
    const rows = await h.db
      .selectFrom("moderation_log")
      .selectAll()
      .where("topic_id", "=", topicId)
      .execute();
    expect(rows.map(({ reason, hash }) => [reason, hash])).toEqual([["Rude.", before[0]?.hash]]);
    expect(verifyLog(topicId, before.toReversed())).toBeNull();
    const { notifications } = await owner.api.call(contract.notifications.list, { unread: "true" });
    expect(notifications[0]).toMatchObject({
      kind: "topic_removed",
      topicId: null,
      reason: "A market for drugs.",
      details: { title: "A topic" },
    });
  });
});

describe("what is not an operator's act is not logged", () => {
  it("of staff, of authors, and of an operator who is staff of the topic", async () => {
    const words = async () => {
      const at = await createWords(cast);
      await h.db
        .insertInto("memberships")
        .values({ topic_id: at.topicId, user_id: root.user.userId, role: "admin", joined_at: new Date() })
        .execute();
      return at;
    };
    const entries = await added(async () => {
      const one = await words();
      await cast.admin.api.call(contract.comments.delete, { commentId: one.commentId, reason: "Rude." });
      await cast.admin.api.call(contract.posts.delete, { postId: one.postId, reason: "Spam." });
      const two = await words();
      await member.api.call(contract.comments.delete, { commentId: two.commentId });
      await member.api.call(contract.posts.delete, { postId: two.postId });
      const three = await words();
      await root.api.call(contract.posts.delete, { postId: three.postId });
      await owner.api.call(contract.topics.delete, { topicId: three.topicId, reason: "Enough." });
    });
    expect(entries).toEqual([]);
  });

  it("an act that is refused", async () => {
    const { postId } = await createWords(cast);
    const refused = () => cast.outsider.api.call(contract.posts.delete, { postId, reason: "Mine now." });
    expect(await added(() => refusalOf(refused()))).toEqual([]);
  });
});

describe("GET /api/log", () => {
  it("names neither operators, reporters nor what was deleted, and shows operators' hashes to who knows the nonce", async () => {
    const at = await createWords(cast);
    await report(cast.outsider, "post", at, "Look at this.");
    await root.api.call(contract.posts.delete, { postId: at.postId });
    const said = JSON.stringify(await readAll());
    for (const secret of [
      root.user.userId,
      root.user.nickname,
      cast.outsider.userId,
      "Look at this.",
      "Some words.",
      "Title",
    ]) {
      expect(said).not.toContain(secret);
    }
    const rows = await h.db
      .selectFrom("installation_log")
      .select(["actor", "actor_id", "actor_nonce"])
      .execute();
    for (const row of rows) expect(actorTag(row.actor_nonce, row.actor_id)).toBe(row.actor);
    expect(new Set(rows.map(({ actor }) => actor)).size).toBe(rows.length);
  });

  it("is numbered without gaps and chained, also when many act at once", async () => {
    const topicId = await cast.place();
    const posts = await Promise.all(Array.from({ length: 12 }, () => makePost(member, topicId)));
    await Promise.all(
      posts.map(({ id }) => root.api.call(contract.posts.delete, { postId: id, reason: id })),
    );
    const entries = await readAll();
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
    expect(new Set(entries.slice(-12).map(({ reason }) => reason))).toEqual(
      new Set(posts.map(({ id }) => id)),
    );
    expect(verifyInstallationLog(entries)).toBeNull();
    const head = await h.db.selectFrom("installation_log_head").select(["seq", "hash"]).executeTakeFirst();
    expect(head).toEqual({ seq: entries.length, hash: entries.at(-1)?.hash });
  });

  it("400 for a cursor of another list", async () => {
    for (const cursor of ["x", Buffer.from('["log",1]').toString("base64url")]) {
      const answer = await h.send("GET", `/api/log?cursor=${cursor}`);
      expect([answer.status, Object(answer.body).field]).toEqual([400, "cursor"]);
    }
  });

  it("an act that cannot be logged does not happen", async () => {
    const { postId } = await createWords(cast);
    await sql`alter table installation_log rename to elsewhere`.execute(h.db);
    try {
      expect(await refusalOf(root.api.call(contract.posts.delete, { postId }))).toMatchObject({
        status: 500,
      });
    } finally {
      await sql`alter table elsewhere rename to installation_log`.execute(h.db);
    }
    const { post } = await h.guest.call(contract.posts.get, { postId });
    expect(post.title).toBe("Title");
  });
});

import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import {
  addTo,
  clientWith,
  gate,
  general,
  makePost,
  makeTopic,
  refusalOf,
  signIn,
  verified,
} from "../testing";

let h: Harness;
let owner: TestUser;
let root: TestUser;
beforeAll(async () => {
  h = await createHarness();
  root = await signIn(h, "root");
  owner = await signIn(h, "owner");
});
afterAll(() => h.close());

const remove = (user: TestUser, topicId: string) => user.api.call(contract.topics.delete, { topicId });

/** A topic with something in every table, all of it marked with a word that occurs nowhere else. */
async function fullTopic(canary: string) {
  const { topic } = await owner.api.call(contract.topics.create, {
    title: `T ${canary}`,
    description: canary,
    categoryId: general,
    visibility: "public",
  });
  const topicId = topic.id;
  const [member, asker, removed] = [await signIn(h), await signIn(h), await signIn(h)];
  await member.api.call(contract.topics.join, { topicId });
  await gate(h.db, topicId, "workspace", { domain: "example.com" });
  await verified(h, removed, { domain: "example.com" });
  await removed.api.call(contract.topics.join, { topicId });
  await owner.api.call(contract.members.remove, { topicId, userId: removed.userId, reason: canary });
  await owner.api.call(contract.topics.createInvite, { topicId });
  await h.db
    .insertInto("join_requests")
    .values({ topic_id: topicId, user_id: asker.userId, status: "pending" })
    .execute();
  const { post } = await member.api.call(contract.posts.create, {
    topicId,
    title: canary,
    content: `<p>${canary}</p>`,
    tags: ["kept tag", `tag ${canary}`],
    poll: { question: canary, options: ["A", "B"] },
  });
  const postId = post.id;
  const option = post.poll?.options[0]?.id ?? expect.fail();
  await member.api.call(contract.posts.votePoll, { postId, optionIds: [option] });
  await member.api.call(contract.posts.vote, { postId, value: 1 });
  await member.api.call(contract.posts.react, { postId, emoji: "🔥" });
  await member.api.call(contract.posts.bookmark, { postId });
  const { comment } = await member.api.call(contract.comments.create, { postId, content: canary });
  await member.api.call(contract.comments.create, { postId, content: canary, parentId: comment.id });
  await owner.api.call(contract.moderation.reportPost, { postId, reason: "spam", details: canary });
  await owner.api.call(contract.moderation.reportComment, {
    commentId: comment.id,
    reason: "spam",
    details: canary,
  });
  await owner.api.call(contract.moderation.hideComment, { commentId: comment.id, hidden: true });
  await owner.api.call(contract.moderation.sanction, {
    topicId,
    userId: member.userId,
    kind: "mute",
    reason: canary,
  });
  const gone = await makePost(owner, topicId, "soon gone");
  await owner.api.call(contract.posts.delete, { postId: gone.id });
  return { topicId, postId, commentId: comment.id };
}

/** Tables of which some row, written out as text, contains one of these. */
async function tablesThatName(words: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(h.db);
  const found: string[] = [];
  for (const { name } of rows) {
    const hits = await sql<{ hits: number }>`
      select count(*)::int as hits from ${sql.table(name)} as r
      where ${sql.join(
        words.map((word) => sql`r::text like ${`%${word}%`}`),
        sql` or `,
      )}`.execute(h.db);
    if (hits.rows[0]?.hits) found.push(name);
  }
  return found.sort();
}

const tagCounts = async (...slugs: string[]) =>
  await h.db.selectFrom("tags").select(["slug", "public_post_count"]).where("slug", "in", slugs).execute();

describe("200", () => {
  it("deletes everything in it, and leaves other topics and the counts of their tags unchanged", async () => {
    const other = await makeTopic(owner);
    const tagged = { topicId: other.id, title: "t", content: "<p>c</p>", tags: ["kept tag"] };
    await owner.api.call(contract.posts.create, tagged);
    const secret = await makeTopic(owner, "secret");
    await owner.api.call(contract.posts.create, { ...tagged, topicId: secret.id });

    const canary = `canary${randomUUID().slice(0, 8)}`;
    const { topicId, postId, commentId } = await fullTopic(canary);
    const words = [topicId, postId, commentId, canary];
    // Everything that this issue's tables can hold of a topic was there; otherwise the next line proves little.
    expect(await tablesThatName(words)).toEqual(
      expect.arrayContaining([
        ...["topics", "topic_search", "topic_tags", "memberships", "join_requests", "invite_tokens"],
        ...["topic_identities", "removals", "posts", "post_search", "post_tags", "tags", "polls"],
        ...["votes", "reactions", "bookmarks", "comments", "comment_search"],
        ...["reports", "sanctions", "moderation_log"],
      ]),
    );
    expect(await tagCounts("kept-tag")).toEqual([{ slug: "kept-tag", public_post_count: 2 }]);

    expect(await remove(owner, topicId)).toEqual({ deleted: true, topicId, deletedPostCount: 2 });

    // The log of its staff, which only operators can read from now on.
    expect(await tablesThatName(words)).toEqual(["moderation_log"]);
    const orphans = await sql<{ count: number }>`
      select (select count(*) from poll_options o where not exists (select from polls p where p.id = o.poll_id))::int
        + (select count(*) from poll_votes v where not exists (select from polls p where p.id = v.poll_id))::int
        as count`.execute(h.db);
    expect(orphans.rows).toEqual([{ count: 0 }]);
    expect(await tagCounts("kept-tag", `tag-${canary}`)).toEqual([
      { slug: "kept-tag", public_post_count: 1 },
    ]);
    await remove(owner, secret.id);
    expect(await tagCounts("kept-tag")).toEqual([{ slug: "kept-tag", public_post_count: 1 }]);
    expect((await owner.api.call(contract.posts.list, { topicId: other.id })).posts).toHaveLength(1);
  });

  it("a global admin may, without being a member", async () => {
    const { id } = await makeTopic(owner, "secret");
    const api = clientWith(h, root, { adminUserIds: new Set([root.userId]) });
    expect(await api.call(contract.topics.delete, { topicId: id })).toMatchObject({ deleted: true });
    expect(await refusalOf(owner.api.call(contract.topics.get, { topicId: id }))).toMatchObject({
      status: 404,
    });
  });
});

describe("401, 403, 404", () => {
  it("an admin, an outsider, a guest, and a topic that is gone", async () => {
    const { id } = await makeTopic(owner);
    expect(await refusalOf(remove(root, id))).toMatchObject({ status: 403, code: "not_a_member" });
    const [admin, outsider] = [await signIn(h), await signIn(h)];
    await addTo(h.db, id, admin, "admin");
    expect(await refusalOf(remove(admin, id))).toMatchObject({ status: 403, code: "role_required" });
    expect(await refusalOf(remove(outsider, id))).toMatchObject({ status: 403, code: "not_a_member" });
    expect((await h.send("DELETE", `/api/topics/${id}`)).status).toBe(401);
    await remove(owner, id);
    expect(await refusalOf(remove(owner, id))).toMatchObject({ status: 404, code: "topic_not_found" });
  });
});

/**
 * Whatever refers to rows that go with a topic is found by an index, and not by reading a table once per deleted row:
 * every foreign key that leads to such a table has an index beginning with its columns, one that holds all rows
 * for which the key is set.
 */
it("finds everything of a topic by an index", async () => {
  const { rows } = await sql<{ key: string }>`
    with recursive gone (id) as (
      select 'topics'::regclass::oid
      union select c.conrelid from pg_constraint c join gone on c.confrelid = gone.id
        where c.contype = 'f' and c.confdeltype = 'c'
    )
    select c.conrelid::regclass || ' (' || pg_get_constraintdef(c.oid) || ')' as key
    from pg_constraint c join gone on c.confrelid = gone.id
    where c.contype = 'f' and not exists (
      select from pg_index i where i.indrelid = c.conrelid
        and (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey
        and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) = any (
          select '(' || a.attname || ' IS NOT NULL)' from pg_attribute a
          where a.attrelid = c.conrelid and a.attnum = any (c.conkey)))
    ) order by 1`.execute(h.db);
  expect(rows).toEqual([]);
});

import { sql } from "kysely";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createDatabase, migrate, type Database as Opened } from "@/lib/sql";
import { emptyTemplate } from "@/lib/testing/empty";
import { communityRelease, migrations } from "./migrations";
import type { Database } from "./schema";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** Migrations from 004 on, over a database with content: their copies and counts must match the content. */
let database: Opened<Database>;
const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
const [open, secret, live, inSecret, deleted, tag, secretTag] = [1, 2, 3, 4, 5, 6, 7].map(id);

beforeAll(async () => {
  database = await createDatabase<Database>({ url: "pglite:memory", template: await emptyTemplate() });
  const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < "004"));
  await migrate(database.db, { ...communityRelease, migrations: before });
  const topic = (
    topicId = "",
    visibility = "",
    code = "",
  ) => `insert into topics (id, title, creator_id, visibility,
    proof_type, invite_code, score_at, last_activity_at, updated_at)
    values ('${topicId}', 'T', 'u', '${visibility}', 'none', '${code}', now(), now(), now())`;
  const post = (
    postId = "",
    topicId = "",
    isPublic = true,
    deletedAt = "null",
  ) => `insert into posts (id, topic_id,
    author_id, is_public, title, content, summary, media, score, last_activity_at, created_at, updated_at, deleted_at)
    values ('${postId}', '${topicId}', 'u', ${isPublic}, 't', 'c', 'c', '{}', 0, now(), '2026-01-01', now(), ${deletedAt})`;
  for (const statement of [
    "insert into users (id, nickname, nickname_key) values ('u', 'u', 'u')",
    topic(open, "public", "AAAAAAAA"),
    topic(secret, "secret", "BBBBBBBB"),
    `insert into memberships (topic_id, user_id, role) values ('${open}', 'u', 'owner')`,
    post(live, open),
    post(inSecret, secret, false),
    `update posts set created_at = '2026-01-02' where id = '${inSecret}'`,
    post(deleted, open, true, "now()"),
    `insert into post_search (post_id, text) values ('${live}', 'some words'), ('${inSecret}', 'other words')`,
    `insert into tags (id, name, slug, post_count) values ('${tag}', 'A', 'a', 2)`,
    `insert into tags (id, name, slug, post_count, created_at)
      values ('${secretTag}', 'Shared NAME', 'shared-name', 2, '2026-01-02')`,
    `insert into post_tags (post_id, tag_id, position)
      values ('${live}', '${secretTag}', 1), ('${inSecret}', '${secretTag}', 1)`,
    `insert into post_tags (post_id, tag_id, position)
      values ('${live}', '${tag}', 0), ('${inSecret}', '${tag}', 0), ('${deleted}', '${tag}', 0)`,
    `insert into reactions (post_id, user_id, emoji) values ('${live}', 'u', 'x')`,
    `insert into comments (post_id, author_id, content, created_at, updated_at)
      values ('${live}', 'u', 'Spoken', '2026-01-02', now())`,
    `insert into comments (post_id, author_id, content, updated_at, deleted_at, deleted_by)
      values ('${live}', 'u', '', now(), now(), 'author')`,
  ]) {
    await sql.raw(statement).execute(database.db);
  }
  const chats = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < "006"));
  await migrate(database.db, { ...communityRelease, migrations: chats });
  await sql
    .raw(
      `insert into chat_rooms (topic_id, last_position, message_count, last_at) values ('${open}', 7, 5, now())`,
    )
    .execute(database.db);
  await migrate(database.db, communityRelease);
});
afterAll(() => database.close());

const rows = async (query: string) => (await sql.raw(query).execute(database.db)).rows;

it("posts are found by their words, with where and when they stand", async () => {
  const found = await rows(`select post_id, topic_id, is_public, created_at from post_search
    where words @@ to_tsquery('simple', 'words') order by post_id`);
  expect(found).toEqual([
    { post_id: live, topic_id: open, is_public: true, created_at: new Date("2026-01-01T00:00:00Z") },
    { post_id: inSecret, topic_id: secret, is_public: false, created_at: new Date("2026-01-02T00:00:00Z") },
  ]);
});

it("comments are found by their words, deleted ones are not", async () => {
  const created_at = new Date("2026-01-02T00:00:00Z");
  expect(await rows("select text, created_at from comment_search")).toEqual([{ text: "spoken", created_at }]);
});

it("security F8: a tag that a secret topic spelled first keeps that spelling only there", async () => {
  const names = await rows(`select post_id, name from post_tags g join tags t on t.id = g.tag_id
    where t.slug = 'shared-name' order by post_id`);
  expect(names).toEqual([
    { post_id: live, name: "shared-name" },
    { post_id: inSecret, name: "Shared NAME" },
  ]);
});

it("tags are counted in public topics and within each topic", async () => {
  expect(await rows("select public_post_count from tags where slug = 'a'")).toEqual([
    { public_post_count: 1 },
  ]);
  expect(
    await rows("select topic_id, slug, post_count from topic_tags where slug = 'a' order by topic_id"),
  ).toEqual([
    { topic_id: open, slug: "a", post_count: 1 },
    { topic_id: secret, slug: "a", post_count: 1 },
  ]);
  expect(await rows("select post_id, topic_id from post_tags where position = 0 order by post_id")).toEqual([
    { post_id: live, topic_id: open },
    { post_id: inSecret, topic_id: secret },
  ]);
});

it("reactions are counted", async () => {
  expect(await rows("select post_id, emoji, count from reaction_counts")).toEqual([
    { post_id: live, emoji: "x", count: 1 },
  ]);
});

it("nothing new is asked of topics, members and accounts of before", async () => {
  expect(
    await rows(`select reprove_days, slow_mode_seconds, links_after_posts, rules, review_words, anonymous from topics
      where id = '${open}'`),
  ).toEqual([
    {
      ...{ reprove_days: null, slow_mode_seconds: null, links_after_posts: 0, rules: null, review_words: [] },
      anonymous: "off",
    },
  ]);
  // The last proof of a member of before is their joining.
  expect(await rows("select proven_at, reprove_by, reprove_told from memberships")).toEqual([
    { proven_at: null, reprove_by: null, reprove_told: 0 },
  ]);
  expect(await rows("select distinct consumer_mail from users")).toEqual([{ consumer_mail: false }]);
});

it("everyone has read what was there before read marks, and what comes without a number has none", async () => {
  expect(await rows("select distinct position, comment_position from posts")).toEqual([
    { position: 0, comment_position: 0 },
  ]);
  expect(await rows("select distinct position from comments")).toEqual([{ position: 0 }]);
  expect(await rows("select topic_id, position from chat_starts")).toEqual([{ topic_id: open, position: 7 }]);
  // As the previous release writes.
  expect(
    await rows(`insert into comments (post_id, author_id, content, updated_at) values ('${live}', 'u', 'c', now())
      returning position`),
  ).toEqual([{ position: null }]);
});

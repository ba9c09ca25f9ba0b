import { sql } from "kysely";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createDatabase, migrate, type Database as Opened } from "@/lib/sql";
import { emptyTemplate } from "@/lib/testing/empty";
import { communityRelease, migrations } from "./migrations";
import type { Database } from "./schema";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

/** Migrations from 013 on, on a database with content. */
let database: Opened<Database>;
const topic = "00000000-0000-4000-8000-000000000001";
const uuid = "00000000-0000-4000-8000-00000000000a";
const keyOf = (name: string, folder = "posts", owner = "u") =>
  `production/${folder}/${owner}/${uuid}/${name}.png`;
const inText = keyOf("in-text");
const inMedia = keyOf("in-media");
const ofTopic = keyOf("of-topic", "topics");
const ofProfile = keyOf("of-profile", "avatars");
const inComment = keyOf("in-comment");
const inChat = keyOf("in-chat");
const byOthers = keyOf("by-others", "posts", "v");
const shown = [inText, inMedia, ofTopic, ofProfile, inComment, inChat, byOthers];
const unused = [keyOf("unused"), keyOf("in-tex"), keyOf("in-text", "topics")];

beforeAll(async () => {
  database = await createDatabase<Database>({ url: "pglite:memory", template: await emptyTemplate() });
  const before = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < "013"));
  await migrate(database.db, { ...communityRelease, migrations: before });
  const html = `<img src="/uploads/${inText}" alt=""> <img src="https://cdn.example/x/${byOthers}?v=1">`;
  const media = JSON.stringify({ images: [`https://app.example/uploads/${inMedia}`], videos: [] });
  for (const statement of [
    `insert into users (id, nickname, nickname_key, profile_image, deleted_at) values
      ('u', 'u', 'u', 'https://app.example/uploads/${ofProfile}', null), ('v', 'v', 'v', null, null),
      ('gone', '[withdrawn]', 'gone', null, now())`,
    `insert into topics (id, title, creator_id, visibility, proof_type, invite_code, image, score_at, last_activity_at,
      updated_at) values ('${topic}', 'T', 'u', 'public', 'none', 'AAAAAAAA',
      'https://app.example/uploads/${ofTopic}', now(), now(), now())`,
    `insert into posts (id, topic_id, author_id, is_public, title, content, summary, media, score, last_activity_at,
      created_at, updated_at) values ('${uuid}', '${topic}', 'u', true, 't', '${html}', 'c', '${media}', 0, now(), now(),
      now())`,
    `insert into comments (post_id, author_id, content, updated_at)
      values ('${uuid}', 'u', 'See https://app.example/uploads/${inComment}, please.', now())`,
    `insert into chat_rooms (topic_id, last_position, message_count, last_at) values ('${topic}', 1, 1, now())`,
    `insert into chat_messages (topic_id, position, user_id, type, message, created_at)
      values ('${topic}', 1, 'u', 'message', 'https://app.example/uploads/${inChat}', now())`,
    ...[...shown, ...unused].map(
      (key) =>
        `insert into uploads (key, user_id, content_type, size, stored) values ('${key}', 'u', 'image/png', 1, true)`,
    ),
    `insert into topic_identities (topic_id, circuit, identity_hash, user_id) values
      ('${topic}', 'sign_in', 'who left', 'gone'), ('${topic}', 'network_eligibility', 'wallet of who left', 'gone'),
      ('${topic}', 'network_eligibility', 'wallet of u', 'u')`,
    `insert into reports (topic_id, post_id, reporter_id, reason, status) values
      ('${topic}', '${uuid}', 'v', 'spam', 'open')`,
    `insert into moderation_log (topic_id, seq, at, action, actor_id, details, previous_hash, hash)
      values ('${topic}', 1, now(), 'topic_edited', 'u', '{}', 'p', 'h')`,
    `insert into verifications (user_id, circuit, domain, identity_hash, verified_at, expires_at)
      values ('u', 'oidc_domain_attestation', 'acme.example', 'i', now(), now())`,
  ]) {
    await sql.raw(statement).execute(database.db);
  }
  await migrate(database.db, communityRelease);
});
afterAll(() => database.close());

it("011a leaves verifications for the app to seal, and lets none be sealed and in clear at once", async () => {
  const rows = await database.db.selectFrom("verifications").select(["domain", "sealed"]).execute();
  expect(rows).toEqual([{ domain: "acme.example", sealed: null }]);
  const half = sql`update verifications set sealed = 'x', facts_tag = 'x'`.execute(database.db);
  await expect(half).rejects.toThrow("verifications_sealed");
});

it("011b remembers who withdrew with a ban, by sign-in and by seat, and leaves the seats taken", async () => {
  const remembered = await database.db
    .selectFrom("remembered_identities")
    .select(["identity_hash", "user_id"])
    .orderBy("identity_hash")
    .execute();
  expect(remembered).toEqual([
    { identity_hash: "wallet of who left", user_id: "gone" },
    { identity_hash: "who left", user_id: "gone" },
  ]);
  const seats = await database.db
    .selectFrom("topic_identities")
    .select("identity_hash")
    .orderBy("identity_hash")
    .execute();
  expect(seats.map((row) => row.identity_hash)).toEqual(["wallet of u", "wallet of who left"]);
});

it("017 leaves chat messages as they were sent", async () => {
  const rows = await database.db
    .selectFrom("chat_messages")
    .select([
      "position",
      "reply_to_id",
      "edited_at",
      "deleted_at",
      "hidden_at",
      "changed_position",
      "reactions",
    ])
    .execute();
  const none = {
    reply_to_id: null,
    edited_at: null,
    deleted_at: null,
    hidden_at: null,
    changed_position: null,
  };
  expect(rows).toEqual([{ position: 1, ...none, reactions: {} }]);
  expect(await database.db.selectFrom("chat_changes").select("position").execute()).toEqual([]);
});

it("011c marks what a text, media, a topic, a profile, a comment or the chat shows, and nothing else", async () => {
  const keysOf = async (used: boolean) =>
    (await database.db.selectFrom("uploads").select("key").where("used", "=", used).execute()).map(
      ({ key }) => key,
    );
  expect((await keysOf(true)).toSorted()).toEqual(shown.toSorted());
  expect((await keysOf(false)).toSorted()).toEqual(unused.toSorted());
});

it("018 keeps reports, which have no copy of what was reported, and lets chat messages be reported", async () => {
  const kept = await database.db.selectFrom("reports").select(["post_id", "reason", "snapshot"]).execute();
  expect(kept).toEqual([{ post_id: uuid, reason: "spam", snapshot: null }]);
  const report = { topic_id: topic, reporter_id: "u", reason: "spam", status: "open" } as const;
  const decided = { details: null, decided_at: null, decided_by: null };
  await database.db
    .insertInto("reports")
    .values({ ...report, ...decided, post_id: null, comment_id: uuid })
    .execute();
  const aboutNothing = database.db
    .insertInto("reports")
    .values({ ...report, ...decided, post_id: null, comment_id: null })
    .execute();
  await expect(aboutNothing).rejects.toThrow("reports_target");
});

it("019 keeps the log of a deleted topic, and starts the installation's at its first entry", async () => {
  const head = await database.db.selectFrom("installation_log_head").select(["seq", "hash"]).execute();
  expect(head).toEqual([{ seq: 0, hash: "0".repeat(64) }]);
  await database.db.deleteFrom("topics").where("id", "=", topic).execute();
  const kept = await database.db.selectFrom("moderation_log").select(["topic_id", "seq"]).execute();
  expect(kept).toEqual([{ topic_id: topic, seq: 1 }]);
});

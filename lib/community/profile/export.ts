import { type RawBuilder, sql } from "kysely";
import type { Db } from "@/db/schema";
import type { MemberContext } from "@/lib/context";
import { automationsOf } from "@/lib/session/automation";
import { appsOf } from "../apps/manage";
import { digestOf } from "../notifications/digest";
import { privateFeedSince } from "../notifications/private-feed";
import { type List, lists, posts } from "./export-lists";
import { json, type PostRow, postMarkdown, readme, saidMarkdown } from "./export-text";

/** One file of an export. */
export interface ExportEntry {
  /** Path in the archive, with `/`. */
  readonly name: string;
  readonly content: string | Uint8Array;
}

/** An export, whose entries are read one after the other while it is sent. */
export interface Export {
  /** Number of entries. What is written meanwhile may change it by a few. */
  readonly total: number;
  readonly entries: AsyncGenerator<ExportEntry>;
}

type ExportContext = Pick<MemberContext, "caller" | "db" | "storage" | "facts" | "now">;

/** Rows per file, and per query. */
const PART_ROWS = 1_000;
/** Posts per query; their texts are long. */
const POST_ROWS = 50;

/** Collects everything that is the caller's: JSON for programs, Markdown to read, and the files they uploaded. */
export async function collectExport(ctx: ExportContext): Promise<Export> {
  const { caller, db } = ctx;
  const { rows } = await sql<{ posts: number; files: number; parts: number }>`select
    (select count(*)::int from ${posts.from(caller.userId)}) as posts,
    (select count(*)::int from uploads where user_id = ${caller.userId} and stored and not withheld) as files,
    (${sql.join(
      lists.map((list) => partsOf(list, caller.userId)),
      sql` + `,
    )})::int as parts`.execute(db);
  const { posts: postCount, files, parts } = rows[0] ?? { posts: 0, files: 0, parts: 0 };
  // Each post is two files.
  return { total: 2 + parts + 2 * postCount + files, entries: entriesOf(ctx) };
}

/** SQL: the number of files of a list. */
function partsOf(list: List, userId: string): RawBuilder<unknown> {
  const files = list.reading ? 2 : 1;
  return sql`(select (count(*) + ${PART_ROWS - 1}::int) / ${PART_ROWS}::int * ${files}::int from ${list.from(userId)})`;
}

async function* entriesOf(ctx: ExportContext): AsyncGenerator<ExportEntry> {
  const { caller, db } = ctx;
  yield { name: "README.md", content: readme(ctx.now()) };
  yield { name: "account.json", content: json(await accountOf(ctx)) };
  for (const list of lists) {
    let part = 0;
    for await (const rows of pagesOf(db, list, caller.userId, PART_ROWS)) {
      part += 1;
      yield { name: `${list.name}-${part}.json`, content: json(rows) };
      if (!list.reading) continue;
      yield { name: `${list.name}-${part}.md`, content: saidMarkdown(list.reading, rows) };
    }
  }
  for await (const rows of pagesOf<PostRow>(db, posts, caller.userId, POST_ROWS)) {
    for (const post of rows) {
      const name = `posts/${post.createdAt.toISOString().slice(0, 10)}-${post.id}`;
      yield { name: `${name}.json`, content: json(post) };
      yield { name: `${name}.md`, content: postMarkdown(post) };
    }
  }
  yield* filesOf(ctx);
}

/** What a row is ordered by, which the export does not show. */
interface Keys {
  /** In full: a Date has only milliseconds. */
  readonly _at: string;
  readonly _id: string;
}

/** Reads a list in pages, so that no query and no file grows with it. */
async function* pagesOf<Row extends object = Record<string, unknown>>(
  db: Db,
  { columns, from, at, id }: List,
  userId: string,
  size: number,
): AsyncGenerator<Omit<Row & Keys, keyof Keys>[]> {
  // In one collation, so that the order is that of the comparison.
  const key = sql`(${at}, (${id}) collate "C")`;
  let after: RawBuilder<unknown> = sql``;
  for (;;) {
    const { rows } = await sql<Row & Keys>`
      select ${columns}, (${at})::text as "_at", ${id} as "_id" from ${from(userId)} ${after}
      order by ${at}, (${id}) collate "C" limit ${size}`.execute(db);
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map(({ _at, _id, ...row }) => row);
    if (rows.length < size) return;
    after = sql`and ${key} > (${last._at}::timestamptz, ${last._id})`;
  }
}

/** Returns what the account is, proved and chose. */
async function accountOf(ctx: ExportContext) {
  const { caller, db, facts } = ctx;
  const { userId } = caller;
  const [
    user,
    operator,
    sessions,
    memberships,
    proofs,
    badges,
    limitedBadges,
    kinds,
    levels,
    threads,
    mutes,
    push,
  ] = await Promise.all([
    db
      .selectFrom("users")
      .select(["nickname", "profile_image", "created_at"])
      .where("id", "=", userId)
      .executeTakeFirst(),
    db.selectFrom("operators").select("role").where("user_id", "=", userId).executeTakeFirst(),
    db
      .selectFrom("sessions")
      .select(["label", "created_at as createdAt", "last_seen_at as lastSeenAt", "proven_at as provenAt"])
      .where("user_id", "=", userId)
      .orderBy("created_at")
      .execute(),
    db
      .selectFrom("memberships as m")
      .innerJoin("topics as t", "t.id", "m.topic_id")
      .select([
        "t.id as topicId",
        "t.title",
        "m.role",
        "m.joined_at as joinedAt",
        "m.proven_at as provenAt",
        "m.reprove_by as reproveBy",
      ])
      .where("m.user_id", "=", userId)
      .orderBy("m.joined_at")
      .execute(),
    db
      .selectFrom("verifications")
      .select(["circuit", "provider", "sealed", "verified_at as verifiedAt", "expires_at as expiresAt"])
      .where("user_id", "=", userId)
      .orderBy("verified_at")
      .execute(),
    db
      .selectFrom("domain_badges")
      .select(["domain", "created_at as createdAt"])
      .where("user_id", "=", userId)
      .orderBy("created_at")
      .execute(),
    db
      .selectFrom("limited_badges")
      .select(["domain", "topic_id as topicId", "since", "created_at as createdAt"])
      .where("user_id", "=", userId)
      .orderBy("created_at")
      .orderBy("topic_id")
      .execute(),
    db
      .selectFrom("notification_settings")
      .select(["kind", "in_app as inApp", "push"])
      .where("user_id", "=", userId)
      .orderBy("kind")
      .execute(),
    db
      .selectFrom("topic_notification_levels")
      .select(["topic_id as topicId", "level"])
      .where("user_id", "=", userId)
      .orderBy("topic_id")
      .execute(),
    db
      .selectFrom("thread_levels")
      .select(["post_id as postId", "level"])
      .where("user_id", "=", userId)
      .orderBy("post_id")
      .execute(),
    db
      .selectFrom("topic_mutes")
      .select(["topic_id as topicId", "created_at as createdAt"])
      .where("user_id", "=", userId)
      .orderBy("topic_id")
      .execute(),
    db
      .selectFrom("push_subscriptions")
      .select(["label", "created_at as createdAt"])
      .where("user_id", "=", userId)
      .orderBy("created_at")
      .execute(),
  ]);
  return {
    userId,
    nickname: user?.nickname,
    profileImage: user?.profile_image,
    createdAt: user?.created_at,
    operatorRole: operator?.role ?? null,
    memberships,
    proofs: await Promise.all(
      proofs.map(async ({ sealed, ...proof }) => ({
        ...proof,
        facts: await facts.open({ userId, circuit: proof.circuit }, sealed),
      })),
    ),
    badges,
    limitedBadges,
    sessions,
    automationTokens: await automationsOf(db, userId, ctx.now()),
    webhooks: await webhooksOf(ctx),
    apps: await appsOf(db, userId),
    pushDevices: push,
    notificationSettings: { kinds, topics: levels, threads, digest: await digestOf(db, userId) },
    // The address itself is not kept.
    feedAddressCreatedAt: await privateFeedSince(db, userId),
    mutedTopics: mutes,
    blocks: await blocksOf(ctx),
    follows: await followsOf(ctx),
  };
}

/** Returns the webhooks that the caller answers for. */
async function webhooksOf({ db, caller }: ExportContext) {
  return await db
    .selectFrom("webhooks")
    .select(["topic_id as topicId", "url", "events", "created_at as createdAt"])
    .where("user_id", "=", caller.userId)
    .orderBy("created_at")
    .execute();
}

/** Returns whom the caller blocked. */
async function blocksOf({ db, caller }: ExportContext) {
  return await db
    .selectFrom("blocks as k")
    .innerJoin("users as u", "u.id", "k.blocked_id")
    .select(["u.id as userId", "u.nickname", "k.created_at as blockedAt"])
    .where("k.user_id", "=", caller.userId)
    .orderBy("k.created_at")
    .execute();
}

/** Returns whom the caller follows. */
async function followsOf({ db, caller }: ExportContext) {
  return await db
    .selectFrom("follows as f")
    .innerJoin("users as u", "u.id", "f.followed_id")
    .select(["u.id as userId", "u.nickname", "f.created_at as followedAt"])
    .where("f.user_id", "=", caller.userId)
    .orderBy("f.created_at")
    .execute();
}

/** Reads the files that the caller uploaded, one at a time. */
async function* filesOf({ caller, db, storage }: ExportContext): AsyncGenerator<ExportEntry> {
  let after = "";
  for (;;) {
    const row = await db
      .selectFrom("uploads")
      .select("key")
      .where("user_id", "=", caller.userId)
      .where("stored", "=", true)
      // Those of a hidden post are out of everyone's reach.
      .where("withheld", "=", false)
      .where("key", ">", after)
      .orderBy("key")
      .limit(1)
      .executeTakeFirst();
    if (!row) return;
    after = row.key;
    const content = await storage.read(row.key);
    // The key begins with the environment, and has the user id as its second folder.
    const [, folder, , ...rest] = row.key.split("/");
    if (content) yield { name: ["files", folder, ...rest].join("/"), content };
  }
}

import { type RawBuilder, sql } from "kysely";
import type { Db } from "@/db/schema";
import type { PostMedia } from "@/db/schema/community";
import type { MemberContext } from "@/lib/context";

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

/** A list of the member's rows, in the order of a time and an id. */
interface List {
  /** Its files are `name-1.json` and so on. */
  readonly name: string;
  /** SQL: the columns, as the export names them. */
  readonly columns: RawBuilder<unknown>;
  /** SQL: tables and condition, for one user. */
  readonly from: (userId: string) => RawBuilder<unknown>;
  /** SQL: the time and the id. */
  readonly at: RawBuilder<unknown>;
  readonly id: RawBuilder<unknown>;
}

/**
 * What a member wrote and did, besides posts. Each list names what others wrote only by its id: the member may no longer
 * be allowed to read it.
 */
const lists: readonly List[] = [
  {
    name: "comments",
    columns: sql`c.id, c.post_id as "postId", c.parent_id as "parentId", c.content, c.created_at as "createdAt",
      c.updated_at as "updatedAt", c.hidden_at is not null as "isHidden"`,
    from: (userId) => sql`comments c where c.author_id = ${userId} and c.deleted_at is null`,
    at: sql`c.created_at`,
    id: sql`c.id::text`,
  },
  {
    name: "chat-messages",
    columns: sql`g.id, g.topic_id as "topicId", g.message, g.created_at as "createdAt"`,
    from: (userId) => sql`chat_messages g where g.user_id = ${userId} and g.type = 'message'`,
    at: sql`g.created_at`,
    id: sql`g.id::text`,
  },
  {
    name: "votes",
    columns: sql`v.post_id as "postId", v.value, v.created_at as "createdAt"`,
    from: (userId) => sql`votes v where v.user_id = ${userId}`,
    at: sql`v.created_at`,
    id: sql`v.post_id::text`,
  },
  {
    name: "reactions",
    columns: sql`r.post_id as "postId", r.emoji, r.created_at as "createdAt"`,
    from: (userId) => sql`reactions r where r.user_id = ${userId}`,
    at: sql`r.created_at`,
    id: sql`r.post_id::text || r.emoji`,
  },
  {
    name: "poll-votes",
    columns: sql`q.post_id as "postId", pv.option_id as "optionId", pv.created_at as "createdAt"`,
    from: (userId) => sql`poll_votes pv join polls q on q.id = pv.poll_id where pv.user_id = ${userId}`,
    at: sql`pv.created_at`,
    id: sql`pv.option_id::text`,
  },
  {
    name: "bookmarks",
    columns: sql`b.post_id as "postId", b.created_at as "createdAt"`,
    from: (userId) => sql`bookmarks b where b.user_id = ${userId}`,
    at: sql`b.created_at`,
    id: sql`b.post_id::text`,
  },
  {
    name: "records",
    columns: sql`r.post_id as "postId", r.content_hash as "contentHash", r.status, r.tx_hash as "txHash",
      r.block_number as "blockNumber", r.created_at as "createdAt"`,
    from: (userId) => sql`records r where r.recorder_id = ${userId}`,
    at: sql`r.created_at`,
    id: sql`r.id::text`,
  },
  {
    name: "reports",
    columns: sql`r.post_id as "postId", r.comment_id as "commentId", r.reason, r.details, r.status,
      r.created_at as "createdAt"`,
    from: (userId) => sql`reports r where r.reporter_id = ${userId}`,
    at: sql`r.created_at`,
    id: sql`r.id::text`,
  },
  {
    name: "notifications",
    columns: sql`n.kind, n.topic_id as "topicId", n.post_id as "postId", n.comment_id as "commentId", n.reason,
      n.details, n.created_at as "createdAt", n.read_at as "readAt"`,
    from: (userId) => sql`notifications n where n.user_id = ${userId}`,
    at: sql`n.created_at`,
    id: sql`n.id::text`,
  },
  {
    name: "join-requests",
    columns: sql`j.topic_id as "topicId", j.status, j.created_at as "createdAt", j.decided_at as "decidedAt"`,
    from: (userId) => sql`join_requests j where j.user_id = ${userId}`,
    at: sql`j.created_at`,
    id: sql`j.id::text`,
  },
  {
    name: "sanctions",
    columns: sql`s.topic_id as "topicId", s.kind, s.reason, s.created_at as "createdAt", s.until`,
    from: (userId) => sql`sanctions s where s.user_id = ${userId}`,
    at: sql`s.created_at`,
    id: sql`s.id::text`,
  },
];

const posts: List = {
  name: "posts",
  // A secret topic's title is for its members.
  columns: sql`p.id, p.topic_id as "topicId",
    case when t.visibility <> 'secret' or m.user_id is not null then t.title end as "topicTitle", p.title, p.content, p.media,
    p.upvote_count as "upvoteCount", p.view_count as "viewCount", p.record_count as "recordCount",
    p.hidden_at is not null as "isHidden", p.created_at as "createdAt", p.updated_at as "updatedAt",
    (select coalesce(json_agg(pt.name order by pt.position), '[]') from post_tags pt where pt.post_id = p.id) as tags`,
  from: (userId) => sql`posts p join topics t on t.id = p.topic_id
    left join memberships m on m.topic_id = p.topic_id and m.user_id = p.author_id
    where p.author_id = ${userId} and p.deleted_at is null`,
  at: sql`p.created_at`,
  id: sql`p.id::text`,
};

interface PostRow {
  readonly id: string;
  readonly topicTitle: string | null;
  readonly title: string;
  readonly content: string;
  readonly media: PostMedia;
  readonly tags: readonly string[];
  readonly createdAt: Date;
}

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
  return sql`(select (count(*) + ${PART_ROWS - 1}::int) / ${PART_ROWS}::int from ${list.from(userId)})`;
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
    }
  }
  for await (const rows of pagesOf<PostRow>(db, posts, caller.userId, POST_ROWS)) {
    for (const post of rows) {
      const name = `posts/${post.createdAt.toISOString().slice(0, 10)}-${post.id}`;
      yield { name: `${name}.json`, content: json(post) };
      yield { name: `${name}.md`, content: markdownOf(post) };
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
  const [user, sessions, memberships, proofs, badges, kinds, levels, mutes, push] = await Promise.all([
    db
      .selectFrom("users")
      .select(["nickname", "profile_image", "created_at"])
      .where("id", "=", userId)
      .executeTakeFirst(),
    db
      .selectFrom("sessions")
      .select(["label", "created_at as createdAt", "last_seen_at as lastSeenAt", "proven_at as provenAt"])
      .where("user_id", "=", userId)
      .orderBy("created_at")
      .execute(),
    db
      .selectFrom("memberships as m")
      .innerJoin("topics as t", "t.id", "m.topic_id")
      .select(["t.id as topicId", "t.title", "m.role", "m.joined_at as joinedAt"])
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
    memberships,
    proofs: await Promise.all(
      proofs.map(async ({ sealed, ...proof }) => ({
        ...proof,
        facts: await facts.open({ userId, circuit: proof.circuit }, sealed),
      })),
    ),
    badges,
    sessions,
    pushDevices: push,
    notificationSettings: { kinds, topics: levels },
    mutedTopics: mutes,
    blocks: await blocksOf(ctx),
  };
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

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Returns a post to read. Markdown may contain HTML, so its text stays exactly as it is stored. */
function markdownOf({ title, topicTitle, content, media, tags, createdAt }: PostRow): string {
  const facts = [`- Written: ${createdAt.toISOString()}`];
  if (topicTitle !== null) facts.unshift(`- Topic: ${line(topicTitle)}`);
  if (tags.length > 0) facts.push(`- Tags: ${tags.map(line).join(", ")}`);
  const attached = [...media.images, ...media.videos].map((url) => `- <${url}>`);
  const parts = [`# ${line(title)}`, facts.join("\n"), content];
  if (attached.length > 0) parts.push(attached.join("\n"));
  return `${parts.join("\n\n")}\n`;
}

/** Returns text as one line in which no character is markup. */
function line(text: string): string {
  return text.replace(/\s+/gu, " ").replace(/[\\`*_[\]<>#]/gu, (character) => `\\${character}`);
}

function readme(now: Date): string {
  return `# Your data

Collected ${now.toISOString()}.

- \`account.json\`: your account, memberships, what you proved in the last 30 days, settings, blocks and sessions.
- \`posts/\`: each of your posts as JSON, and as Markdown to read.
- \`comments-1.json\`, \`chat-messages-1.json\`, \`votes-1.json\` and so on: what you wrote and did. What others wrote is named
  by its id only.
- \`files/\`: the pictures that you uploaded.

Not in this archive: what you deleted, which no longer exists; proofs themselves, which are checked and not kept; and your
payments for proofs, which only your browser and your wallet know.
`;
}

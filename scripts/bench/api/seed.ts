import { createHash, randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { Database } from "@/db/schema";
import { type SessionTokens, sessionSeconds } from "@/lib/session/tokens";
import { inBulk } from "@/lib/testing/scale/bulk";

export const TOPICS = 1_000;
const MEMBERS = 1_000;
/** Members of each topic but the busy one, which has all. */
export const MEMBERS_EACH = 20;
/** Topics with a full page of posts, whatever the number of all posts: 2 to 21. */
export const LISTED = 20;
const LISTED_EXTRA = 30;
const BUSY_EXTRA = 100;
/** Posts that requests name. */
const MOST_POSTS = 20_000;
/** Posts with the same word. */
const HITS = 20;

const WORD_LETTERS = 10;
/** In place of the digits of a digest: words have letters in any order, as rare words do. */
const LETTERS = "ghijklmnop";

/** A member with a session. */
interface Member {
  readonly userId: string;
  readonly token: string;
  readonly jti: string;
}

/** What a seeded database has. */
export interface Seed {
  readonly members: readonly Member[];
  /** Ids by number minus one. The first topic is the busy one. */
  readonly topics: readonly string[];
  /** Up to 20,000 posts from all over the table, of each topic as many. */
  readonly posts: readonly { readonly id: string; readonly topic: number }[];
  /** Posts of the busy topic. */
  readonly busyPosts: readonly string[];
  /** Number of different words that posts can be searched by. */
  readonly words: number;
}

/** Returns a word that 20 posts and as many comments have, and no other word begins with. */
export function wordOf({ words }: Seed, n: number): string {
  const digest = createHash("md5")
    .update(`word${n % words}`)
    .digest("hex");
  return digest.slice(0, WORD_LETTERS).replace(/\d/g, (digit) => LETTERS.charAt(Number(digit)));
}

/** Returns the members of a topic, by their index. @param topic its index */
export function membersOf(topic: number): number[] {
  if (topic === 0) return Array.from({ length: MEMBERS }, (_, i) => i);
  return Array.from({ length: MEMBERS_EACH }, (_, j) => (topic + (j * MEMBERS) / MEMBERS_EACH) % MEMBERS);
}

/** A record's id from its kind and number; version and variant are those of a random UUID. */
const id = (kind: string, n: string) =>
  `overlay(overlay(md5('${kind}' || (${n})) placing '4' from 13) placing '8' from 17)::uuid`;
const spread = (n: string, below: string) => `((${n}) * 7919::bigint % (${below}))`;
const at = (n: string) => `timestamptz '2025-01-01' + (${n}) * interval '20 seconds'`;
/** As `membersOf`, for member number `j` of topic number `t`. */
const memberOf = (t: string, j: string) =>
  `'u' || 1 + ((${t}) - 1 + (${j}) * ${MEMBERS / MEMBERS_EACH}) % ${MEMBERS}`;
const FILLER =
  "Any reader of a forum knows how it goes: somebody asks, others answer, and the best answer is the one that names its source.";
const posts = `generate_series(1, :n + ${LISTED * LISTED_EXTRA + BUSY_EXTRA}) i`;
const topicOf = `case when i <= :n then 1 + i % ${TOPICS} when i <= :n + ${LISTED * LISTED_EXTRA} then 2 + i % ${LISTED} else 1 end`;
const words = `case when i <= :n
  then ' ' || translate(left(md5('word' || i % (:n / ${HITS})), ${WORD_LETTERS}), '0123456789', '${LETTERS}') else '' end`;

/** Messages of topic `t`: not everywhere as many, so that their positions tell two recorded requests apart. */
const messages = `(100 + :n / ${TOPICS} + t % 7)`;

/** `:n` posts. Statements in order; each writes one table. */
const statements = [
  `insert into users (id, identity_hash, nickname, nickname_key, nickname_set)
    select p || i, p || i, 'Nick' || p || i, 'nick' || p || i, true
    from (values ('u', ${MEMBERS}), ('v', 50)) as kinds (p, n), generate_series(1, n) i`,
  `insert into topics (id, title, description, creator_id, category_id, visibility, proof_type, invite_code,
      member_count, score, score_at, last_activity_at, created_at, updated_at)
    select ${id("t", "i")}, 'Topic number ' || i, 'What this topic is about, in a sentence or two.', ${memberOf("i", "0")},
      (select id from categories order by sort_order offset i % 12 limit 1), 'public', 'none', upper(substr(md5('code' || i), 1, 8)),
      case when i = 1 then ${MEMBERS} else ${MEMBERS_EACH} end, ${spread("i", "100003")} / 7.0, now(), ${at("i")}, ${at("i")}, now()
    from generate_series(1, ${TOPICS}) i`,
  `insert into topic_search (topic_id, is_secret, text)
    select id, false, lower(title) || chr(1) || lower(description) from topics`,
  `insert into memberships (topic_id, user_id, role, joined_at)
    select ${id("t", "t")}, ${memberOf("t", "j")}, case when j = 0 then 'owner' else 'member' end, now()
    from generate_series(2, ${TOPICS}) t, generate_series(0, ${MEMBERS_EACH - 1}) j
    union all select ${id("t", "1")}, 'u' || i, case when i = 1 then 'owner' else 'member' end, now()
    from generate_series(1, ${MEMBERS}) i`,
  `insert into posts (id, topic_id, author_id, is_public, category_id, title, content, summary, media, upvote_count,
      comment_count, score, last_activity_at, created_at, updated_at, position, comment_position)
    select ${id("p", "i")}, t.id, ${memberOf(topicOf, "i % 20")}, true, t.category_id, 'Post number ' || i || ' of a forum',
      '<p>${FILLER}' || ${words} || '</p>', '${FILLER}' || ${words}, '{"images": [], "videos": []}', i % 2, 1,
      ${spread("i", "1000003")} / 13.0, ${at(spread("i", ":n"))}, ${at("i")}, now(),
      row_number() over (partition by t.id order by i), 1
    from ${posts} join topics t on t.id = ${id("t", topicOf)}`,
  `insert into post_search (post_id, topic_id, is_public, created_at, text)
    select p.id, p.topic_id, true, p.created_at, lower(p.title) || chr(1) || lower(p.summary) from posts p`,
  `insert into comments (id, post_id, author_id, content, created_at, updated_at, position)
    select ${id("c", "i")}, ${id("p", "i")}, 'v' || 1 + i % 50, 'A comment with number ' || i || ', and thanks for the post.'
      || ${words}, ${at("i")} + interval '1 hour', now(), 1 from ${posts}`,
  `insert into comment_search (comment_id, topic_id, is_public, created_at, text)
    select c.id, p.topic_id, true, c.created_at, lower(c.content) from comments c join posts p on p.id = c.post_id`,
  `insert into votes (post_id, user_id, value, created_at)
    select ${id("p", "i")}, 'v' || 1 + i % 50, 1, ${at("i")} from ${posts} where i % 2 = 1`,
  `insert into reactions (post_id, user_id, emoji) select ${id("p", "i")}, 'v1', '👍' from ${posts} where i % 3 = 0`,
  "insert into reaction_counts (post_id, emoji, count) select post_id, emoji, 1 from reactions",
  `insert into tags (id, slug) select ${id("g", "i")}, 'tag-' || i from generate_series(0, 199) i`,
  `insert into post_tags (post_id, topic_id, tag_id, position, name, created_at, is_public, shown)
    select p.id, p.topic_id, ${id("g", "i % 200")}, 0, 'Tag-' || i % 200, p.created_at, true, true
    from ${posts} join posts p on p.id = ${id("p", "i")}`,
  `insert into topic_tags (topic_id, tag_id, slug, post_count)
    select g.topic_id, g.tag_id, t.slug, count(*) from post_tags g join tags t on t.id = g.tag_id group by 1, 2, 3`,
  `update tags set public_post_count = c.n from (select tag_id, count(*) as n from post_tags group by 1) c where c.tag_id = id`,
  `update topics set post_count = c.n, post_position = c.n from (select topic_id, count(*) as n from posts group by 1) c where c.topic_id = id`,
  `insert into chat_rooms (topic_id, last_position, message_count, last_at)
    select ${id("t", "t")}, ${messages}, ${messages}, timestamptz '2025-06-01' from generate_series(1, ${TOPICS}) t`,
  `insert into chat_messages (topic_id, position, user_id, type, message, created_at)
    select ${id("t", "t")}, i, ${memberOf("t", "i % 20")}, 'message', 'A message of the chat with number ' || i,
      timestamptz '2025-01-01' + i * interval '1 second'
    from generate_series(1, ${TOPICS}) t, generate_series(1, ${messages}) i`,
];

/**
 * Fills a migrated, empty database: 1,000 public topics, 1,000 members with sessions, one vote for every other post and a
 * comment for each. Lists and search have the same number of results whatever the number of posts.
 * @param posts at least 1,000; 20 topics get 30 more each, and the busy one 100
 */
export async function seed(db: Kysely<Database>, tokens: SessionTokens, posts: number): Promise<Seed> {
  await inBulk(
    db,
    statements.map((statement) => statement.replaceAll(":n", String(posts))),
  );
  const members = await signIn(db, tokens);
  // As autovacuum leaves a database that fills slowly: without it, index-only scans read every row.
  await sql`vacuum analyze`.execute(db);
  const ids = async (kind: string, numbers: readonly number[]) => {
    const { rows } = await sql<{ id: string }>`select ${sql.raw(id(kind, "n"))}::text as id
      from unnest(${numbers}::int[]) with ordinality as given (n, place) order by place`.execute(db);
    return rows.map((row) => row.id);
  };
  const step = stepFor(posts);
  const some = numbered(1, Math.min(posts, MOST_POSTS), step);
  const of = await ids("p", some);
  return {
    members,
    topics: await ids("t", numbered(1, TOPICS)),
    posts: some.map((n, index) => ({ id: of[index] ?? "", topic: n % TOPICS })),
    busyPosts: await ids("p", numbered(posts + LISTED * LISTED_EXTRA + 1, BUSY_EXTRA)),
    words: posts / HITS,
  };
}

function numbered(from: number, count: number, step = 1): number[] {
  return Array.from({ length: count }, (_, i) => from + i * step);
}

/** Returns the distance between posts that are used, which must have no factor in common with the number of topics. */
function stepFor(posts: number): number {
  let step = Math.max(1, Math.floor(posts / MOST_POSTS));
  while (step % 2 === 0 || step % 5 === 0) step -= 1;
  return step;
}

async function signIn(db: Kysely<Database>, tokens: SessionTokens): Promise<Member[]> {
  const now = new Date();
  const members: Member[] = [];
  for (let i = 1; i <= MEMBERS; i += 1) {
    const userId = `u${i}`;
    const { token, claims } = await tokens.issue({
      userId,
      nickname: `Nicku${i}`,
      verifiedAt: now.getTime(),
    });
    members.push({ userId, token, jti: claims.jti });
  }
  const expires_at = new Date(now.getTime() + sessionSeconds * 1000);
  const sessions = members.map(({ userId, jti }) => ({
    id: randomUUID(),
    jti,
    user_id: userId,
    label: "bench",
    created_at: now,
    last_seen_at: expires_at,
    expires_at,
  }));
  await db.insertInto("sessions").values(sessions).execute();
  return members;
}

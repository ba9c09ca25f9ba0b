import { type Kysely, sql } from "kysely";
import type { Database } from "@/db/schema";
import { inBulk } from "./bulk";

/** Where the rows went: what a test lists and filters by. */
export interface Filled {
  /** Posts in all. */
  readonly posts: number;
  /** A quarter of that: posts of `topicId`, and how many rows every other list here has. */
  readonly quarter: number;
  /** Owner of both topics below; wrote, liked and bookmarked a quarter each. */
  readonly userId: string;
  /** Public, with a quarter of all posts and every user a member; reports, sanctions and a long log. */
  readonly topicId: string;
  /** Private, with a tenth of all posts; its join requests. */
  readonly privateId: string;
  /** With a quarter of all comments. */
  readonly postId: string;
}

/** A record's id from its kind and number; version and variant are those of a random UUID. */
const id = (kind: string, n: string) =>
  `overlay(overlay(md5('${kind}' || (${n})) placing '4' from 13) placing '8' from 17)::uuid`;
/** Spreads numbers over 0..below, the same at every run. */
const spread = (n: string, below: string) => `((${n}) * 7919::bigint % (${below}))`;
const at = (n: string) => `timestamptz '2025-01-01' + (${n}) * interval '1 second'`;
const topicOf = `case when i % 4 = 0 then 1 when i % 10 = 1 then 2 else 3 + ${spread("i", ":q - 2")} end`;
const live = "i % 150 <> 0";

/** `:n` posts, `:q` a quarter. Statements in order; each writes one table. */
const statements = [
  `insert into users (id, identity_hash, nickname, nickname_key, nickname_set)
    select 'u' || i, 'u' || i, 'Nick' || i, 'nick' || i, true from generate_series(1, :q) i`,
  `insert into topics (id, title, description, creator_id, category_id, visibility, proof_type, invite_code,
      member_count, score, score_at, last_activity_at, created_at, updated_at)
    select ${id("t", "i")}, 'Topic ' || i, 'About word' || i % 500, 'u' || i, (select id from categories order by sort_order
        offset i % 12 limit 1),
      case when i = 1 then 'public' when i = 2 or i % 10 = 7 then 'private' when i % 20 = 3 then 'secret' else 'public' end,
      'none', upper(substr(md5('code' || i), 1, 8)), ${spread("i", "1000")}, ${spread("i", "100003")} / 7.0, now(),
      ${at(spread("i", ":n"))}, ${at("i")}, now()
    from generate_series(1, :q) i on conflict (invite_code) do nothing`,
  `insert into topic_search (topic_id, is_secret, text)
    select id, visibility = 'secret', lower(title) || chr(1) || lower(description) from topics`,
  `insert into memberships (topic_id, user_id, role, joined_at)
    select ${id("t", "1")}, 'u' || i, case when i = 1 then 'owner' when i < 10 then 'admin' else 'member' end, ${at("i")}
    from generate_series(1, :q) i
    union all select t.id, t.creator_id, 'owner', t.created_at from topics t where t.id <> ${id("t", "1")}
    union all select t.id, 'u1', 'member', now() from (select ${id("t", "i")} as id from generate_series(3, 200) i) t
      join topics using (id)`,
  `update memberships set user_id = 'u1' where topic_id = ${id("t", "2")}`,
  `insert into posts (id, topic_id, author_id, is_public, category_id, title, content, summary, media, upvote_count,
      record_count, score, is_pinned, last_activity_at, created_at, updated_at, deleted_at, hidden_at, position)
    select ${id("p", "i")}, t.id, case when i % 4 = 1 then 'u1' else 'u' || 1 + i % :q end, t.visibility = 'public',
      t.category_id, 'Post ' || i, '<p>content</p>', 'content', '{"images": [], "videos": []}', ${spread("i", "1009")},
      case when i % 5 = 0 then i % 7 else 0 end, ${spread("i", "1000003")} / 13.0, i % 5000 = 0, ${at(spread("i", ":n"))},
      ${at("i")}, now(), case when ${live} then null else now() end, case when i % 200 = 1 then now() end,
      row_number() over (partition by t.id order by i)
    from generate_series(1, :n) i join topics t on t.id = case ${topicOf} when 1 then ${id("t", "1")}
      when 2 then ${id("t", "2")} else ${id("t", `3 + ${spread("i", ":q - 2")}`)} end`,
  `update topics t set post_position = c.n
    from (select topic_id, count(*) as n from posts group by 1) c where c.topic_id = t.id`,
  `insert into post_search (post_id, topic_id, is_public, created_at, text)
    select p.id, p.topic_id, p.is_public, p.created_at, 'post ' || i || chr(1) || 'everywhere word' || i % 500 || ' number' || ${spread("i", "100000")} || ' '
      || case when i % 20000 = 8 then 'seldom ' else '' end || repeat('filler text of the post ', 3)
    from generate_series(1, :n) i join posts p on p.id = ${id("p", "i")} where p.deleted_at is null`,
  `insert into tags (id, slug) select ${id("g", "i")}, 'tag-' || i from generate_series(1, :q / 10 + 2) i`,
  `insert into post_tags (post_id, topic_id, tag_id, position, name, created_at, is_public, shown)
    select p.id, p.topic_id, ${id("g", "case when i % 8 = 0 then 1 when i % 20000 = 4 then 2 else 3 + i % (:q / 10) end")}, 0,
      'Tag', p.created_at, p.is_public, p.hidden_at is null
    from generate_series(1, :n) i join posts p on p.id = ${id("p", "i")} where ${live}`,
  `insert into topic_tags (topic_id, tag_id, slug, post_count)
    select g.topic_id, g.tag_id, t.slug, count(*) filter (where g.shown) from post_tags g
    join tags t on t.id = g.tag_id group by 1, 2, 3`,
  `update tags set public_post_count = c.n from (select tag_id, count(*) as n from post_tags
      where is_public and shown group by 1) c where c.tag_id = id`,
  `insert into votes (post_id, user_id, value, created_at)
    select p.id, 'u1', case when i % 90 = 2 then -1 else 1 end, ${at("i")}
    from generate_series(1, :n) i join posts p on p.id = ${id("p", "i")} where i % 4 = 2
    union all select p.id, 'u2', 1, ${at("i")} from generate_series(1, :n, 3) i join posts p on p.id = ${id("p", "i")}`,
  `insert into bookmarks (post_id, user_id, created_at)
    select p.id, 'u1', ${at("i")} from generate_series(1, :n) i join posts p on p.id = ${id("p", "i")}
    where i % 4 = 3 and ${live}`,
  `insert into reactions (post_id, user_id, emoji)
    select p.id, 'u2', '👍' from generate_series(1, :n, 3) i join posts p on p.id = ${id("p", "i")}`,
  // Three a day: one person's records stay few, whatever the number of posts.
  `insert into records (post_id, recorder_id, content_hash, day, status, transaction_id, created_at, confirmed_at)
    select p.id, case when i < 3000 and i % 4 <> 1 then 'u1' else 'u' || 2 + i % (:q - 1) end, '0x', date '2025-01-01', 'confirmed',
      gen_random_uuid(), ${at("i")}, ${at("i")}
    from generate_series(5, :n, 5) i join posts p on p.id = ${id("p", "i")} where p.record_count > 0
    union all select p.id, 'u' || 2 + i, '0x', date '2025-01-01', 'confirmed', gen_random_uuid(), ${at("i")}, ${at("i")}
    from generate_series(4, :n, 4) i join posts p on p.id = ${id("p", "4")} where i < 4000 and i < :q - 1`,
  "insert into chain_wallets (chain_id, address, next_nonce) select 8453, '0x', count(*) from records",
  `insert into chain_transactions (id, chain_id, wallet, nonce, recipient, data, gas, state, created_at)
    select transaction_id, 8453, '0x', row_number() over () - 1, '0x', '0x', 0, 'succeeded', created_at from records`,
  `update posts p set last_recorded_at = r.at
    from (select post_id, max(created_at) as at from records group by 1) r where r.post_id = p.id`,
  "insert into reaction_counts (post_id, emoji, count) select post_id, emoji, 1 from reactions",
  `insert into polls (id, post_id, multiple_choice)
    select ${id("q", "i")}, p.id, false from generate_series(1, :n, 10) i join posts p on p.id = ${id("p", "i")} where ${live}`,
  "insert into poll_options (poll_id, text, position) select id, 'O' || o, o from polls, generate_series(0, 1) o",
  `insert into comments (id, post_id, author_id, content, created_at, updated_at, deleted_at, deleted_by, hidden_at,
      position)
    select ${id("c", "i")}, p.id, 'u' || 1 + i % :q, 'comment ' || i, ${at("i")}, now(),
      case when i % 150 = 7 then now() end, case when i % 150 = 7 then 'author' end, case when i % 200 = 9 then now() end,
      row_number() over (partition by p.id order by i)
    from generate_series(1, :n) i join posts p on p.id = case when i % 4 = 0 then ${id("p", "4")}
      else ${id("p", `1 + ${spread("i", ":n")}`)} end`,
  `insert into comment_search (comment_id, topic_id, is_public, created_at, text)
    select c.id, p.topic_id, p.is_public, c.created_at, 'everywhere comment ' || i || ' word' || i % 500 || ' '
      || case when i % 20000 = 8 then 'seldom ' else '' end || 'filler text'
    from generate_series(1, :n) i join comments c on c.id = ${id("c", "i")}
    join posts p on p.id = c.post_id where c.deleted_at is null`,
  "update posts p set comment_count = c.n, comment_position = c.n from (select post_id, count(*) as n from comments group by 1) c where c.post_id = p.id",
  // In every topic everything is new to u1, and in all threads that they opened something is.
  `insert into thread_reads (user_id, post_id, topic_id, position, read_at)
    select 'u1', p.id, p.topic_id, 0, ${at("i")} from generate_series(4, :n, 4) i join posts p on p.id = ${id("p", "i")}`,
  `insert into join_requests (topic_id, user_id, status, created_at, decided_at)
    select ${id("t", "2")}, 'u' || i, case when i % 3 = 0 then 'approved' else 'pending' end, ${at("i")},
      case when i % 3 = 0 then now() end from generate_series(1, :q) i`,
  `insert into reports (topic_id, post_id, reporter_id, reason, status, created_at, decided_at)
    select ${id("t", "1")}, p.id, 'u' || 1 + i % 50, 'spam', case when i % 8 = 0 then 'open' else 'dismissed' end, ${at("i")},
      case when i % 8 = 0 then null else now() end
    from generate_series(4, :n, 4) i join posts p on p.id = ${id("p", "i")} where ${live}`,
  `insert into desk_reports (kind, target_id, topic_id, post_id, subject_id, reporter_id, reason, snapshot, status,
      created_at, decided_at)
    select 'post', p.id, p.topic_id, p.id, p.author_id, 'u' || 1 + i % 500, 'illegal', '{"title": "Post", "text": "content"}',
      case when i % 8 = 0 then 'open' else 'dismissed' end, ${at("i")}, case when i % 8 = 0 then null else now() end
    from generate_series(4, :n, 4) i join posts p on p.id = ${id("p", "i")} where ${live}`,
  `insert into installation_log (seq, at, action, role, actor_id, actor_nonce, actor, target_kind, target_id, details,
      previous_hash, hash)
    select i, ${at("i")}, 'post_hidden', 'operator', 'u1', '', '', 'post', ${id("p", "i")}, '{}', '', ''
    from generate_series(1, :q) i`,
  `insert into sanctions (topic_id, user_id, kind, reason, created_at, created_by, until)
    select ${id("t", "1")}, 'u' || i, 'mute', 'r', ${at("i")}, 'u1', case when i % 10 = 0 then timestamptz '2025-01-02' end
    from generate_series(10, :q) i`,
  `insert into moderation_log (topic_id, seq, at, action, actor_id, details, previous_hash, hash)
    select ${id("t", "1")}, i, ${at("i")}, 'post_pinned', 'u1', '{}', '', '' from generate_series(1, :q) i`,
];

/**
 * Fills a migrated, empty database. The shape is the same for every number: one topic, one user and one post that
 * have a quarter of what there is. Indexes are dropped meanwhile and built in one go.
 * @param posts at least 1,000; a million takes some minutes
 */
export async function fill(db: Kysely<Database>, posts: number): Promise<Filled> {
  const quarter = Math.floor(posts / 4);
  await inBulk(
    db,
    statements.map((statement) =>
      statement.replaceAll(":n", String(posts)).replaceAll(":q", String(quarter)),
    ),
  );
  return {
    posts,
    quarter,
    userId: "u1",
    topicId: await idOf(db, "t", 1),
    privateId: await idOf(db, "t", 2),
    postId: await idOf(db, "p", 4),
  };
}

async function idOf(db: Kysely<Database>, kind: string, n: number): Promise<string> {
  const { rows } = await sql<{ id: string }>`select ${sql.raw(id(kind, String(n)))}::text as id`.execute(db);
  const [row] = rows;
  if (!row) throw new Error("a select of one row gives one");
  return row.id;
}

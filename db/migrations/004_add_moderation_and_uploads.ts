import { type Kysely, sql } from "kysely";

export const kind = "contract";

/**
 * Moderation, uploads, badges, sessions that can be listed, the phone relay, idempotency keys, full-text search.
 * Hidden posts and comments stay in their tables; lists leave them out.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const moderation = [
  "alter table posts add column hidden_at timestamptz, add column hidden_by text references users (id)",
  "alter table comments add column hidden_at timestamptz, add column hidden_by text references users (id)",
  `create table reports (
    id uuid primary key default gen_random_uuid(),
    topic_id uuid not null references topics (id) on delete cascade,
    post_id uuid not null references posts (id) on delete cascade,
    comment_id uuid,
    reporter_id text not null references users (id),
    reason text not null,
    details text,
    status text not null check (status in ('open', 'dismissed', 'resolved')),
    created_at timestamptz not null default now(),
    decided_at timestamptz,
    decided_by text references users (id),
    foreign key (post_id, comment_id) references comments (post_id, id) on delete cascade,
    check ((status = 'open') = (decided_at is null))
  )`,
  // One open report of one person about one thing.
  `create unique index reports_open on reports (post_id, comment_id, reporter_id) nulls not distinct
    where status = 'open'`,
  "create index reports_list on reports (topic_id, created_at, id)",
  "create index reports_queue on reports (topic_id, created_at, id) where status = 'open'",
  // Deleting a topic deletes its reports with this index, post by post.
  "create index reports_post on reports (post_id, comment_id)",
  "create index reports_reporter on reports (reporter_id)",
  "alter table topics add column open_report_count int not null default 0 check (open_report_count >= 0)",
  `create table sanctions (
    id uuid not null unique default gen_random_uuid(),
    topic_id uuid not null references topics (id) on delete cascade,
    user_id text not null references users (id),
    kind text not null check (kind in ('mute', 'ban')),
    reason text not null,
    created_at timestamptz not null default now(),
    created_by text not null references users (id),
    until timestamptz,
    primary key (topic_id, user_id, kind)
  )`,
  "create index sanctions_list on sanctions (topic_id, created_at, id)",
  "create index sanctions_user on sanctions (user_id)",
  // The head of each topic's log: the number and hash of its last entry.
  `alter table topics add column log_seq int not null default 0,
    add column log_hash text not null default repeat('0', 64)`,
  `create table moderation_log (
    topic_id uuid not null references topics (id) on delete cascade,
    seq int not null check (seq > 0),
    at timestamptz not null,
    action text not null,
    actor_id text not null references users (id),
    subject_id text references users (id),
    post_id uuid,
    comment_id uuid,
    reason text,
    details jsonb not null,
    previous_hash text not null,
    hash text not null,
    primary key (topic_id, seq)
  )`,
];

/** Deleting a topic finds its posts, including deleted ones, with this index; the lists' indexes omit those. */
const topicPosts = ["create index posts_topic on posts (topic_id)"];

const roles = [
  // Lists show the owner, then admins, then the others by joining.
  `alter table memberships add column role_rank smallint generated always as
    (case role when 'owner' then 0 when 'admin' then 1 else 2 end) stored`,
  "create index memberships_list on memberships (topic_id, role_rank, joined_at, user_id)",
  "create index join_requests_all on join_requests (topic_id, created_at, id)",
  "create index users_nickname_prefix on users (nickname_key text_pattern_ops)",
];

const search = [
  `create table comment_search (
    comment_id uuid primary key references comments (id) on delete cascade,
    created_at timestamptz not null,
    text text not null
  )`,
  `insert into comment_search (comment_id, created_at, text)
    select id, created_at, lower(content) from comments where deleted_at is null`,
  // Very frequent words are looked up in the latest texts, without reading the posts.
  `alter table post_search add column topic_id uuid, add column is_public boolean,
    add column created_at timestamptz`,
  `update post_search s set topic_id = p.topic_id, is_public = p.is_public, created_at = p.created_at
    from posts p where p.id = s.post_id`,
  `alter table post_search alter column topic_id set not null, alter column is_public set not null,
    alter column created_at set not null`,
  "create index post_search_latest on post_search (created_at, post_id) where is_public",
  "create index post_search_topic on post_search (topic_id, created_at, post_id) where not is_public",
  "create index comment_search_latest on comment_search (created_at, comment_id)",
  ...(["topic_search", "post_search", "comment_search"] as const).flatMap((table) => [
    // No language is assumed: users write in many.
    `alter table ${table} add column words tsvector generated always as (to_tsvector('simple', text)) stored`,
    `create index ${table}_words on ${table} using gin (words)`,
  ]),
  "create index comment_search_text on comment_search using gin (text gin_trgm_ops)",
  `create table topic_tags (
    topic_id uuid not null references topics (id) on delete cascade,
    tag_id uuid not null references tags (id),
    slug text not null,
    post_count int not null default 0 check (post_count >= 0),
    primary key (topic_id, tag_id)
  )`,
  `insert into topic_tags (topic_id, tag_id, slug, post_count)
    select p.topic_id, g.tag_id, t.slug, count(*)
    from post_tags g join posts p on p.id = g.post_id join tags t on t.id = g.tag_id
    where p.deleted_at is null group by p.topic_id, g.tag_id, t.slug`,
  "create index topic_tags_most_used on topic_tags (topic_id, post_count, tag_id) where post_count > 0",
  // Byte order, whatever the database's collation: entries with a prefix are adjacent and in list order.
  `create index topic_tags_prefix on topic_tags (topic_id, slug collate "C") where post_count > 0`,
  "create index topic_tags_tag on topic_tags (tag_id)",
  // Tags of public topics, for public lists.
  "alter table tags add column public_post_count int not null default 0 check (public_post_count >= 0)",
  `update tags set public_post_count = (select count(*) from post_tags g join posts p on p.id = g.post_id
    where g.tag_id = tags.id and p.deleted_at is null and p.is_public)`,
  "create index tags_public_post_count on tags (public_post_count, id) where public_post_count > 0",
  `create index tags_public_prefix on tags (slug collate "C") where public_post_count > 0`,
  // A tag within one topic: the cost does not depend on its posts elsewhere.
  "alter table post_tags add column topic_id uuid",
  "update post_tags g set topic_id = p.topic_id from posts p where p.id = g.post_id",
  "alter table post_tags alter column topic_id set not null",
  "drop index post_tags_tag",
  "create index post_tags_tag on post_tags (tag_id, topic_id, post_id)",
];

const engagement = [
  // Reaction counts per post, so that lists do not count rows of reactions.
  `create table reaction_counts (
    post_id uuid not null references posts (id) on delete cascade,
    emoji text not null,
    count int not null check (count >= 0),
    primary key (post_id, emoji)
  )`,
  "insert into reaction_counts (post_id, emoji, count) select post_id, emoji, count(*) from reactions group by 1, 2",
];

const people = [
  // Narrow, so that counting users reads it instead of the table.
  "create index users_live on users (created_at) where deleted_at is null",
  `create table uploads (
    key text primary key,
    user_id text not null references users (id),
    content_type text not null,
    size int not null check (size > 0),
    stored boolean not null default false,
    created_at timestamptz not null default now()
  )`,
  "create index uploads_user on uploads (user_id, created_at)",
  "create index uploads_pending on uploads (created_at) where not stored",
  `create table domain_badges (
    user_id text not null references users (id),
    domain text not null,
    created_at timestamptz not null default now(),
    primary key (user_id, domain)
  )`,
  // A token is valid while it has a row here, so ended ones need no list.
  "drop table revoked_sessions",
  `create table sessions (
    id uuid primary key default gen_random_uuid(),
    -- Of the token; renewing the session gives it another.
    jti text not null unique,
    user_id text not null references users (id),
    label text not null,
    created_at timestamptz not null,
    last_seen_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  "create index sessions_user on sessions (user_id, created_at)",
  "create index sessions_by_expiry on sessions (expires_at)",
  `create table proof_requests (
    id text primary key,
    code text not null,
    purpose text not null check (purpose in ('sign_in', 'proof')),
    circuit text not null,
    details jsonb not null,
    challenge_id text not null,
    nonce text not null,
    user_id text,
    client text not null,
    status text not null check (status in ('pending', 'completed', 'failed')),
    -- A sealed answer for the asking client; never readable from the table alone.
    answer text,
    failure text,
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  "create index proof_requests_by_expiry on proof_requests (expires_at)",
  `create table idempotency_keys (
    user_id text not null references users (id),
    operation text not null,
    key_hash text not null,
    request_hash text not null,
    status int,
    -- The answer, sealed with the key the client holds.
    answer text,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    primary key (user_id, operation, key_hash)
  )`,
  "create index idempotency_keys_by_expiry on idempotency_keys (expires_at)",
];

const statements = [...moderation, ...topicPosts, ...roles, ...search, ...engagement, ...people];

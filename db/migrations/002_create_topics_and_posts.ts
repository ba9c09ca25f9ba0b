import { type Kysely, sql } from "kysely";
import { seededCategories } from "../seeded-categories";

export const kind = "expand";

/**
 * Topics, memberships, posts, comments and what belongs to them.
 *
 * Every list has an index that starts with its filter and ends with (key, id), read backward for "highest first", so
 * that every page costs the same. Counters are in the row they describe.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
  for (const c of seededCategories) {
    await sql`insert into categories (id, name, slug, description, icon, sort_order)
      values (${c.id}, ${c.name}, ${c.slug}, ${c.description}, ${c.icon}, ${c.sort_order})`.execute(db);
  }
}

const tables = [
  "create extension if not exists pg_trgm",
  `create table categories (
    id uuid primary key,
    name text not null,
    slug text not null unique,
    description text,
    icon text,
    sort_order int not null,
    created_at timestamptz not null default now()
  )`,
  `create table topics (
    id uuid primary key default gen_random_uuid(),
    title text not null,
    description text,
    image text,
    creator_id text not null references users (id),
    category_id uuid references categories (id),
    visibility text not null check (visibility in ('public', 'private', 'secret')),
    proof_type text not null
      check (proof_type in ('none', 'kyc', 'country', 'workspace_a', 'workspace_b', 'workspace')),
    required_domain text,
    allowed_countries text[],
    invite_code text not null constraint topics_invite_code unique check (length(invite_code) = 8),
    member_count int not null default 0 check (member_count >= 0),
    post_count int not null default 0 check (post_count >= 0),
    score double precision not null default 0,
    score_at timestamptz not null,
    last_activity_at timestamptz not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null,
    check ((proof_type = 'country') = (allowed_countries is not null)),
    check ((proof_type in ('workspace_a', 'workspace_b', 'workspace')) = (required_domain is not null))
  )`,
  `create table topic_search (
    topic_id uuid primary key references topics (id) on delete cascade,
    text text not null
  )`,
  `create table memberships (
    topic_id uuid not null references topics (id) on delete cascade,
    user_id text not null references users (id),
    role text not null check (role in ('owner', 'admin', 'member')),
    joined_at timestamptz not null default now(),
    primary key (topic_id, user_id)
  )`,
  `create table join_requests (
    id uuid primary key default gen_random_uuid(),
    topic_id uuid not null references topics (id) on delete cascade,
    user_id text not null references users (id),
    status text not null check (status in ('pending', 'approved', 'rejected')),
    created_at timestamptz not null default now(),
    decided_at timestamptz,
    decided_by text references users (id),
    check ((status = 'pending') = (decided_at is null))
  )`,
  `create table topic_identities (
    topic_id uuid not null references topics (id) on delete cascade,
    circuit text not null,
    identity_hash text not null,
    user_id text not null references users (id),
    created_at timestamptz not null default now(),
    primary key (topic_id, circuit, identity_hash)
  )`,
  `create table invite_tokens (
    token_hash text primary key,
    topic_id uuid not null references topics (id) on delete cascade,
    issued_by text not null references users (id),
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    used_at timestamptz,
    used_by text references users (id)
  )`,
  `create table removals (
    topic_id uuid not null references topics (id) on delete cascade,
    user_id text not null references users (id),
    removed_at timestamptz not null,
    primary key (topic_id, user_id)
  )`,
  `create table posts (
    id uuid primary key default gen_random_uuid(),
    topic_id uuid not null references topics (id) on delete cascade,
    author_id text not null references users (id),
    is_public boolean not null,
    category_id uuid references categories (id),
    title text not null,
    content text not null,
    summary text not null,
    media jsonb not null,
    upvote_count int not null default 0,
    view_count int not null default 0,
    comment_count int not null default 0 check (comment_count >= 0),
    record_count int not null default 0 check (record_count >= 0),
    score double precision not null,
    is_pinned boolean not null default false,
    last_activity_at timestamptz not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null,
    deleted_at timestamptz,
    deleted_by text references users (id)
  )`,
  `create table post_search (
    post_id uuid primary key references posts (id) on delete cascade,
    text text not null
  )`,
  `create table tags (
    id uuid primary key default gen_random_uuid(),
    name text not null,
    slug text not null unique,
    post_count int not null default 0 check (post_count >= 0),
    created_at timestamptz not null default now()
  )`,
  `create table post_tags (
    post_id uuid not null references posts (id) on delete cascade,
    tag_id uuid not null references tags (id),
    position int not null,
    primary key (post_id, tag_id)
  )`,
  `create table polls (
    id uuid primary key default gen_random_uuid(),
    post_id uuid not null unique references posts (id) on delete cascade,
    question text,
    multiple_choice boolean not null,
    closes_at timestamptz,
    created_at timestamptz not null default now()
  )`,
  `create table poll_options (
    id uuid primary key default gen_random_uuid(),
    poll_id uuid not null references polls (id) on delete cascade,
    text text not null,
    position int not null,
    vote_count int not null default 0 check (vote_count >= 0),
    unique (poll_id, position)
  )`,
  `create table poll_votes (
    poll_id uuid not null references polls (id) on delete cascade,
    option_id uuid not null references poll_options (id) on delete cascade,
    user_id text not null references users (id),
    created_at timestamptz not null default now(),
    primary key (poll_id, user_id, option_id)
  )`,
  `create table votes (
    post_id uuid not null references posts (id) on delete cascade,
    user_id text not null references users (id),
    value smallint not null check (value in (1, -1)),
    created_at timestamptz not null default now(),
    primary key (post_id, user_id)
  )`,
  `create table reactions (
    post_id uuid not null references posts (id) on delete cascade,
    user_id text not null references users (id),
    emoji text not null,
    created_at timestamptz not null default now(),
    primary key (post_id, emoji, user_id)
  )`,
  `create table bookmarks (
    post_id uuid not null references posts (id) on delete cascade,
    user_id text not null references users (id),
    created_at timestamptz not null default now(),
    primary key (post_id, user_id)
  )`,
  `create table comments (
    id uuid primary key default gen_random_uuid(),
    post_id uuid not null references posts (id) on delete cascade,
    parent_id uuid,
    author_id text not null references users (id),
    content text not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null,
    deleted_at timestamptz,
    deleted_by text check (deleted_by in ('author', 'admin')),
    constraint comments_of_post unique (post_id, id),
    -- A reply stays under its own post.
    foreign key (post_id, parent_id) references comments (post_id, id),
    check ((deleted_at is null) = (deleted_by is null))
  )`,
];

const topicKeys = ["score", "created_at", "last_activity_at", "member_count"];
const postKeys = ["score", "created_at", "upvote_count", "last_activity_at", "record_count"];

const indexes = [
  // Lists of topics; secret ones are found through the caller's memberships.
  ...topicKeys.map((key) => `create index topics_${key} on topics (${key}, id) where visibility <> 'secret'`),
  ...topicKeys.map(
    (key) =>
      `create index topics_category_${key} on topics (category_id, ${key}, id) where visibility <> 'secret'`,
  ),
  "create index topics_score_at on topics (score_at)",
  "create index topics_creator on topics (creator_id)",
  "create index topic_search_text on topic_search using gin (text gin_trgm_ops)",
  // There is always exactly one owner.
  "create unique index memberships_owner on memberships (topic_id) where role = 'owner'",
  "create index memberships_user on memberships (user_id, topic_id)",
  "create unique index join_requests_pending on join_requests (topic_id, user_id) where status = 'pending'",
  "create index join_requests_list on join_requests (topic_id, status, created_at, id)",
  "create index join_requests_user on join_requests (user_id, topic_id, decided_at)",
  "create index invite_tokens_topic on invite_tokens (topic_id)",
  "create index topic_identities_user on topic_identities (user_id)",
  "create index removals_user on removals (user_id)",
  // Lists of posts: of a topic with pinned ones first, of all public topics, of one category.
  ...postKeys.map(
    (key) =>
      `create index posts_topic_${key} on posts (topic_id, is_pinned, ${key}, id) where deleted_at is null`,
  ),
  ...postKeys.map(
    (key) => `create index posts_feed_${key} on posts (${key}, id) where is_public and deleted_at is null`,
  ),
  ...postKeys.map(
    (key) =>
      `create index posts_category_${key} on posts (category_id, ${key}, id) where is_public and deleted_at is null`,
  ),
  "create index posts_author on posts (author_id, created_at, id)",
  "create index post_search_text on post_search using gin (text gin_trgm_ops)",
  "create index tags_post_count on tags (post_count, id)",
  "create index tags_slug_prefix on tags (slug text_pattern_ops)",
  "create index post_tags_tag on post_tags (tag_id, post_id)",
  "create index poll_votes_option on poll_votes (option_id)",
  "create index votes_user on votes (user_id, created_at, post_id)",
  "create index reactions_user on reactions (user_id)",
  "create index bookmarks_user on bookmarks (user_id, created_at, post_id)",
  "create index comments_list on comments (post_id, created_at, id)",
  "create index comments_parent on comments (post_id, parent_id) where parent_id is not null",
  "create index comments_author on comments (author_id, created_at, id)",
];

const statements = [...tables, ...indexes];

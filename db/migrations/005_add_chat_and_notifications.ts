import { type Kysely, sql } from "kysely";

export const kind = "expand";

/** Chat, who is connected, mentions, notifications, push subscriptions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const chat = [
  // One row per topic with any chat: it numbers the entries, and a writer locks it.
  `create table chat_rooms (
    topic_id uuid primary key references topics (id) on delete cascade,
    last_position bigint not null default 0 check (last_position >= 0),
    message_count int not null default 0 check (message_count >= 0),
    last_at timestamptz not null
  )`,
  `create table chat_messages (
    id uuid primary key default gen_random_uuid(),
    topic_id uuid not null references chat_rooms (topic_id) on delete cascade,
    -- Counts from 1 within the topic; times follow it strictly.
    position bigint not null check (position > 0),
    user_id text not null references users (id),
    type text not null check (type in ('message', 'join', 'leave')),
    message text not null,
    created_at timestamptz not null,
    unique (topic_id, position)
  )`,
  "create index chat_messages_since on chat_messages (topic_id, created_at)",
  // Joins and leaves are deleted after a while.
  "create index chat_messages_comings on chat_messages (created_at) where type <> 'message'",
  // Server processes that hold event streams; one without a heartbeat is dead, and so are its connections.
  `create table live_processes (
    id uuid primary key,
    seen_at timestamptz not null
  )`,
  `create table chat_connections (
    id uuid primary key,
    topic_id uuid not null references topics (id) on delete cascade,
    user_id text not null references users (id),
    process_id uuid not null references live_processes (id) on delete cascade,
    connected_at timestamptz not null
  )`,
  "create index chat_connections_topic on chat_connections (topic_id, user_id, connected_at)",
  "create index chat_connections_process on chat_connections (process_id)",
  "create index chat_connections_user on chat_connections (user_id)",
];

const inbox = [
  // Members mentioned as @nickname in a post (comment_id null) or comment.
  `create table mentions (
    post_id uuid not null references posts (id) on delete cascade,
    comment_id uuid,
    user_id text not null references users (id),
    foreign key (post_id, comment_id) references comments (post_id, id) on delete cascade
  )`,
  "create unique index mentions_once on mentions (post_id, comment_id, user_id) nulls not distinct",
  "create index mentions_user on mentions (user_id)",
  `create table inboxes (
    user_id text primary key references users (id),
    last_position bigint not null default 0 check (last_position >= 0),
    unread_count int not null default 0 check (unread_count >= 0)
  )`,
  // Notifications store only ids: their content is read again, with the reader's rights.
  `create table notifications (
    id uuid primary key default gen_random_uuid(),
    user_id text not null references inboxes (user_id),
    -- Counts from 1 within the inbox.
    position bigint not null check (position > 0),
    kind text not null,
    actor_id text references users (id),
    topic_id uuid,
    post_id uuid,
    comment_id uuid,
    reason text,
    details jsonb not null,
    created_at timestamptz not null,
    read_at timestamptz,
    unique (user_id, position)
  )`,
  "create index notifications_unread on notifications (user_id, position) where read_at is null",
  "create index notifications_age on notifications (created_at)",
  "create index notifications_topic on notifications (topic_id)",
  `create table push_subscriptions (
    id uuid primary key default gen_random_uuid(),
    user_id text not null references users (id),
    session_id uuid not null references sessions (id) on delete cascade,
    endpoint text not null unique,
    p256dh text not null,
    auth text not null,
    label text not null,
    created_at timestamptz not null
  )`,
  "create index push_subscriptions_user on push_subscriptions (user_id)",
  "create index push_subscriptions_session on push_subscriptions (session_id)",
  // Pushes to send; a row is deleted when its push was accepted or given up.
  `create table push_deliveries (
    subscription_id uuid not null references push_subscriptions (id) on delete cascade,
    notification_id uuid not null references notifications (id) on delete cascade,
    attempts int not null default 0,
    next_at timestamptz not null,
    primary key (subscription_id, notification_id)
  )`,
  "create index push_deliveries_next on push_deliveries (next_at)",
  "create index push_deliveries_notification on push_deliveries (notification_id)",
];

const statements = [...chat, ...inbox];

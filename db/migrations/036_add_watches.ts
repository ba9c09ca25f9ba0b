import { type Kysely, sql } from "kysely";

export const kind = "expand";

/** Topics and threads that members watch, threads they mute, and what watchers are still to be told of. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  "alter table topic_notification_levels drop constraint topic_notification_levels_level_check",
  `alter table topic_notification_levels add constraint topic_notification_levels_level_check
    check (level in ('watch', 'mentions', 'none'))`,
  "create index topic_notification_levels_watch on topic_notification_levels (topic_id, user_id) where level = 'watch'",
  // A membership takes these with it.
  `create table thread_levels (
    user_id text not null,
    post_id uuid not null references posts (id) on delete cascade,
    topic_id uuid not null,
    level text not null check (level in ('watch', 'normal', 'mute')),
    created_at timestamptz not null,
    primary key (user_id, post_id),
    foreign key (topic_id, user_id) references memberships (topic_id, user_id) on delete cascade
  )`,
  "create index thread_levels_topic on thread_levels (topic_id, user_id)",
  "create index thread_levels_post on thread_levels (post_id)",
  "create index thread_levels_watch on thread_levels (post_id, user_id) where level = 'watch'",
  // Without foreign keys: it is there for seconds, and whoever takes it reads what is still there.
  `create table announcements (
    id uuid primary key default gen_random_uuid(),
    post_id uuid not null,
    comment_id uuid,
    told_up_to text not null default '',
    created_at timestamptz not null
  )`,
  "create index announcements_age on announcements (created_at, id)",
];

import { type Kysely, sql } from "kysely";

export const kind = "expand";

/** What notifies a user, by kind and by topic. Without a row, everything does. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table notification_settings (
    user_id text not null references users (id),
    kind text not null,
    in_app boolean not null,
    push boolean not null,
    primary key (user_id, kind)
  )`,
  `create table topic_notification_levels (
    user_id text not null references users (id),
    topic_id uuid not null references topics (id) on delete cascade,
    level text not null check (level in ('mentions', 'none')),
    created_at timestamptz not null,
    primary key (user_id, topic_id)
  )`,
  "create index topic_notification_levels_topic on topic_notification_levels (topic_id)",
];

import { type Kysely, sql } from "kysely";

export const kind = "expand";

/**
 * Reports of chat messages, topics, profiles and tags, with a copy of what was reported, and the operators' queue. The
 * previous release reads reports together with their post, so it leaves out those without one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // A report without a post is about the chat message that comment_id names: the previous release's unique index has
  // no other column for it.
  `alter table reports alter column post_id drop not null,
    add column snapshot jsonb,
    add column subject_id text references users (id),
    add constraint reports_target check (post_id is not null or comment_id is not null)`,
  "create index reports_subject on reports (subject_id) where subject_id is not null",
  // No foreign keys to what is reported: the report stays when that is deleted.
  `create table desk_reports (
    id uuid primary key default gen_random_uuid(),
    kind text not null check (kind in ('post', 'comment', 'message', 'topic', 'profile', 'tag')),
    target_id text not null,
    topic_id uuid,
    post_id uuid,
    subject_id text references users (id),
    reporter_id text not null references users (id),
    reason text not null,
    details text,
    snapshot jsonb not null,
    status text not null check (status in ('open', 'dismissed', 'resolved')),
    created_at timestamptz not null,
    claimed_by text references users (id),
    claimed_at timestamptz,
    decided_at timestamptz,
    decided_by text references users (id),
    decision text,
    check ((status = 'open') = (decided_at is null)),
    check ((claimed_by is null) = (claimed_at is null))
  )`,
  // One open report of one person about one thing.
  `create unique index desk_reports_open on desk_reports (kind, target_id, reporter_id) where status = 'open'`,
  "create index desk_reports_queue on desk_reports (created_at, id) where status = 'open'",
  "create index desk_reports_list on desk_reports (created_at, id)",
  "create index desk_reports_subject on desk_reports (subject_id, created_at)",
  "create index desk_reports_reporter on desk_reports (reporter_id, created_at)",
  "create index desk_reports_topic on desk_reports (topic_id, created_at)",
];

import { type Kysely, sql } from "kysely";

export const kind = "expand";

/**
 * Digests of files, by which operators take one down everywhere and keep it away; legal holds; and when reports lost their
 * copies. The previous release stores files without a digest, which housekeeping adds.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  "alter table uploads add column if not exists sha256 text",
  "create index if not exists uploads_sha256 on uploads (sha256) where sha256 is not null",
  "create index if not exists uploads_undigested on uploads (key) where stored and sha256 is null",
  `create table blocked_files (
    id uuid primary key default gen_random_uuid(),
    sha256 text not null unique,
    reason text not null,
    blocked_at timestamptz not null,
    blocked_by text not null references users (id)
  )`,
  "create index blocked_files_list on blocked_files (blocked_at, id)",
  "create index blocked_files_by on blocked_files (blocked_by)",
  // Hashes of addresses that browsers are told to forget.
  "create table removed_addresses (hash text primary key, removed_at timestamptz not null)",
  "create index removed_addresses_at on removed_addresses (removed_at)",
  // No foreign key to what is held: the hold outlives it.
  `create table legal_holds (
    id uuid primary key default gen_random_uuid(),
    kind text not null check (kind in ('post', 'comment', 'message', 'topic', 'profile')),
    target_id text not null,
    reason text not null,
    placed_by text not null references users (id),
    placed_at timestamptz not null,
    renewed_at timestamptz not null,
    released_at timestamptz
  )`,
  "create unique index legal_holds_active on legal_holds (kind, target_id) where released_at is null",
  "create index legal_holds_list on legal_holds (placed_at, id)",
  "create index legal_holds_by on legal_holds (placed_by)",
  // A text in the form it had; a changed one is taken again.
  `create table held_texts (
    hold_id uuid not null references legal_holds (id),
    kind text not null,
    content_id text not null,
    digest text not null,
    taken_at timestamptz not null,
    content jsonb not null,
    primary key (hold_id, kind, content_id, digest)
  )`,
  // While a hold is in force, the file at the key is withheld where it would be deleted.
  `create table held_files (
    hold_id uuid not null references legal_holds (id),
    key text not null,
    content_type text not null,
    sha256 text,
    primary key (hold_id, key)
  )`,
  "create index held_files_key on held_files (key)",
  `alter table desk_reports add column file_digests text[] not null default '{}',
    add column snapshot_erased_at timestamptz`,
  `create index desk_reports_decided on desk_reports (decided_at)
    where decided_at is not null and snapshot_erased_at is null`,
  "create index reports_decided on reports (decided_at) where decided_at is not null and snapshot is not null",
];

import { type Kysely, sql } from "kysely";

/** Nicknames that look alike are one, and a nickname somebody gave up is not for others at once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Null: generated, or of an account that was there before another that looks the same.
  "alter table users add column nickname_skeleton text unique",
  `update users u set nickname_skeleton = s.skeleton from (
      select distinct on (skeleton) id, skeleton from (
        select id, created_at, lower(translate(nickname, 'I10', 'llo')) as skeleton
        from users where nickname_set and deleted_at is null) named
      order by skeleton, created_at, id) s
    where s.id = u.id`,
  `create table freed_nicknames (
    skeleton text primary key,
    -- Who may have it back; null once they withdrew.
    user_id text references users (id),
    freed_at timestamptz not null
  )`,
  "create index freed_nicknames_user on freed_nicknames (user_id)",
  "create index freed_nicknames_at on freed_nicknames (freed_at)",
];

import { type Kysely, sql } from "kysely";

export const kind = "expand";

/** Nicknames that look alike count as one, and a nickname someone gave up is reserved for a while. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Null for a generated nickname, or for an account whose nickname looks like an older one's.
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

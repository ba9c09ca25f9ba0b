import { type Kysely, sql } from "kysely";

export const kind = "contract";

/**
 * Identities of deleted accounts that a topic's staff sanctioned: bans, so far in topic_identities, and now also
 * mutes and the waits after a removal or rejection.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table remembered_identities (
    topic_id uuid not null references topics (id) on delete cascade,
    identity_hash text not null,
    -- The withdrawn account: somebody may have withdrawn several, one after the other.
    user_id text not null references users (id),
    rejected_at timestamptz,
    primary key (topic_id, identity_hash, user_id)
  )`,
  "create index remembered_identities_user on remembered_identities (user_id)",
  `insert into remembered_identities (topic_id, identity_hash, user_id)
    select i.topic_id, i.identity_hash, i.user_id from topic_identities i join users u on u.id = i.user_id
    where u.deleted_at is not null`,
  "delete from topic_identities where circuit = 'sign_in'",
];

import { sql } from "kysely";
import type { Db, Trx } from "../context";

/** Circuit of `topic_identities` rows that stand for a banned user's sign-in (see banOf in topics/standing.ts). */
export const signInIdentity = "sign_in";

/**
 * For an account that is withdrawn: keeps the identities of topics that banned this user, the one they sign in with among them, and forgets the others:
 * a topic without a gate knows no other identity.
 */
export async function keepBannedIdentities(trx: Trx, userId: string, now: Date): Promise<void> {
  await sql`insert into topic_identities (topic_id, circuit, identity_hash, user_id, created_at)
    select s.topic_id, ${signInIdentity}, u.identity_hash, u.id, ${now}
    from sanctions s join users u on u.id = s.user_id
    where s.user_id = ${userId} and s.kind = 'ban' and (s.until is null or s.until > ${now})
      and u.identity_hash is not null
    on conflict do nothing`.execute(trx);
  await sql`delete from topic_identities i where i.user_id = ${userId} and ${unbanned(now)}`.execute(trx);
}

/** SQL: no ban of the user of `i` is in force in its topic. */
function unbanned(now: Date) {
  return sql`not exists (select from sanctions s where s.topic_id = i.topic_id and s.user_id = i.user_id
    and s.kind = 'ban' and (s.until is null or s.until > ${now}))`;
}

/** Forgets identities of withdrawn users whose ban ended, so that the person may come back. */
export async function forgetUnbanned(db: Db, now: Date): Promise<void> {
  await sql`delete from topic_identities i using users u
    where u.id = i.user_id and u.deleted_at is not null and ${unbanned(now)}`.execute(db);
}

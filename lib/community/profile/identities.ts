import { type Expression, type RawBuilder, sql } from "kysely";
import type { Db, Trx } from "@/db/schema";
import { ASK_AGAIN_AFTER_MS } from "@/lib/policy/topic";

/**
 * SQL: ids of this user's withdrawn accounts with a sanction, removal or rejection in a topic. The same person signed
 * in, or joined the topic, with an identity of such an account.
 * @param topicId a value or a column
 */
export function formerAccounts(topicId: RawBuilder<unknown>, userId: string | Expression<string | null>) {
  return sql<string>`(select former.user_id from remembered_identities former where former.topic_id = ${topicId}
    and (former.identity_hash = (select identity_hash from users where id = ${userId}::text)
      or exists (select from topic_identities seat where seat.topic_id = former.topic_id
        and seat.identity_hash = former.identity_hash and seat.user_id = ${userId}::text)))`;
}

/**
 * Remembers the identities of an account that withdraws, in topics where a mute, a ban, or the 24 hours after a removal
 * or a rejection are in force, so that these follow the person until they end. Where a ban is in force, the identity
 * stays bound in the topic; elsewhere it becomes free.
 */
export async function keepIdentities(trx: Trx, userId: string, now: Date): Promise<void> {
  const waitingSince = new Date(now.getTime() - ASK_AGAIN_AFTER_MS);
  await sql`insert into remembered_identities (topic_id, identity_hash, user_id, rejected_at)
    select held.topic_id, had.identity_hash, ${userId}, max(held.rejected_at)
    from (
      select topic_id, null::timestamptz as rejected_at from sanctions
        where user_id = ${userId} and (until is null or until > ${now})
      union all select topic_id, null from removals where user_id = ${userId} and removed_at > ${waitingSince}
      union all select topic_id, decided_at from join_requests
        where user_id = ${userId} and status = 'rejected' and decided_at > ${waitingSince}
    ) held
    cross join lateral (
      select identity_hash from users where id = ${userId} and identity_hash is not null
      union select identity_hash from topic_identities where topic_id = held.topic_id and user_id = ${userId}
    ) had
    group by held.topic_id, had.identity_hash`.execute(trx);
  await sql`delete from topic_identities i where i.user_id = ${userId} and ${unbanned(now)}`.execute(trx);
}

/** SQL: no ban of the user of identity `i` is in force in its topic. */
function unbanned(now: Date) {
  return sql`not exists (select from sanctions s where s.topic_id = i.topic_id and s.user_id = i.user_id
    and s.kind = 'ban' and (s.until is null or s.until > ${now}))`;
}

/** Deletes identities of withdrawn users where nothing of theirs is in force any more. */
export async function forgetIdentities(db: Db, now: Date): Promise<void> {
  const waitingSince = new Date(now.getTime() - ASK_AGAIN_AFTER_MS);
  await sql`delete from topic_identities i using users u
    where u.id = i.user_id and u.deleted_at is not null and ${unbanned(now)}`.execute(db);
  await sql`delete from remembered_identities r
    where (r.rejected_at is null or r.rejected_at <= ${waitingSince})
      and not exists (select from sanctions s where s.topic_id = r.topic_id and s.user_id = r.user_id
        and (s.until is null or s.until > ${now}))
      and not exists (select from removals g where g.topic_id = r.topic_id and g.user_id = r.user_id
        and g.removed_at > ${waitingSince})`.execute(db);
}

import { sql } from "kysely";
import type { Db } from "@/db/schema";
import { LIMITS } from "@/lib/contract/limits";

/** Reports per round. */
const ROUND = 500;

/** SQL: no legal hold is on what report `r` is about, on its topic, or on the account of whoever wrote it. */
const isFree = sql`not exists (select from legal_holds h where h.released_at is null and (
  (h.kind = r.kind and h.target_id = r.target_id) or (h.kind = 'topic' and h.target_id = r.topic_id::text)
  or (h.kind = 'profile' and h.target_id = r.subject_id)))`;

/** The same for a report to a topic's staff, which has no kind. */
const isFreeOfStaff = sql`not exists (select from legal_holds h where h.released_at is null and (
  h.target_id = coalesce(r.comment_id, r.post_id)::text or (h.kind = 'topic' and h.target_id = r.topic_id::text)
  or (h.kind = 'profile' and h.target_id = r.subject_id)))`;

/**
 * Erases the copies in reports that were decided long ago, unless a legal hold keeps them. The reports remain, since the
 * history of accounts counts them.
 */
export async function eraseSnapshots(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - LIMITS.moderation.snapshotDays * 24 * 60 * 60 * 1000);
  const empty = JSON.stringify({ title: "", text: "", files: [] });
  for (let erased = ROUND; erased === ROUND; ) {
    const { rows } = await sql`
      update desk_reports set snapshot = ${empty}::jsonb, file_digests = '{}', snapshot_erased_at = ${now}
      where id in (select r.id from desk_reports r where r.decided_at <= ${before} and r.snapshot_erased_at is null
        and ${isFree} limit ${ROUND})
      returning id`.execute(db);
    erased = rows.length;
  }
  for (let erased = ROUND; erased === ROUND; ) {
    const { rows } = await sql`
      update reports set snapshot = null
      where id in (select r.id from reports r where r.decided_at <= ${before} and r.snapshot is not null
        and ${isFreeOfStaff} limit ${ROUND})
      returning id`.execute(db);
    erased = rows.length;
  }
}

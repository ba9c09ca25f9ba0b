import { sql } from "kysely";
import type { Db, Trx } from "@/db/schema";
import type { DailyKind } from "@/db/schema/moderation";
import { recordDay } from "@/lib/policy/record";

/** An act of a user that is counted per UTC day. */
interface DailyAct {
  readonly userId: string;
  readonly kind: DailyKind;
  /** As `2026-11-22`. */
  readonly day: string;
}

/** SQL: the identity of a live account. */
export function identityOf(userId: string) {
  return sql<string>`(select identity_hash from users where id = ${userId})`;
}

/**
 * Counts an act for the day of the person behind an account. The row serializes their acts, and withdrawing does not
 * reset it. Call it in the transaction of the act.
 * @returns how many there are now, this one included
 */
export async function countToday(trx: Trx, { userId, kind, day }: DailyAct): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    insert into identity_days (identity_hash, kind, day, count)
    select identity_hash, ${kind}, ${day}::date, 1 from users where id = ${userId} and identity_hash is not null
    on conflict (identity_hash, kind, day) do update set count = identity_days.count + 1
    returning count`.execute(trx);
  return rows[0]?.count ?? 1;
}

/** Returns how many acts of the day are counted for the person behind an account. */
export async function carriedToday(db: Db | Trx, { userId, kind, day }: DailyAct): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count from identity_days
    where identity_hash = ${identityOf(userId)} and kind = ${kind} and day = ${day}::date`.execute(db);
  return rows[0]?.count ?? 0;
}

/**
 * Keeps what limits count of an account that withdraws: its records of the day and the size of its uploads move to its
 * identity, until the day ends. What it wrote no longer leads to the identity, and the time it last wrote becomes that of
 * the withdrawal. Call it before its uploads are deleted or moved.
 */
export async function keepLimits(trx: Trx, userId: string, now: Date): Promise<void> {
  const identity = identityOf(userId);
  await sql`insert into identity_days (identity_hash, kind, day, count)
    select u.identity_hash, 'record', d.day, d.count from record_days d join users u on u.id = d.user_id
    where d.user_id = ${userId} and d.day = ${recordDay(now)}::date and d.count > 0 and u.identity_hash is not null
    on conflict (identity_hash, kind, day) do update set count = identity_days.count + excluded.count`.execute(
    trx,
  );
  await sql`insert into identity_days (identity_hash, kind, day, count)
    select ${identity}, 'upload', ${recordDay(now)}::date, ceil(sum(size) / ${UPLOAD_UNIT}::numeric)::int
    from uploads where user_id = ${userId} having sum(size) > 0 and ${identity} is not null
    on conflict (identity_hash, kind, day) do update set count = identity_days.count + excluded.count`.execute(
    trx,
  );
  await sql`update recent_texts set post_id = null, comment_id = null
    where identity_hash = ${identity}`.execute(trx);
  await sql`update topic_paces set written_at = ${now} where identity_hash = ${identity}`.execute(trx);
}

/** Bytes that one of the kind "upload" counts for. */
const UPLOAD_UNIT = 1000;

/** Returns the bytes of what accounts of the same identity uploaded that withdrew today. */
export async function carriedUploads(trx: Trx, userId: string, now: Date): Promise<number> {
  return UPLOAD_UNIT * (await carriedToday(trx, { userId, kind: "upload", day: recordDay(now) }));
}

/** How long a text counts as a repetition, and the longest slow mode. */
const KEPT_MS = 24 * 60 * 60 * 1000;

/** Deletes counts of past days, and texts and times that no limit looks at any more. */
export async function forgetLimits(db: Db, now: Date): Promise<void> {
  const before = new Date(now.getTime() - KEPT_MS);
  await sql`delete from identity_days where day < ${recordDay(before)}::date`.execute(db);
  await db.deleteFrom("recent_texts").where("written_at", "<", before).execute();
  await db.deleteFrom("topic_paces").where("written_at", "<", before).execute();
}

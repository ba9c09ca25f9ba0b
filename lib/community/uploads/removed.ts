import { createHash } from "node:crypto";
import { sql } from "kysely";
import type { Db, Trx } from "@/db/schema";
import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";

/*
 * Browsers keep pictures for reading offline, for up to seven days (lib/worker). They are told of those that were taken
 * down, or moved away from the id of a withdrawn account, by a hash of the address: the list names nothing to those who
 * do not have the picture already.
 */

/** A day longer than any browser keeps a picture. */
const REMEMBERED_MS = 8 * 24 * 60 * 60 * 1000;
const MOST = 10_000;

/** Tells browsers, from the commit on, that these files ended. */
export async function noteRemoved(trx: Trx, keys: readonly string[], now: Date): Promise<void> {
  if (keys.length === 0) return;
  const hashes = keys.map((key) => createHash("sha256").update(`/uploads/${key}`).digest("hex"));
  await sql`insert into removed_addresses (hash, removed_at)
    select hash, ${now}::timestamptz from unnest(${hashes}::text[]) as hash order by hash
    on conflict do nothing`.execute(trx);
}

/** SQL: browsers are told that the file of `uploads` ended. */
export const isNotedRemoved = sql<boolean>`exists (select from removed_addresses r
  where r.hash = encode(sha256(convert_to('/uploads/' || uploads.key, 'UTF8')), 'hex'))`;

/** GET /api/upload/removed: hashes of the addresses that ended lately, latest first. */
export const listRemoved: Handler<typeof contract.uploads.removed> = async ({ db, now }) => {
  const rows = await db
    .selectFrom("removed_addresses")
    .select("hash")
    .where("removed_at", ">", new Date(now().getTime() - REMEMBERED_MS))
    .orderBy("removed_at", "desc")
    .limit(MOST)
    .execute();
  return { addresses: rows.map(({ hash }) => hash) };
};

/** Forgets what no browser keeps any more. */
export async function forgetRemoved(db: Db, now: Date): Promise<void> {
  await db
    .deleteFrom("removed_addresses")
    .where("removed_at", "<=", new Date(now.getTime() - REMEMBERED_MS))
    .execute();
}

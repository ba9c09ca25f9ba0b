import { sql } from "kysely";
import type { Trx } from "@/db/schema";
import { LIMITS } from "@/lib/contract/limits";
import { Refusal } from "@/lib/errors";
import { keysIn } from "@/lib/storage/keys";
import { removeUploads, type UploadContext } from "./store";

/** How long unused uploads are kept, since drafts on their authors' devices may name them. */
const UNUSED_LIFE_MS = LIMITS.days.unusedUpload * 24 * 60 * 60 * 1000;

/** Locks the rows of uploads, in the order of their keys, so that two transactions cannot deadlock. */
export async function lockUploads(trx: Trx, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  await trx
    .selectFrom("uploads")
    .select("key")
    .where("key", "in", [...new Set(keys)])
    .orderBy("key")
    .forNoKeyUpdate()
    .execute();
}

/**
 * Marks uploads as used, in the transaction that writes what shows them. The sweep skips marked uploads, and a write
 * that shows an upload which the sweep removed first is refused.
 * @param field for the refusal; without it, missing uploads are ignored
 * @throws Refusal not_your_upload
 */
export async function claimUploads(trx: Trx, keys: readonly string[], field?: string): Promise<void> {
  if (keys.length === 0) return;
  const distinct = [...new Set(keys)];
  await lockUploads(trx, distinct);
  const used = await trx
    .updateTable("uploads")
    .set({ used: true })
    .where("key", "in", distinct)
    .where("stored", "=", true)
    .returning("key")
    .execute();
  if (field !== undefined && used.length < distinct.length) throw new Refusal("not_your_upload", { field });
}

/** As `claimUploads`, for uploads in a plain text. */
export async function claimUploadsIn(trx: Trx, text: string): Promise<void> {
  await claimUploads(trx, keysIn(text));
}

/** SQL: whether no draft and no post that waits for its time has an upload in it. */
const notAwaited = sql<boolean>`not exists (select from drafts d
    where d.user_id = uploads.user_id and position(uploads.key in d.content::text) > 0)
  and not exists (select from scheduled_posts s
    where s.user_id = uploads.user_id and position(uploads.key in s.content::text) > 0)`;

/** Removes uploads that nothing has used for a week. */
export async function sweepUnused({ db, storage, now }: UploadContext): Promise<void> {
  const before = new Date(now().getTime() - UNUSED_LIFE_MS);
  for (;;) {
    const rows = await db
      .updateTable("uploads")
      .set({ stored: false })
      .where("key", "in", (eb) =>
        eb
          .selectFrom("uploads")
          .select("key")
          .where("stored", "=", true)
          .where("used", "=", false)
          .where("created_at", "<", before)
          .where(notAwaited)
          .limit(100),
      )
      // Checked again after the wait for the row, since it may have been used in the meantime.
      .where("stored", "=", true)
      .where("used", "=", false)
      .where(notAwaited)
      .returning("key")
      .execute();
    if (rows.length === 0) return;
    await removeUploads(
      { db, storage },
      rows.map(({ key }) => key),
    );
  }
}

import type { Trx } from "@/db/schema";
import { Refusal } from "@/lib/errors";
import { keysIn } from "@/lib/storage/keys";
import { removeUploads, type UploadContext } from "./store";

/** So long an upload that nothing shows is kept: drafts name theirs, and lie on their writers' devices. */
const unusedUploadMs = 7 * 24 * 60 * 60 * 1000;

/** Takes the rows of uploads for this transaction, in one order: two that want the same ones do not wait for each other. */
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
 * Marks uploads as used, in the transaction that writes what shows them. Of this and the sweep one is first: the sweep
 * leaves what is marked, and what the sweep took is not written.
 * @param field names them where one that is being removed refuses the write; without it that is nobody's fault
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

/** As `claimUploads`, of those that a plain text names. */
export async function claimUploadsIn(trx: Trx, text: string): Promise<void> {
  await claimUploads(trx, keysIn(text));
}

/** Removes uploads that nothing ever showed, some days after they were made. */
export async function sweepUnused({ db, storage, now }: UploadContext): Promise<void> {
  const before = new Date(now().getTime() - unusedUploadMs);
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
          .limit(100),
      )
      // Asked of the row again after it was waited for: it may have been used meanwhile.
      .where("stored", "=", true)
      .where("used", "=", false)
      .returning("key")
      .execute();
    if (rows.length === 0) return;
    await removeUploads(
      { db, storage },
      rows.map(({ key }) => key),
    );
  }
}

import { sql } from "kysely";
import type { Db } from "@/db/schema";
import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { parseKey } from "@/lib/storage/keys";
import { removeUploads } from "./store";

/**
 * DELETE /api/upload: deletes uploads of the caller and skips URLs that are not ours. Deletes nothing if one belongs to
 * someone else. Deleting a profile image leaves the caller without one. `unusedOnly` keeps what a post of the caller
 * shows: a client that cleans up may not know what the caller's other clients posted.
 * @throws Refusal not_your_upload; post_recorded for an upload that a post shows whose content is recorded on-chain
 */
export const deleteUploads: Handler<typeof contract.uploads.delete> = async (ctx, { urls, unusedOnly }) => {
  const { storage, caller, db } = ctx;
  const found = urls.map((url) => storage.keyOf(url)).filter((key) => key !== null);
  const keys = [...new Set(found)];
  if (keys.some((key) => parseKey(key)?.userId !== caller.userId)) {
    throw new Refusal("not_your_upload", { field: "urls" });
  }
  if (!unusedOnly && (await isRecorded(db, caller.userId, keys))) {
    throw new Refusal("post_recorded", { field: "urls" });
  }
  const unwanted = unusedOnly ? await unshown(db, caller.userId, keys) : keys;
  if (unwanted.length > 0) {
    const urlsToDelete = unwanted.map((key) => storage.publicUrl(key));
    await db
      .updateTable("users")
      .set({ profile_image: null })
      .where("id", "=", caller.userId)
      .where("profile_image", "in", urlsToDelete)
      .execute();
  }
  const deleted = await removeUploads(ctx, unwanted);
  const skipped = urls.length - found.length + (keys.length - unwanted.length);
  return { attempted: unwanted.length, deleted, skipped };
};

/** Whether a recorded post of the user shows one of these files. The recorded hash covers the text with their URLs. */
async function isRecorded(db: Db, userId: string, keys: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select from uploads f join posts p on p.author_id = f.user_id
    where f.key in (${sql.join([...keys, ""])}) and p.author_id = ${userId} and p.deleted_at is null
      and p.record_count > 0
      and (position(f.key in p.content) > 0 or position(f.key in p.media::text) > 0)
    limit 1`.execute(db);
  return rows.length > 0;
}

/** Returns those of a user's files that none of their posts shows. */
async function unshown(db: Db, userId: string, keys: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select f.key from uploads f where f.key in (${sql.join([...keys, ""])}) and not exists (
      select from posts p where p.author_id = ${userId} and p.deleted_at is null
        and (position(f.key in p.content) > 0 or position(f.key in p.media::text) > 0))`.execute(db);
  return rows.map(({ key }) => key);
}

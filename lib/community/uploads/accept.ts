import { Refusal } from "@/lib/errors";
import { inspectAnnounced } from "./inspect";
import type { UploadContext } from "./store";

/** What a signed upload address allows. */
export interface Announced {
  readonly key: string;
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * Takes the bytes of a signed upload address, once.
 * @throws Refusal upload_signature when it was used or its owner is gone; upload_type, upload_too_large, upload_damaged
 */
export async function acceptUpload(
  { db, storage }: Pick<UploadContext, "db" | "storage">,
  { key, contentType, size }: Announced,
  bytes: Uint8Array,
): Promise<void> {
  const image = await inspectAnnounced(bytes, { content_type: contentType, size }, "body");
  await db.transaction().execute(async (trx) => {
    // The row decides between two who send at once. The file is written while its row waits for the commit: without
    // the commit the row stays unfinished, and the sweep removes both.
    const claimed = await trx
      .updateTable("uploads")
      .set({ stored: true, size: image.bytes.length })
      .where("key", "=", key)
      .where("stored", "=", false)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom("users")
            .select("users.id")
            .whereRef("users.id", "=", "uploads.user_id")
            .where("users.deleted_at", "is", null),
        ),
      )
      .returning("key")
      .executeTakeFirst();
    if (!claimed) throw new Refusal("upload_signature");
    await storage.put(key, image.bytes, contentType);
  });
}

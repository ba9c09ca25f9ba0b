import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { uploadSeconds } from "@/lib/contract/uploads";
import { Refusal } from "@/lib/errors";
import { newKey } from "@/lib/storage/keys";
import { assertNotBlocked, digestOf, lockDigests } from "./digests";
import { assertUploadSize, inspectAnnounced } from "./inspect";
import { reserveUploads, storeImages, type UploadContext } from "./store";

/**
 * POST /api/upload: returns a URL to PUT one image to, of exactly the announced type and size; or takes the upload
 * itself as a form.
 * @throws Refusal upload_type, upload_too_large, upload_damaged
 */
export const createUpload: Handler<typeof contract.uploads.create> = async (ctx, input) => {
  const { storage, caller } = ctx;
  if ("file" in input) {
    const image = new Uint8Array(await input.file.arrayBuffer());
    const [stored] = await storeImages(ctx, input.purpose, [image], "file");
    if (stored === undefined) throw new Error("the upload was not stored");
    return { publicUrl: storage.publicUrl(stored) };
  }
  const { contentType, size, purpose } = input;
  assertUploadSize(size, "size");
  const key = newKey({ env: storage.env, purpose, userId: caller.userId, contentType });
  await reserveUploads(ctx, [{ key, contentType, size }], "size");
  const uploadUrl = await storage.uploadUrl(key, { contentType, size, expiresInSeconds: uploadSeconds });
  return { uploadUrl, publicUrl: storage.publicUrl(key), expiresIn: uploadSeconds };
};

/** The upload that a signed URL allows. */
export interface Announced {
  readonly key: string;
  readonly contentType: string;
  /** Bytes. */
  readonly size: number;
}

/**
 * Stores the bytes sent to a signed upload URL, once.
 * @throws Refusal upload_signature if the URL was used or its owner withdrew; upload_type, upload_too_large,
 *   upload_damaged, upload_blocked
 */
export async function acceptUpload(
  { db, storage }: Pick<UploadContext, "db" | "storage">,
  { key, contentType, size }: Announced,
  bytes: Uint8Array,
): Promise<void> {
  const image = await inspectAnnounced(bytes, { content_type: contentType, size }, "body");
  const sha256 = digestOf(image.bytes);
  await db.transaction().execute(async (trx) => {
    await lockDigests(trx, [sha256]);
    await assertNotBlocked(trx, [sha256], "body");
    // The row decides between concurrent requests. The file is written before the commit: if that fails, the row stays
    // unfinished and the sweep removes both.
    const claimed = await trx
      .updateTable("uploads")
      .set({ stored: true, size: image.bytes.length, sha256 })
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

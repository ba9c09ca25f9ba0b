import type { Handler, MemberContext } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { Refusal } from "@/lib/errors";
import { parseKey } from "@/lib/storage/keys";
import { isDataUri } from "../uploads/data-uri";
import { placeImage } from "../uploads/images";
import { removeUploads } from "../uploads/store";
import { claimUploads } from "../uploads/used";

/** GET /api/profile/image: the caller's profile image. */
export async function getProfileImage({ db, caller }: MemberContext) {
  const row = await db
    .selectFrom("users")
    .select("profile_image")
    .where("id", "=", caller.userId)
    .executeTakeFirst();
  return { profileImage: row?.profile_image ?? null };
}

/**
 * PUT /api/profile/image: makes an upload of the caller the profile image, and deletes the previous one.
 * @throws Refusal not_your_upload; upload_type, upload_too_large, upload_damaged for an upload to a bucket
 */
export const setProfileImage: Handler<typeof contract.profile.setImage> = async (ctx, { imageUrl }) => {
  if (isDataUri(imageUrl)) throw new Refusal("not_your_upload", { field: "imageUrl" });
  const profileImage = await placeImage(ctx, "avatar", imageUrl, "imageUrl");
  await replaceImage(ctx, profileImage);
  return { success: true, profileImage };
};

/** DELETE /api/profile/image: removes the caller's profile image. */
export async function deleteProfileImage(ctx: MemberContext) {
  await replaceImage(ctx, null);
  return { success: true as const };
}

/** Replaces the image and deletes the file of the previous one. After a crash, the sweep finds the mark in its row. */
async function replaceImage(ctx: MemberContext, image: string | null): Promise<void> {
  const { db, caller, storage } = ctx;
  const newKey = image && storage.keyOf(image);
  const dropped = await db.transaction().execute(async (trx) => {
    const before = await trx
      .selectFrom("users")
      .select("profile_image")
      .where("id", "=", caller.userId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (newKey) await claimUploads(trx, [newKey], "imageUrl");
    await trx.updateTable("users").set({ profile_image: image }).where("id", "=", caller.userId).execute();
    const old = before?.profile_image && before.profile_image !== image ? before.profile_image : null;
    const key = old && storage.keyOf(old);
    if (!key || parseKey(key)?.userId !== caller.userId) return null;
    await trx.updateTable("uploads").set({ stored: false }).where("key", "=", key).execute();
    return key;
  });
  if (dropped) {
    ctx.later("replaced profile image", async () => {
      await removeUploads(ctx, [dropped]);
    });
  }
}

import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { parseKey } from "@/lib/storage/keys";
import type { MemberContext } from "../context";
import { refusal } from "../refusals";
import { removeUploads } from "./store";

/**
 * DELETE /api/upload: files under the caller's own prefix go; addresses that are none of ours are skipped without a
 * word. One file of somebody else, and nothing is deleted. A profile image that goes leaves its owner without one.
 * @throws Refusal not_your_upload
 */
export async function deleteUploads(
  ctx: MemberContext,
  { urls }: HandlerInput<typeof contract.uploads.delete>,
): Promise<ResponseBody<typeof contract.uploads.delete>> {
  const { storage, caller, db } = ctx;
  const found = urls.map((url) => storage.keyOf(url)).filter((key) => key !== null);
  const keys = [...new Set(found)];
  if (keys.some((key) => parseKey(key)?.userId !== caller.userId)) {
    throw refusal("not_your_upload", { field: "urls" });
  }
  if (keys.length > 0) {
    const addresses = keys.map((key) => storage.publicUrl(key));
    await db
      .updateTable("users")
      .set({ profile_image: null })
      .where("id", "=", caller.userId)
      .where("profile_image", "in", addresses)
      .execute();
  }
  const deleted = await removeUploads(ctx, keys);
  return { attempted: keys.length, deleted, skipped: urls.length - found.length };
}

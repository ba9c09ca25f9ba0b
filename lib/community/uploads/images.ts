import type { MemberContext } from "@/lib/context";
import { LIMITS } from "@/lib/contract/limits";
import type { UploadPurpose } from "@/lib/contract/uploads";
import { Refusal } from "@/lib/errors";
import { replaceImages } from "@/lib/html";
import { parseKey } from "@/lib/storage/keys";
import { bytesOfDataUri, isDataUri } from "./data-uri";
import { removeUploads, settleUpload, storeImages } from "./store";

/**
 * The address of an image as a record keeps it: an upload of the caller stays where it is (a profile image only in the
 * folder of those), a data URI is moved to storage. An address that the record has already need not come here.
 * @throws Refusal not_your_upload, upload_type, upload_too_large, upload_damaged, each naming `field`
 */
export async function placeImage(
  ctx: MemberContext,
  purpose: UploadPurpose,
  image: string,
  field: string,
): Promise<string> {
  const { storage, caller } = ctx;
  if (isDataUri(image)) {
    const [stored] = await storeImages(ctx, purpose, [await bytesOfDataUri(image, field)], field);
    if (stored === undefined) throw new Error("the image was not stored");
    return storage.publicUrl(stored);
  }
  const key = storage.keyOf(image);
  const owner = key && parseKey(key);
  const fits =
    owner && owner.userId === caller.userId && (purpose !== "avatar" || owner.purpose === "avatar");
  if (!fits || !(await settleUpload(ctx, key, field))) {
    throw new Refusal("not_your_upload", {
      field,
      message: `${field} must be the URL of an image you uploaded for this.`,
    });
  }
  return storage.publicUrl(key);
}

/** HTML whose inline images were moved to storage. */
export interface PlacedHtml {
  readonly html: string;
  /** Keys of the uploads it shows, all of them stored. */
  readonly uploads: readonly string[];
  /** Removes the images again, for a write that failed after all. */
  discard(): Promise<void>;
}

/**
 * Moves data URIs of images inside HTML to storage, all or none: at most 10, each as an upload would be. Uploads that
 * the HTML names by their public address are named as the sanitiser keeps them. To be called before sanitising, and
 * outside any transaction.
 * @param maxLength characters the HTML may have besides the images
 * @throws Refusal upload_type, upload_too_large, upload_damaged, invalid_request, with field content; TooLong, TooDeep
 */
export async function placeInlineImages(
  ctx: MemberContext,
  html: string,
  maxLength?: number,
): Promise<PlacedHtml> {
  const { storage } = ctx;
  const field = "content";
  const inline: string[] = [];
  const uploads = new Set<string>();
  const replace = await replaceImages(
    html,
    (source) => {
      const key = storage.keyOf(source);
      if (key) {
        uploads.add(key);
        return () => storage.htmlUrl(key);
      }
      if (!isDataUri(source)) return null;
      const index = inline.push(source) - 1;
      return (placed) => placed[index] ?? "";
    },
    maxLength,
  );
  if (inline.length > LIMITS.post.images) {
    throw new Refusal("invalid_request", {
      field,
      message: `A text can contain up to ${LIMITS.post.images} images.`,
    });
  }
  const settled: string[] = [];
  for (const key of uploads) if (await settleUpload(ctx, key, field)) settled.push(key);
  const images: Buffer[] = [];
  for (const source of inline) images.push(await bytesOfDataUri(source, field));
  const keys = await storeImages(ctx, "post", images, field);
  return {
    html: replace(keys.map((key) => storage.htmlUrl(key))),
    uploads: [...settled, ...keys],
    discard: async () => {
      await removeUploads(ctx, keys);
    },
  };
}

/**
 * Refuses an image address that a reader's browser must not be sent to: https anywhere, http for our own uploads only.
 * An upload of ours that was not looked at yet is looked at now, so await it.
 * @throws Refusal invalid_request, or as an upload does, naming `field`
 */
export async function assertImageUrl(ctx: MemberContext, url: string, field: string): Promise<void> {
  const key = ctx.storage.keyOf(url);
  if (key) {
    if (await settleUpload(ctx, key, field)) return;
    throw new Refusal("invalid_request", { field, message: `${field} names an upload that does not exist.` });
  }
  const parsed = URL.canParse(url) ? new URL(url) : null;
  if (parsed?.protocol === "https:" && !parsed.username && !parsed.password) return;
  throw new Refusal("invalid_request", { field, message: `${field} must be an https URL.` });
}

import type { MemberContext } from "@/lib/context";
import { LIMITS } from "@/lib/contract/limits";
import type { UploadPurpose } from "@/lib/contract/uploads";
import { Refusal } from "@/lib/errors";
import { replaceImages } from "@/lib/html";
import { parseKey } from "@/lib/storage/keys";
import { bytesOfDataUri, isDataUri } from "./data-uri";
import { removeUploads, settleUpload, storeImages } from "./store";

/**
 * Returns the URL of an image for a record: an upload of the caller keeps its URL, a data URI is moved to storage.
 * Profile images must be uploads for that purpose. Do not call it for the URL that the record already has.
 * @throws Refusal not_your_upload, upload_type, upload_too_large, upload_damaged, each with field `field`
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

/** HTML with its inline images moved to storage. */
export interface PlacedHtml {
  readonly html: string;
  /** Keys of the uploads it shows, all stored. */
  readonly uploads: readonly string[];
  /** Removes the images again after a failed write. */
  discard(): Promise<void>;
}

/**
 * Moves images in data URIs inside HTML to storage, all or none: at most 10, under the rules of uploads. Replaces the
 * public URLs of uploads with those that the sanitizer keeps. Call it before sanitizing, and outside any transaction.
 * @param maxLength characters of the HTML without the images
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
 * Refuses an image URL that readers' browsers must not load: allows https anywhere, and http for our own uploads only.
 * Inspects an upload of ours that has not been inspected.
 * @throws Refusal invalid_request, or what an upload refuses, with field `field`
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

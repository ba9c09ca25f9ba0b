import type { UploadPurpose } from "@/lib/contract/uploads";
import type { MemberContext } from "../context";

/**
 * The address of an image as a record keeps it: an upload of the caller stays where it is, a data URI is moved to
 * storage.
 * @throws Refusal not_your_upload, upload_type, upload_too_large, upload_damaged, each naming `field`
 */
export async function placeImage(
  _ctx: MemberContext,
  _purpose: UploadPurpose,
  image: string,
  _field: string,
): Promise<string> {
  return image;
}

/** HTML whose inline images were moved to storage. */
export interface PlacedHtml {
  readonly html: string;
  /** Removes the images again, for a write that failed after all. */
  discard(): Promise<void>;
}

/**
 * Moves data URIs of images inside HTML to storage, all or none: at most 10, each as an upload would be.
 * @throws Refusal upload_type, upload_too_large, upload_damaged, invalid_request, with field content
 */
export async function placeInlineImages(_ctx: MemberContext, html: string): Promise<PlacedHtml> {
  return { html, discard: async () => {} };
}

/**
 * Refuses an image address that a reader's browser must not be sent to: https anywhere, http for our own uploads only.
 * An upload of ours that was not looked at yet is looked at now, so await it.
 * @throws Refusal invalid_request naming `field`
 */
export async function demandImageUrl(_ctx: MemberContext, _url: string, _field: string): Promise<void> {}

import { imageSize } from "image-size";
import { maxUploadBytes, type UploadType, uploadTypes } from "@/lib/contract/uploads";
import { Refusal } from "@/lib/errors";
import { rasterType } from "@/lib/storage/raster";

/** Most pixels of an image: decoded it takes four bytes each, in every reader's browser. */
export const maxPixels = 50_000_000;

/** What an image is, by its own bytes. */
export interface ImageFacts {
  readonly contentType: UploadType;
  readonly width: number;
  readonly height: number;
}

/**
 * Looks at an image's first bytes and the dimensions it declares; decodes nothing. What follows the image in the file
 * does not matter: it is served as this type and nothing else.
 * @throws Refusal upload_too_large, upload_type, upload_damaged, naming `field`
 */
export function inspectImage(bytes: Uint8Array, field: string): ImageFacts {
  demandUploadSize(bytes.length, field);
  const contentType = uploadTypes.find((type) => type === rasterType(bytes));
  if (!contentType) {
    throw new Refusal("upload_type", "Images are PNG, JPEG, GIF or WebP.", { field });
  }
  const { width, height } = dimensionsOf(bytes) ?? { width: 0, height: 0 };
  if (!(width > 0 && height > 0)) throw new Refusal("upload_damaged", "The image cannot be read.", { field });
  if (width * height > maxPixels) {
    throw new Refusal("upload_damaged", `The image has more than ${maxPixels / 1_000_000} million pixels.`, {
      field,
    });
  }
  return { contentType, width, height };
}

/** @throws Refusal upload_too_large naming `field` */
export function demandUploadSize(size: number, field: string): void {
  if (size <= maxUploadBytes) return;
  throw new Refusal("upload_too_large", `An image may have ${maxUploadBytes / 1_000_000} MB.`, { field });
}

/** Null when the file breaks off before it says. */
function dimensionsOf(bytes: Uint8Array): { readonly width: number; readonly height: number } | null {
  // Shorter than the shortest image there is; the library would read on behind the end.
  if (bytes.length < 26) return null;
  try {
    return imageSize(bytes);
  } catch {
    return null;
  }
}

/**
 * Checks bytes against what their upload was announced as.
 * @throws Refusal as inspectImage does
 */
export function demandAnnounced(
  bytes: Uint8Array,
  announced: { readonly content_type: string; readonly size: number },
  field: string,
): void {
  const { contentType } = inspectImage(bytes, field);
  if (contentType !== announced.content_type) {
    throw new Refusal("upload_type", `The file is ${contentType}, not ${announced.content_type}.`, { field });
  }
  if (bytes.length !== announced.size) {
    throw new Refusal("upload_damaged", `The file has ${bytes.length} bytes, not ${announced.size}.`, {
      field,
    });
  }
}

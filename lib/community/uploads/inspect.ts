import { LIMITS, UPLOAD_MEGABYTES, type UploadType, uploadTypes } from "@/lib/contract/limits";
import { rasterType } from "@/lib/contract/raster";
import { Refusal } from "@/lib/errors";
import { cleanImage } from "@/lib/storage/clean";
import { type CleanImage, DamagedImage } from "@/lib/storage/clean/parts";

/** An image to store: the type that its bytes show, and the bytes without metadata. */
export interface Image {
  readonly contentType: UploadType;
  readonly bytes: Buffer;
}

/**
 * Checks an image's parts and declared dimensions, and removes everything but the picture, without decoding it.
 * @throws Refusal upload_too_large, upload_type, upload_damaged, with field `field`
 */
export async function inspectImage(bytes: Uint8Array, field: string): Promise<Image> {
  assertUploadSize(bytes.length, field);
  const contentType = uploadTypes.find((type) => type === rasterType(bytes));
  if (!contentType) throw new Refusal("upload_type", { field });
  const { width, height, bytes: clean } = await readable(contentType, bytes, field);
  if (!(width > 0 && height > 0)) throw unreadable(field);
  if (width * height > LIMITS.upload.pixels) {
    throw new Refusal("upload_damaged", {
      field,
      message: `The image has more than ${LIMITS.upload.pixels / 1_000_000} million pixels.`,
    });
  }
  return { contentType, bytes: clean };
}

async function readable(type: UploadType, bytes: Uint8Array, field: string): Promise<CleanImage> {
  try {
    return await cleanImage(type, bytes);
  } catch (error) {
    if (error instanceof DamagedImage) throw unreadable(field);
    throw error;
  }
}

function unreadable(field: string): Refusal {
  return new Refusal("upload_damaged", { field });
}

/** @throws Refusal upload_too_large with field `field` */
export function assertUploadSize(size: number, field: string): void {
  if (size <= LIMITS.upload.bytes) return;
  throw new Refusal("upload_too_large", {
    field,
    message: `An image can have up to ${UPLOAD_MEGABYTES} MB.`,
  });
}

/**
 * Checks bytes against the announced type and size of their upload.
 * @returns the image to store
 * @throws Refusal see inspectImage
 */
export async function inspectAnnounced(
  bytes: Uint8Array,
  announced: { readonly content_type: string; readonly size: number },
  field: string,
): Promise<Image> {
  const image = await inspectImage(bytes, field);
  if (image.contentType !== announced.content_type) {
    throw new Refusal("upload_type", {
      field,
      message: `The file is ${image.contentType}, not ${announced.content_type}.`,
    });
  }
  if (bytes.length !== announced.size) {
    throw new Refusal("upload_damaged", {
      field,
      message: `The file has ${bytes.length} bytes, not ${announced.size}.`,
    });
  }
  return image;
}

import type { UploadType } from "@/lib/contract/uploads";
import { cleanGif } from "./gif";
import { cleanJpeg } from "./jpeg";
import { cleanPng } from "./png";
import { cleanWebp } from "./webp";

/** An image without what it says beside its picture. */
export interface CleanImage {
  readonly bytes: Buffer;
  /** In pixels, as the file declares them. */
  readonly width: number;
  readonly height: number;
}

const cleaners: Readonly<Record<UploadType, (bytes: Buffer) => CleanImage | Promise<CleanImage>>> = {
  "image/png": cleanPng,
  "image/jpeg": cleanJpeg,
  "image/gif": cleanGif,
  "image/webp": cleanWebp,
};

/**
 * Takes everything out of an image that is not its picture: EXIF, XMP, IPTC, comments, thumbnails, texts of colour
 * profiles, whatever stands behind its end. Nothing is decoded and nothing redrawn, so the picture stays as it is; which
 * way is up stays too, as the only entry of a new EXIF block.
 * @throws DamagedImage
 */
export async function cleanImage(type: UploadType, bytes: Uint8Array): Promise<CleanImage> {
  return await cleaners[type](Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

import type { UploadType } from "@/lib/contract/limits";
import { cleanGif } from "./gif";
import type { CleanImage } from "./image";
import { cleanJpeg } from "./jpeg";
import { cleanPng } from "./png";
import { cleanWebp } from "./webp";

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

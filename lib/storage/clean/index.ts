import type { UploadType } from "@/lib/contract/limits";
import { cleanGif } from "./gif";
import { cleanJpeg } from "./jpeg";
import type { CleanImage } from "./parts";
import { cleanPng } from "./png";
import { cleanWebp } from "./webp";

const cleaners: Readonly<Record<UploadType, (bytes: Buffer) => CleanImage | Promise<CleanImage>>> = {
  "image/png": cleanPng,
  "image/jpeg": cleanJpeg,
  "image/gif": cleanGif,
  "image/webp": cleanWebp,
};

/**
 * Removes all metadata from an image: EXIF, XMP, IPTC, comments, thumbnails, texts of color profiles, data after its end.
 * Does not decode or re-encode pixels. Keeps the orientation, as the only entry of a new EXIF block.
 * @throws DamagedImage
 */
export async function cleanImage(type: UploadType, bytes: Uint8Array): Promise<CleanImage> {
  return await cleaners[type](Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}

import { encoded, UnfitPictureError } from "@/components/compose/pictures";
import type { WaitingPicture } from "@/lib/client/anonymous/store";
import { LIMITS, uploadTypes } from "@/lib/contract/limits";

/** Pixels of the longer side. */
const MAX_SIDE = 2560;
const MAX_ENCODINGS = 5;
const SMALLER = 0.7;

/**
 * Encodes a picture anew, as large as pictures without a name may be: its metadata (place, time, device) and its name stay on
 * this device. Of an animated one, the first frame is left.
 * @throws UnfitPictureError
 */
export async function withoutTrace(file: File): Promise<WaitingPicture> {
  if (!uploadTypes.some((type) => type === file.type)) throw new UnfitPictureError("type");
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (!bitmap) throw new UnfitPictureError("unreadable");
  try {
    let factor = Math.min(1, MAX_SIDE / Math.max(bitmap.width, bitmap.height));
    for (let n = 0; n < MAX_ENCODINGS; n++, factor *= SMALLER) {
      const [width, height] = [bitmap.width, bitmap.height].map((side) =>
        Math.max(1, Math.round(side * factor)),
      );
      const blob = await encoded(bitmap, width ?? 1, height ?? 1, "image/webp");
      if (blob && blob.size <= LIMITS.anonymous.pictureBytes)
        return { bytes: new Uint8Array(await blob.arrayBuffer()), type: blob.type, alt: "", src: null };
    }
    throw new UnfitPictureError("tooLarge");
  } finally {
    bitmap.close();
  }
}

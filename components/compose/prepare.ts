import { LIMITS } from "@/lib/contract/limits";
import { isPictureType, type PictureProblem, shrinkFactor } from "./pictures";

/** A picture that may be sent. */
export interface Prepared {
  readonly file: File;
  /** In pixels, as it is shown. */
  readonly width: number;
  readonly height: number;
  /** It was made smaller to fit. */
  readonly isReduced: boolean;
}

/** What cannot be sent, and why. */
export class Unfit extends Error {
  override readonly name = "Unfit";
  constructor(readonly problem: PictureProblem) {
    super(problem);
  }
}

const ATTEMPTS = 4;
const QUALITY = 0.9;

/**
 * Measures a picture, and makes it smaller where it is over the limit of bytes or pixels; its proportions stay. Moving
 * pictures cannot be made smaller here. A JPEG is always drawn anew: what cameras write into it (place, time, device) stays
 * on this device.
 * @throws Unfit
 */
export async function prepare(file: File): Promise<Prepared> {
  if (!isPictureType(file.type)) throw new Unfit("type");
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (!bitmap) throw new Unfit("unreadable");
  try {
    const { width, height } = bitmap;
    const factor = shrinkFactor({ bytes: file.size, width, height });
    if (factor === 1 && file.type !== "image/jpeg") return { file, width, height, isReduced: false };
    if (file.type === "image/gif") throw new Unfit("gifTooLarge");
    return await drawnAnew(file, bitmap, factor);
  } finally {
    bitmap.close();
  }
}

async function drawnAnew(file: File, bitmap: ImageBitmap, first: number): Promise<Prepared> {
  let factor = first;
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const width = Math.max(1, Math.round(bitmap.width * factor));
    const height = Math.max(1, Math.round(bitmap.height * factor));
    const blob = await drawn(bitmap, width, height, file.type === "image/jpeg" ? "image/jpeg" : "image/webp");
    if (blob && blob.size <= LIMITS.upload.bytes) {
      const name = `${file.name.replace(/\.\w+$/, "")}.${blob.type.slice(6)}`;
      return { file: new File([blob], name, { type: blob.type }), width, height, isReduced: factor < 1 };
    }
    factor *= blob ? Math.min(0.8, shrinkFactor({ bytes: blob.size, width, height })) : 0.5;
  }
  throw new Unfit("tooLarge");
}

async function drawn(bitmap: ImageBitmap, width: number, height: number, type: string): Promise<Blob | null> {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const brush = canvas.getContext("2d");
  if (!brush) return null;
  brush.imageSmoothingQuality = "high";
  brush.drawImage(bitmap, 0, 0, width, height);
  // A browser that does not write the type writes PNG instead, and says so.
  return await new Promise((resolve) => canvas.toBlob(resolve, type, QUALITY));
}

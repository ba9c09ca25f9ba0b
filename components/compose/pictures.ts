import { LIMITS, uploadTypes } from "@/lib/contract/limits";

/** Why a picture cannot be uploaded; keys of `composer.pictureProblems` in the interface texts. */
export type PictureProblem = "type" | "gifTooLarge" | "unreadable" | "tooLarge" | "cancelled";

function isPictureType(type: string): boolean {
  return uploadTypes.some((one) => one === type);
}

/** Returns pasted or dropped pictures. HTML with text wins: word processors add a picture of the words they copy. */
export function filesOf(data: DataTransfer | null): File[] {
  const files = [...(data?.files ?? [])].filter(({ type }) => type.startsWith("image/"));
  const html = data?.getData("text/html") ?? "";
  return files.length > 0 && (html === "" || isOnePicture(html)) ? files : [];
}

function isOnePicture(html: string): boolean {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  return body.textContent?.trim() === "" && body.querySelectorAll("img").length === 1;
}

export interface PastedHtml {
  readonly html: string;
  /** Number of removed pictures, which only the program or computer they come from can show. */
  readonly lost: number;
}

/** Uploads the data URIs of pasted HTML with `upload`, which returns an id, and removes pictures without an address. */
export function withoutForeignData(html: string, upload: (file: File) => string): PastedHtml {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  let lost = 0;
  for (const image of body.querySelectorAll("img")) {
    const source = image.getAttribute("src") ?? "";
    if (image.hasAttribute("data-upload") || isAddress(source)) continue;
    const file = fileOfDataUri(source);
    if (file) {
      image.removeAttribute("src");
      image.setAttribute("data-upload", upload(file));
    } else {
      if (source) lost += 1;
      image.remove();
    }
  }
  return { html: body.innerHTML, lost };
}

/** Whether a picture has a public address. This site counts even without TLS, for development. */
function isAddress(source: string): boolean {
  const url = URL.parse(source, location.href);
  return url?.protocol === "https:" || url?.origin === location.origin;
}

function fileOfDataUri(source: string): File | null {
  const [, type = "", base64 = ""] = /^data:(image\/[a-z+.-]+);base64,([\s\S]+)$/i.exec(source.trim()) ?? [];
  if (!isPictureType(type.toLowerCase())) return null;
  try {
    const bytes = Uint8Array.from(atob(base64.replace(/\s/g, "")), (c) => c.charCodeAt(0));
    return new File([bytes], `picture.${type.slice(6)}`, { type: type.toLowerCase() });
  } catch {
    return null;
  }
}

/** Returns the factor, at most 1, that makes a picture fit. Bytes follow the area, with a margin for compression. */
export function shrinkFactor(size: { bytes: number; width: number; height: number }): number {
  const byBytes = Math.sqrt(LIMITS.upload.bytes / size.bytes) * 0.95;
  const byPixels = Math.sqrt(LIMITS.upload.pixels / (size.width * size.height));
  return Math.min(
    1,
    size.bytes > LIMITS.upload.bytes ? byBytes : 1,
    size.width * size.height > LIMITS.upload.pixels ? byPixels * 0.99 : 1,
  );
}

export interface Prepared {
  readonly file: File;
  /** In pixels, as displayed. */
  readonly width: number;
  readonly height: number;
  readonly isReduced: boolean;
}

export class UnfitPictureError extends Error {
  override readonly name = "UnfitPictureError";
  constructor(readonly problem: PictureProblem) {
    super(problem);
  }
}

const MAX_ENCODINGS = 4;
const QUALITY = 0.9;

/**
 * Measures a picture and scales it down when it is over the limit of bytes or pixels. Animated pictures cannot be scaled.
 * A JPEG is always encoded again, so that its camera metadata (place, time, device) stays on this device.
 * @throws UnfitPictureError
 */
export async function prepare(file: File): Promise<Prepared> {
  if (!isPictureType(file.type)) throw new UnfitPictureError("type");
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (!bitmap) throw new UnfitPictureError("unreadable");
  try {
    const { width, height } = bitmap;
    const factor = shrinkFactor({ bytes: file.size, width, height });
    if (factor === 1 && file.type !== "image/jpeg") return { file, width, height, isReduced: false };
    if (file.type === "image/gif") throw new UnfitPictureError("gifTooLarge");
    return await reencoded(file, bitmap, factor);
  } finally {
    bitmap.close();
  }
}

async function reencoded(file: File, bitmap: ImageBitmap, first: number): Promise<Prepared> {
  let factor = first;
  for (let n = 0; n < MAX_ENCODINGS; n += 1) {
    const width = Math.max(1, Math.round(bitmap.width * factor));
    const height = Math.max(1, Math.round(bitmap.height * factor));
    const type = file.type === "image/jpeg" ? "image/jpeg" : "image/webp";
    const blob = await encoded(bitmap, width, height, type);
    if (blob && blob.size <= LIMITS.upload.bytes) {
      const name = `${file.name.replace(/\.\w+$/, "")}.${blob.type.slice(6)}`;
      return { file: new File([blob], name, { type: blob.type }), width, height, isReduced: factor < 1 };
    }
    factor *= blob ? Math.min(0.8, shrinkFactor({ bytes: blob.size, width, height })) : 0.5;
  }
  throw new UnfitPictureError("tooLarge");
}

/** Draws a picture at this size and encodes it: nothing else of its file is left. @returns null where the browser can't */
export async function encoded(
  bitmap: ImageBitmap,
  width: number,
  height: number,
  type: string,
): Promise<Blob | null> {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  if (!context) return null;
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, width, height);
  // A browser that cannot encode the type returns PNG and its type.
  return await new Promise((resolve) => canvas.toBlob(resolve, type, QUALITY));
}

import { LIMITS, uploadTypes } from "@/lib/contract/limits";

/** Why a picture cannot be sent as it is; names of sentences in `composer.pictureProblems`. */
export type PictureProblem = "type" | "gifTooLarge" | "unreadable" | "tooLarge" | "cancelled";

/** Types of files that are taken. */
export function isPictureType(type: string): boolean {
  return uploadTypes.some((one) => one === type);
}

/**
 * Pictures that were pasted or dropped. Text that comes with one picture is read instead of it, unless it is nothing but the
 * same picture once more: word processors add a picture of the words they copy.
 */
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
  /** How many pictures could not be taken along: what they show is on the other computer, or in another program. */
  readonly lost: number;
}

/**
 * HTML from elsewhere: pictures that carry their bytes are handed out to be uploaded, those that only the other program can
 * show go.
 * @param take begins an upload and gives its id
 */
export function withoutForeignData(html: string, take: (file: File) => string): PastedHtml {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  let lost = 0;
  for (const image of body.querySelectorAll("img")) {
    const source = image.getAttribute("src") ?? "";
    if (image.hasAttribute("data-upload") || isAddress(source)) continue;
    const file = fileOfDataUri(source);
    if (file) {
      image.removeAttribute("src");
      image.setAttribute("data-upload", take(file));
    } else {
      if (source) lost += 1;
      image.remove();
    }
  }
  return { html: body.innerHTML, lost };
}

/** Of the web, or of this site, which may be without a certificate where it is developed. */
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

/**
 * How much smaller each side must be for a picture to become small enough, as a factor of at most 1. The bytes follow the
 * area; a little is left for what compresses worse when it is smaller.
 */
export function shrinkFactor(size: { bytes: number; width: number; height: number }): number {
  const byBytes = Math.sqrt(LIMITS.upload.bytes / size.bytes) * 0.95;
  const byPixels = Math.sqrt(LIMITS.upload.pixels / (size.width * size.height));
  return Math.min(
    1,
    size.bytes > LIMITS.upload.bytes ? byBytes : 1,
    size.width * size.height > LIMITS.upload.pixels ? byPixels * 0.99 : 1,
  );
}

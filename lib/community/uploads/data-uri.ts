import { setImmediate as yieldToRequests } from "node:timers/promises";
import { Refusal } from "@/lib/errors";
import { assertUploadSize } from "./inspect";

/** Characters to check at once, so that a large image does not block other requests. */
const SLICE_LENGTH = 1024 * 1024;

/** Whether a URL is a data URI. Ignores white space and control characters, as browsers do. */
export function isDataUri(address: string): boolean {
  return /^[\0-\x20]*data:/i.test(address.slice(0, 100).replace(/[\0-\x20\x7f]+/g, ""));
}

/**
 * Decodes a base64 data URI (RFC 2397). `inspectImage` decides the type of the bytes.
 * @throws Refusal upload_type, upload_damaged, upload_too_large, with field `field`
 */
export async function bytesOfDataUri(address: string, field: string): Promise<Buffer> {
  const comma = address.indexOf(",");
  const head = address.slice(0, Math.min(comma, 200)).replace(/[\0-\x20\x7f]+/g, "");
  if (!/^data:image\/(png|jpeg|jpg|gif|webp)(;[^;,]+)*;base64$/i.test(head)) {
    throw new Refusal("upload_type", {
      field,
      message: "Images inside a text must be PNG, JPEG, GIF or WebP in base64.",
    });
  }
  // Before decoding: four characters make three bytes.
  assertUploadSize(Math.floor(((address.length - comma - 1) / 4) * 3) - 2, field);
  const text = address.slice(comma + 1);
  if (!(await isBase64(text))) {
    throw new Refusal("upload_damaged", { field, message: "The image is not valid base64." });
  }
  return Buffer.from(text, "base64");
}

/**
 * Whether the text is base64 with white space, then at most two "=". Each expression has one character class only: if
 * white space matched two parts of an expression, a text of white space would take quadratic time.
 */
async function isBase64(text: string): Promise<boolean> {
  const padding = text.indexOf("=");
  const end = padding < 0 ? text.length : padding;
  for (let at = 0; at < end; at += SLICE_LENGTH) {
    if (/[^A-Za-z0-9+/\s]/.test(text.slice(at, Math.min(at + SLICE_LENGTH, end)))) return false;
    if (end > SLICE_LENGTH) await yieldToRequests();
  }
  const tail = text.slice(end);
  return !/[^=\s]/.test(tail) && tail.split("=", 4).length <= 3;
}

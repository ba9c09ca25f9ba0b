import { setImmediate as yieldToRequests } from "node:timers/promises";
import { Refusal } from "@/lib/errors";
import { assertUploadSize } from "./inspect";

/** Characters checked at once: a large image must not keep other requests waiting. */
const sliceLength = 1024 * 1024;

/** Whether an address carries its image in itself. White space and control characters do not count, as in browsers. */
export function isDataUri(address: string): boolean {
  return /^[\0-\x20]*data:/i.test(address.slice(0, 100).replace(/[\0-\x20\x7f]+/g, ""));
}

/**
 * The bytes of a data URI (RFC 2397) in base64; what type they are is for `inspectImage` to say.
 * @throws Refusal upload_type, upload_damaged, upload_too_large, naming `field`
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
  // Before decoding: four characters are three bytes.
  assertUploadSize(Math.floor(((address.length - comma - 1) / 4) * 3) - 2, field);
  const text = address.slice(comma + 1);
  if (!(await isBase64(text))) {
    throw new Refusal("upload_damaged", { field, message: "The image is not valid base64." });
  }
  return Buffer.from(text, "base64");
}

/**
 * Letters of base64 and white space, then at most two "=". Each expression names one class only: where white space fits
 * two parts of one, a text of it takes time by the square of its length.
 */
async function isBase64(text: string): Promise<boolean> {
  const padding = text.indexOf("=");
  const end = padding < 0 ? text.length : padding;
  for (let at = 0; at < end; at += sliceLength) {
    if (/[^A-Za-z0-9+/\s]/.test(text.slice(at, Math.min(at + sliceLength, end)))) return false;
    if (end > sliceLength) await yieldToRequests();
  }
  const tail = text.slice(end);
  return !/[^=\s]/.test(tail) && tail.split("=", 4).length <= 3;
}

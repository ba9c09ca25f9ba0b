import { Refusal } from "@/lib/errors";
import { demandUploadSize } from "./inspect";

/** Whether an address carries its image in itself. White space and control characters do not count, as in browsers. */
export function isDataUri(address: string): boolean {
  return /^[\0-\x20]*data:/i.test(address.slice(0, 100).replace(/[\0-\x20\x7f]+/g, ""));
}

/**
 * The bytes of a data URI (RFC 2397) in base64; what type they are is for `inspectImage` to say.
 * @throws Refusal upload_type, upload_damaged, upload_too_large, naming `field`
 */
export function bytesOfDataUri(address: string, field: string): Buffer {
  const comma = address.indexOf(",");
  const head = address.slice(0, Math.min(comma, 200)).replace(/[\0-\x20\x7f]+/g, "");
  if (!/^data:image\/(png|jpeg|jpg|gif|webp)(;[^;,]+)*;base64$/i.test(head)) {
    throw new Refusal("upload_type", "Images inside a text are PNG, JPEG, GIF or WebP in base64.", { field });
  }
  // Before decoding: four characters are three bytes.
  demandUploadSize(Math.floor(((address.length - comma - 1) / 4) * 3) - 2, field);
  const text = address.slice(comma + 1);
  if (!/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(text)) {
    throw new Refusal("upload_damaged", "The image is not valid base64.", { field });
  }
  return Buffer.from(text, "base64");
}

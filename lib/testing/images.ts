import { crc32, deflateSync } from "node:zlib";
import type { UploadType } from "@/lib/contract/limits";

/** Images for tests: whole as far as anybody looks who does not decode them, of any dimensions they claim. */

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const crc = Buffer.alloc(4);
  crc.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, crc]);
}

/** A PNG of one grey; its data is that of a 1 × 1 image whatever it claims. @param seed makes its bytes differ */
export function png(width = 1, height = 1, seed = 0): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.from([0, seed % 256]))),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

export function jpeg(width = 1, height = 1): Buffer {
  const frame = Buffer.from([0xff, 0xc0, 0, 11, 8, height >> 8, height, width >> 8, width, 1, 1, 0x11, 0]);
  const app0 = Buffer.from([0xff, 0xe0, 0, 16, ...Buffer.from("JFIF\0"), 1, 1, 0, 0, 1, 0, 1, 0, 0]);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), app0, frame, Buffer.from([0xff, 0xd9])]);
}

export function gif(width = 1, height = 1): Buffer {
  const screen = Buffer.from([width, width >> 8, height, height >> 8, 0, 0, 0]);
  const image = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]);
  return Buffer.concat([Buffer.from("GIF89a"), screen, image, Buffer.from([0x3b])]);
}

export function webp(width = 1, height = 1): Buffer {
  const [w, h] = [width - 1, height - 1];
  const canvas = Buffer.from([0, 0, 0, 0, w, w >> 8, w >> 16, h, h >> 8, h >> 16]);
  const body = Buffer.concat([Buffer.from("WEBPVP8X"), Buffer.from([10, 0, 0, 0]), canvas]);
  const size = Buffer.alloc(4);
  size.writeUInt32LE(body.length);
  return Buffer.concat([Buffer.from("RIFF"), size, body]);
}

/** One of each type an upload may have. */
export const images: Readonly<Record<UploadType, Buffer>> = {
  "image/png": png(),
  "image/jpeg": jpeg(),
  "image/gif": gif(),
  "image/webp": webp(),
};

export const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');

export function dataUri(bytes: Uint8Array, type = "image/png"): string {
  return `data:${type};base64,${Buffer.from(bytes).toString("base64")}`;
}

/** A PNG with more data, of as many bytes as wanted. */
export function padded(image: Buffer, length: number): Buffer {
  const end = image.length - 12;
  const more = chunk("IDAT", Buffer.alloc(length - image.length - 12));
  return Buffer.concat([image.subarray(0, end), more, image.subarray(end)]);
}

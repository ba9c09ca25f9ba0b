import { cleanProfile, orientationExif, orientationOf } from "./metadata";
import { type CleanImage, DamagedImage, Reader } from "./parts";

/** Flags of VP8X (WebP container specification). */
const [hasProfile, hasExif, hasXmp] = [0x20, 0x08, 0x04];
/** Chunks of the image and its animation, and of a frame. */
const kept = new Set(["VP8 ", "VP8L", "VP8X", "ANIM", "ANMF", "ALPH"]);
const keptInFrame = new Set(["VP8 ", "VP8L", "ALPH"]);

/** @throws DamagedImage */
export function cleanWebp(bytes: Buffer): CleanImage {
  // Drops data after the declared length.
  const reader = new Reader(bytes.subarray(0, bytes.readUInt32LE(4) + 8));
  reader.take(12);
  const parts: Buffer[] = [];
  let size: { width: number; height: number } | null = null;
  let header: Buffer | null = null;
  let exif: Buffer | null = null;
  for (const { type, data } of chunks(reader)) {
    size ??= sizeOf(type, data);
    if (type === "VP8X") {
      if (header || data.length < 10) throw new DamagedImage("the image does not have one header");
      header = Buffer.from(data.subarray(0, 10));
      header[0] = (header[0] ?? 0) & ~(hasProfile | hasExif | hasXmp);
      parts.push(chunk(type, header));
    } else if (type === "ICCP" && header) {
      const profile = cleanProfile(data);
      if (profile) parts.push(chunk(type, profile));
    } else if (type === "EXIF") {
      const orientation = orientationOf(withoutMark(data));
      exif = orientation === null ? null : orientationExif(orientation);
    } else if (type === "ANMF") parts.push(chunk(type, frame(data)));
    else if (kept.has(type)) parts.push(chunk(type, data));
  }
  if (!size) throw new DamagedImage("the image has no size");
  if (header && exif) parts.push(chunk("EXIF", exif));
  const body = Buffer.concat(parts);
  if (header) {
    // The header is the first chunk: its flags follow its name and length.
    const profile = body.indexOf("ICCP", 0, "latin1") === 18 ? hasProfile : 0;
    body[8] = (body[8] ?? 0) | profile | (exif ? hasExif : 0);
  }
  const head = Buffer.alloc(12);
  head.write("RIFF", 0, "latin1");
  head.writeUInt32LE(body.length + 4, 4);
  head.write("WEBP", 8, "latin1");
  return { bytes: Buffer.concat([head, body]), ...size };
}

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

function* chunks(reader: Reader): Generator<Chunk> {
  while (reader.bytes.length - reader.at >= 8) {
    reader.nextPart();
    const type = reader.take(4).toString("latin1");
    const length = reader.take(4).readUInt32LE();
    const data = reader.take(length);
    if (length % 2 === 1 && !reader.ended) reader.take(1);
    yield { type, data };
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const head = Buffer.alloc(8);
  head.write(type, 0, "latin1");
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat(data.length % 2 === 1 ? [head, data, Buffer.alloc(1)] : [head, data]);
}

/** Keeps the position and pixels of an animation's frame. */
function frame(data: Buffer): Buffer {
  const reader = new Reader(data);
  const parts = [reader.take(16)];
  for (const { type, data: drawn } of chunks(reader)) {
    if (keptInFrame.has(type)) parts.push(chunk(type, drawn));
  }
  return Buffer.concat(parts);
}

/** Removes the JPEG prefix that some encoders put before the TIFF header. */
function withoutMark(data: Buffer): Buffer {
  return data.toString("latin1", 0, 6) === "Exif\0\0" ? data.subarray(6) : data;
}

function sizeOf(type: string, data: Buffer): { width: number; height: number } | null {
  if (type === "VP8X" && data.length >= 10) {
    return { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 };
  }
  if (type === "VP8 " && data.length >= 10) {
    return { width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
  }
  if (type === "VP8L" && data.length >= 5) {
    const bits = data.readUInt32LE(1);
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
  }
  return null;
}

import { cleanProfile, maxProfile, orientationExif, orientationOf } from "./metadata";
import { type CleanImage, DamagedImage, Reader } from "./parts";

const profileMark = Buffer.from("ICC_PROFILE\0", "latin1");

/** Markers by their second byte (ISO/IEC 10918-1, B.1.1.3). */
const [SOI, EOI, SOS, APP0, APP1, APP2, APP14, APP15, COM] = [
  0xd8, 0xd9, 0xda, 0xe0, 0xe1, 0xe2, 0xee, 0xef, 0xfe,
];

/** @throws DamagedImage */
export function cleanJpeg(bytes: Buffer): CleanImage {
  const reader = new Reader(bytes);
  const parts: Uint8Array[] = [];
  const profile: Uint8Array[] = [];
  let orientation: number | null = null;
  let size: { width: number; height: number } | null = null;
  reader.take(2);
  while (!reader.ended) {
    reader.nextPart();
    const marker = markerOf(reader);
    if (marker === EOI) break;
    if (marker === SOI || marker === 0x01 || isRestart(marker)) continue;
    const from = reader.at;
    const length = reader.take(2).readUInt16BE();
    if (length < 2) throw new DamagedImage("a segment is shorter than its header");
    const data = reader.take(length - 2);
    if (isFrame(marker)) {
      if (size || data.length < 5) throw new DamagedImage("the image does not have one frame");
      size = { height: data.readUInt16BE(1), width: data.readUInt16BE(3) };
    }
    if (marker === APP1) orientation ??= exifOrientation(data);
    else if (marker === APP2 && data.subarray(0, 12).equals(profileMark)) profile.push(data.subarray(14));
    else if (marker === APP0) parts.push(...jfif(data));
    else if (marker === APP14) parts.push(...adobe(data));
    else if (marker === SOS) parts.push(segment(marker, data), scan(reader));
    else if (!(marker > APP0 && marker <= APP15) && marker !== COM) {
      parts.push(Buffer.from([0xff, marker]), bytes.subarray(from, reader.at));
    }
  }
  if (!size) throw new DamagedImage("the image has no frame");
  const head: Uint8Array[] = [Buffer.from([0xff, SOI])];
  if (orientation !== null) {
    const exif = Buffer.concat([Buffer.from("Exif\0\0", "latin1"), orientationExif(orientation)]);
    head.push(segment(APP1, exif));
  }
  return {
    bytes: Buffer.concat([...head, ...profileSegments(profile), ...parts, Buffer.from([0xff, EOI])]),
    ...size,
  };
}

/** Reads the next marker and skips fill bytes. */
function markerOf(reader: Reader): number {
  const { bytes, at: from } = reader;
  if (bytes[from] !== 0xff) throw new DamagedImage("a marker is missing");
  let at = from + 1;
  while (bytes[at] === 0xff) at += 1;
  reader.skipTo(at);
  return reader.byte();
}

const isRestart = (marker: number) => marker >= 0xd0 && marker <= 0xd7;
/** Start of a frame: not tables (C4), extensions (C8) or arithmetic conditioning (CC). */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

function segment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
}

/** Reads coded data up to the next marker. It may be incomplete: browsers show what there is. */
function scan(reader: Reader): Buffer {
  const { bytes, at: from } = reader;
  let at = from;
  while (at < bytes.length) {
    if (bytes[at] === 0xff) {
      const next = bytes[at + 1] ?? 0;
      if (next !== 0 && next !== 0xff && !isRestart(next)) break;
    }
    at += 1;
  }
  reader.skipTo(at);
  return bytes.subarray(from, at);
}

function exifOrientation(data: Buffer): number | null {
  return data.toString("latin1", 0, 6) === "Exif\0\0" ? orientationOf(data.subarray(6)) : null;
}

/** Keeps version and density, not the thumbnail. */
function jfif(data: Buffer): Buffer[] {
  if (data.length < 14 || data.toString("latin1", 0, 5) !== "JFIF\0") return [];
  return [segment(APP0, Buffer.concat([data.subarray(0, 12), Buffer.from([0, 0])]))];
}

/** Keeps the color transform. */
function adobe(data: Buffer): Buffer[] {
  const isAdobe = data.length >= 12 && data.toString("latin1", 0, 5) === "Adobe";
  return isAdobe ? [segment(APP14, data.subarray(0, 12))] : [];
}

/** Cleans the profile and splits it into segments. */
function profileSegments(pieces: readonly Uint8Array[]): Buffer[] {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const clean = length > 0 && length <= maxProfile ? cleanProfile(Buffer.concat(pieces)) : null;
  if (!clean) return [];
  const maxBytes = 0xffff - 2 - 14;
  const count = Math.ceil(clean.length / maxBytes);
  return Array.from({ length: count }, (_, index) =>
    segment(
      APP2,
      Buffer.concat([
        profileMark,
        Buffer.from([index + 1, count]),
        clean.subarray(index * maxBytes, (index + 1) * maxBytes),
      ]),
    ),
  );
}

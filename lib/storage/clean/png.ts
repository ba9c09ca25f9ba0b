import { promisify } from "node:util";
import { crc32, deflate, inflate } from "node:zlib";
import { cleanProfile, maxProfile, orientationExif, orientationOf } from "./metadata";
import { type CleanImage, DamagedImage, Reader } from "./parts";

/** Chunks of the image, its animation and its colors (PNG 3, 11). */
const kept = new Set([
  ...["IHDR", "PLTE", "IDAT", "IEND", "tRNS", "acTL", "fcTL", "fdAT"],
  ...["gAMA", "cHRM", "sRGB", "sBIT", "cICP", "mDCV", "cLLI", "bKGD", "pHYs"],
]);

/** @throws DamagedImage */
export async function cleanPng(bytes: Buffer): Promise<CleanImage> {
  const reader = new Reader(bytes);
  reader.skip(8);
  const parts = [bytes.subarray(0, 8)];
  let size = { width: 0, height: 0 };
  let profile: Buffer | null = null;
  let profileAt = 0;
  for (let type = ""; type !== "IEND"; ) {
    reader.nextPart();
    const from = reader.at;
    reader.skip(8);
    const named = bytes.toString("latin1", from + 4, reader.at);
    const length = bytes.readUInt32BE(from);
    // With its checksum.
    reader.skip(length + 4);
    const data = () => bytes.subarray(from + 8, from + 8 + length);
    if ((type === "") !== (named === "IHDR")) throw new DamagedImage("the header is not the first chunk");
    type = named;
    if (type === "IHDR") size = sizeOf(data());
    if (type === "eXIf") {
      const orientation = orientationOf(data());
      if (orientation !== null) parts.push(chunk("eXIf", orientationExif(orientation)));
    } else if (type === "iCCP") {
      profile = data();
      profileAt = parts.length;
    } else if (kept.has(type)) parts.push(bytes.subarray(from, reader.at));
  }
  const clean = profile && (await cleanCompressedProfile(profile));
  if (clean) parts.splice(profileAt, 0, chunk("iCCP", clean));
  return { bytes: Buffer.concat(parts), ...size };
}

function sizeOf(header: Buffer): { width: number; height: number } {
  if (header.length < 8) throw new DamagedImage("the header is too short");
  return { width: header.readUInt32BE(0), height: header.readUInt32BE(4) };
}

/** Cleans an iCCP chunk: name, NUL, method, compressed profile. Returns null if it is invalid. */
async function cleanCompressedProfile(data: Buffer): Promise<Buffer | null> {
  const end = data.subarray(0, 80).indexOf(0);
  if (end < 0) return null;
  try {
    const plain = await promisify(inflate)(data.subarray(end + 2), { maxOutputLength: maxProfile });
    const clean = cleanProfile(plain);
    return clean && Buffer.concat([Buffer.from("icc\0\0", "latin1"), await promisify(deflate)(clean)]);
  } catch {
    return null;
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}

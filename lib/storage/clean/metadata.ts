const orientationTag = 0x0112;
/** Maximum directory entries to read. */
const maxEntries = 200;

/** Reads how to rotate an image, 2 to 8 (TIFF 6.0, Orientation); null for not at all. @param tiff EXIF from its TIFF header */
export function orientationOf(tiff: Buffer): number | null {
  if (tiff.length < 14) return null;
  const order = tiff.toString("latin1", 0, 2);
  if (order !== "II" && order !== "MM") return null;
  const [short, long] =
    order === "II"
      ? [(at: number) => tiff.readUInt16LE(at), (at: number) => tiff.readUInt32LE(at)]
      : [(at: number) => tiff.readUInt16BE(at), (at: number) => tiff.readUInt32BE(at)];
  const directory = long(4);
  if (directory + 2 > tiff.length) return null;
  const entries = Math.min(short(directory), maxEntries);
  for (let entry = 0; entry < entries; entry += 1) {
    const at = directory + 2 + entry * 12;
    if (at + 12 > tiff.length) return null;
    if (short(at) !== orientationTag) continue;
    const value = short(at + 8);
    return value >= 2 && value <= 8 ? value : null;
  }
  return null;
}

/** Makes EXIF, from its TIFF header, that contains only the orientation. */
export function orientationExif(orientation: number): Buffer {
  const tiff = Buffer.alloc(26);
  tiff.write("MM", 0, "latin1");
  tiff.writeUInt16BE(42, 2);
  tiff.writeUInt32BE(8, 4);
  tiff.writeUInt16BE(1, 8);
  tiff.writeUInt16BE(orientationTag, 10);
  tiff.writeUInt16BE(3, 12);
  tiff.writeUInt32BE(1, 14);
  tiff.writeUInt16BE(orientation, 18);
  return tiff;
}

/** Maximum bytes of a color profile to keep. */
export const maxProfile = 1024 * 1024;
const headerBytes = 128;

/** Tags that define colors (ICC.1:2022, 9); all others are text, names and private data. */
const colorTags = new Set([
  ...["rXYZ", "gXYZ", "bXYZ", "wtpt", "bkpt", "rTRC", "gTRC", "bTRC", "kTRC", "chad", "chrm", "lumi", "cicp"],
  ...["A2B0", "A2B1", "A2B2", "B2A0", "B2A1", "B2A2", "D2B0", "D2B1", "D2B2", "B2D0", "B2D1", "B2D2", "gamt"],
]);
/** Header fields to erase: date, device maker and model, profile creator, digest. */
const erased: readonly (readonly [number, number])[] = [
  [24, 36],
  [48, 56],
  [80, 84],
  [84, 100],
];

/** Removes everything from a color profile but its color definitions; null if it is invalid. */
export function cleanProfile(profile: Buffer): Buffer | null {
  if (profile.length < headerBytes + 4 || profile.length > maxProfile) return null;
  if (profile.toString("latin1", 36, 40) !== "acsp") return null;
  const count = profile.readUInt32BE(headerBytes);
  if (count > 200 || headerBytes + 4 + count * 12 > profile.length) return null;
  // Bytes that no kept tag references stay zero.
  const clean = Buffer.alloc(profile.length);
  profile.copy(clean, 0, 0, headerBytes);
  for (const [from, to] of erased) clean.fill(0, from, to);
  let kept = 0;
  for (let index = 0; index < count; index += 1) {
    const at = headerBytes + 4 + index * 12;
    const [offset, size] = [profile.readUInt32BE(at + 4), profile.readUInt32BE(at + 8)];
    if (!colorTags.has(profile.toString("latin1", at, at + 4)) || offset + size > profile.length) continue;
    profile.copy(clean, headerBytes + 4 + kept * 12, at, at + 12);
    profile.copy(clean, offset, offset, offset + size);
    kept += 1;
  }
  clean.writeUInt32BE(kept, headerBytes);
  return clean;
}

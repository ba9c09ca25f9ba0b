const orientationTag = 0x0112;
/** Entries of a directory that are looked at. */
const maxEntries = 200;

/** How a picture is to be turned, 2 to 8 (TIFF 6.0, Orientation); null for not at all. @param tiff EXIF from its TIFF header */
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

/** EXIF that says which way is up, and nothing else; from its TIFF header. */
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

/** Largest colour profile that is kept, in bytes. */
export const maxProfile = 1024 * 1024;
const headerBytes = 128;

/** Elements that say what colours mean (ICC.1:2022, 9); everything else is texts, names and private data. */
const colour = new Set([
  ...["rXYZ", "gXYZ", "bXYZ", "wtpt", "bkpt", "rTRC", "gTRC", "bTRC", "kTRC", "chad", "chrm", "lumi", "cicp"],
  ...["A2B0", "A2B1", "A2B2", "B2A0", "B2A1", "B2A2", "D2B0", "D2B1", "D2B2", "B2D0", "B2D1", "B2D2", "gamt"],
]);
/** Of the header: date, maker and model of the device, who made the profile, its digest. */
const nameless: readonly (readonly [number, number])[] = [
  [24, 36],
  [48, 56],
  [80, 84],
  [84, 100],
];

/** A colour profile that says what colours mean, but not what its screen or camera is called; null for none. */
export function cleanProfile(profile: Buffer): Buffer | null {
  if (profile.length < headerBytes + 4 || profile.length > maxProfile) return null;
  if (profile.toString("latin1", 36, 40) !== "acsp") return null;
  const count = profile.readUInt32BE(headerBytes);
  if (count > 200 || headerBytes + 4 + count * 12 > profile.length) return null;
  // What no element that is kept points at stays zero.
  const clean = Buffer.alloc(profile.length);
  profile.copy(clean, 0, 0, headerBytes);
  for (const [from, to] of nameless) clean.fill(0, from, to);
  let kept = 0;
  for (let element = 0; element < count; element += 1) {
    const at = headerBytes + 4 + element * 12;
    const [offset, size] = [profile.readUInt32BE(at + 4), profile.readUInt32BE(at + 8)];
    if (!colour.has(profile.toString("latin1", at, at + 4)) || offset + size > profile.length) continue;
    profile.copy(clean, headerBytes + 4 + kept * 12, at, at + 12);
    profile.copy(clean, offset, offset, offset + size);
    kept += 1;
  }
  clean.writeUInt32BE(kept, headerBytes);
  return clean;
}

/** Raster image types by their first bytes (WHATWG MIME Sniffing, 6.1; AVIF by its file type box). */
const signatures = [
  { type: "image/png", at: 0, bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { type: "image/jpeg", at: 0, bytes: [0xff, 0xd8, 0xff] },
  { type: "image/gif", at: 0, bytes: ascii("GIF87a") },
  { type: "image/gif", at: 0, bytes: ascii("GIF89a") },
  { type: "image/webp", at: 8, bytes: ascii("WEBPVP") },
  { type: "image/avif", at: 4, bytes: ascii("ftypavif") },
  { type: "image/x-icon", at: 0, bytes: [0x00, 0x00, 0x01, 0x00] },
  { type: "image/bmp", at: 0, bytes: [0x42, 0x4d] },
];

function ascii(text: string): readonly number[] {
  return [...new TextEncoder().encode(text)];
}

/** Bytes that `rasterType` needs. */
export const rasterHeadBytes = 16;

/** Returns the media type of a raster image by its first bytes; null for anything else, in particular SVG. */
export function rasterType(head: Uint8Array): string | null {
  const found = signatures.find(({ at, bytes }) => bytes.every((byte, index) => head[at + index] === byte));
  return found?.type ?? null;
}

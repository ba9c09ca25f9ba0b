/**
 * How a file of an export begins in its ZIP: signature, version, flags and method of a local header (APPNOTE 4.3.7), as
 * client-zip writes them. Ten bytes, so that no picture or text has them by chance.
 */
const HEADER = [0x50, 0x4b, 0x03, 0x04, 0x2d, 0x00, 0x08, 0x08, 0x00, 0x00] as const;

/**
 * Returns a function that takes an export part by part and returns how many of its files have begun. An archive that is made
 * while it is sent does not say its length before.
 */
export function exportBegins(): (part: Uint8Array) => number {
  let begun = 0;
  /** Number of bytes of a header that the bytes so far end with. */
  let matched = 0;
  return (part) => {
    for (let at = 0; at < part.length; at += 1) {
      // Skips what cannot be a header: most of an archive is pictures.
      if (matched === 0) {
        at = part.indexOf(HEADER[0], at);
        if (at === -1) break;
      }
      const byte = part[at];
      // No byte after the first equals it, so a header can only begin anew here.
      matched = byte === HEADER[matched] ? matched + 1 : byte === HEADER[0] ? 1 : 0;
      if (matched === HEADER.length) {
        begun += 1;
        matched = 0;
      }
    }
    return begun;
  };
}

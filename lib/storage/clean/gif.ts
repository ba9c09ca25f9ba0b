import { type CleanImage, DamagedImage, Reader } from "./parts";

const [extension, image, trailer] = [0x21, 0x2c, 0x3b];
const [graphicControl, application] = [0xf9, 0xff];
/** Application extensions that store how often an animation loops. */
const loops = ["NETSCAPE2.0", "ANIMEXTS1.0"];

/** @throws DamagedImage */
export function cleanGif(bytes: Buffer): CleanImage {
  const reader = new Reader(bytes);
  const parts = [reader.take(6)];
  const screen = reader.take(7);
  let [width, height] = [screen.readUInt16LE(0), screen.readUInt16LE(2)];
  parts.push(screen, reader.take(tableBytes(screen.readUInt8(4))));
  while (!reader.ended) {
    reader.nextPart();
    const from = reader.at;
    const kind = reader.byte();
    if (kind === trailer) break;
    if (kind === image) {
      const frame = reader.take(9);
      // A frame outside the screen enlarges the image.
      width = Math.max(width, frame.readUInt16LE(0) + frame.readUInt16LE(4));
      height = Math.max(height, frame.readUInt16LE(2) + frame.readUInt16LE(6));
      reader.take(tableBytes(frame.readUInt8(8)) + 1);
      skipBlocks(reader);
      parts.push(bytes.subarray(from, reader.at));
    } else if (kind === extension) {
      const label = reader.byte();
      const name = bytes.toString("latin1", reader.at + 1, reader.at + 12);
      skipBlocks(reader);
      const isLoop = label === application && loops.includes(name);
      if (label === graphicControl) parts.push(bytes.subarray(from, reader.at));
      else if (isLoop) parts.push(loopOf(bytes.subarray(from, reader.at)));
    } else throw new DamagedImage("unknown block");
  }
  parts.push(Buffer.from([trailer]));
  return { bytes: Buffer.concat(parts), width, height };
}

/** Returns the length of a color table from its flags byte. */
function tableBytes(flags: number): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0;
}

function skipBlocks(reader: Reader): void {
  const { bytes } = reader;
  let at = reader.at;
  for (;;) {
    const length = bytes[at];
    if (length === undefined) throw new DamagedImage("the image is incomplete");
    at += 1 + length;
    if (length === 0) break;
  }
  reader.skipTo(at);
}

/** Returns the extension with only its name and count. */
function loopOf(block: Buffer): Buffer {
  const counted = block.length >= 18 && block[14] === 3;
  return counted ? Buffer.concat([block.subarray(0, 18), Buffer.from([0])]) : Buffer.alloc(0);
}

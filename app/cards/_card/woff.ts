import { promisify } from "node:util";
import { inflate } from "node:zlib";

const inflated = promisify(inflate);

const headerBytes = 44;
const entryBytes = 20;

interface Table {
  readonly tag: string;
  readonly checksum: number;
  readonly data: Uint8Array;
}

/**
 * A font out of its web packaging (WOFF 1.0), for programs that read none: the same tables, inflated and listed anew.
 * Only for fonts that this program ships.
 */
export async function unpackWoff(woff: Buffer): Promise<Buffer> {
  if (woff.toString("latin1", 0, 4) !== "wOFF") throw new Error("not a WOFF 1.0 font");
  const count = woff.readUInt16BE(12);
  const tables = await Promise.all(Array.from({ length: count }, (_, i) => readTable(woff, i)));

  const power = 2 ** Math.floor(Math.log2(count));
  const head = Buffer.alloc(12 + 16 * count);
  woff.copy(head, 0, 4, 8);
  head.writeUInt16BE(count, 4);
  head.writeUInt16BE(power * 16, 6);
  head.writeUInt16BE(Math.log2(power), 8);
  head.writeUInt16BE((count - power) * 16, 10);
  const parts: Uint8Array[] = [head];
  let offset = head.length;
  for (const [index, { tag, checksum, data }] of tables.entries()) {
    const at = 12 + 16 * index;
    head.write(tag, at, "latin1");
    head.writeUInt32BE(checksum, at + 4);
    head.writeUInt32BE(offset, at + 8);
    head.writeUInt32BE(data.length, at + 12);
    // Tables begin at multiples of four.
    const padding = new Uint8Array((4 - (data.length % 4)) % 4);
    parts.push(data, padding);
    offset += data.length + padding.length;
  }
  return Buffer.concat(parts);
}

async function readTable(woff: Buffer, index: number): Promise<Table> {
  const at = headerBytes + index * entryBytes;
  const [offset, packed, length] = [
    woff.readUInt32BE(at + 4),
    woff.readUInt32BE(at + 8),
    woff.readUInt32BE(at + 12),
  ];
  const bytes = woff.subarray(offset, offset + packed);
  return {
    tag: woff.toString("latin1", at, at + 4),
    checksum: woff.readUInt32BE(at + 16),
    data: packed < length ? await inflated(bytes) : bytes,
  };
}

/**
 * Just enough MessagePack (msgpack.org, spec.md) to read a compiled circuit, with the place of every value kept:
 * a program with a hint taken out must be, byte for byte, the committed one elsewhere.
 */

/** A decoded value, and where it stands in the bytes it was read from. */
export type Packed =
  | { kind: "nil"; start: number; end: number }
  | { kind: "boolean"; value: boolean; start: number; end: number }
  | { kind: "integer"; value: bigint; start: number; end: number }
  | { kind: "text"; value: string; start: number; end: number }
  | { kind: "bytes"; value: Uint8Array; start: number; end: number }
  | { kind: "list"; items: Packed[]; start: number; end: number }
  | { kind: "map"; entries: [Packed, Packed][]; start: number; end: number };

/** Reads one value. @throws RangeError when the bytes end early or hold a type that circuits do not use. */
export function unpack(bytes: Uint8Array, start: number): Packed {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = start;

  const uint = (size: 1 | 2 | 4): number => {
    const from = at;
    at += size;
    if (size === 1) return view.getUint8(from);
    return size === 2 ? view.getUint16(from) : view.getUint32(from);
  };
  const slice = (length: number): Uint8Array => {
    if (at + length > bytes.length) throw new RangeError("msgpack: the bytes end early");
    at += length;
    return bytes.subarray(at - length, at);
  };

  const text = (from: number, length: number): Packed => ({
    kind: "text",
    value: Buffer.from(slice(length)).toString("utf8"),
    start: from,
    end: at,
  });
  const list = (from: number, length: number): Packed => {
    const items = Array.from({ length }, read);
    return { kind: "list", items, start: from, end: at };
  };
  const map = (from: number, length: number): Packed => {
    const entries = Array.from({ length }, (): [Packed, Packed] => [read(), read()]);
    return { kind: "map", entries, start: from, end: at };
  };
  const integer = (from: number, value: bigint): Packed => ({
    kind: "integer",
    value,
    start: from,
    end: at,
  });
  const binary = (from: number, length: number): Packed => ({
    kind: "bytes",
    value: slice(length),
    start: from,
    end: at,
  });

  function read(): Packed {
    const from = at;
    const tag = uint(1);
    if (tag < 0x80) return integer(from, BigInt(tag));
    if (tag < 0x90) return map(from, tag & 0x0f);
    if (tag < 0xa0) return list(from, tag & 0x0f);
    if (tag < 0xc0) return text(from, tag & 0x1f);
    switch (tag) {
      case 0xc0:
        return { kind: "nil", start: from, end: at };
      case 0xc2:
      case 0xc3:
        return { kind: "boolean", value: tag === 0xc3, start: from, end: at };
      case 0xc4:
        return binary(from, uint(1));
      case 0xc5:
        return binary(from, uint(2));
      case 0xc6:
        return binary(from, uint(4));
      case 0xcc:
        return integer(from, BigInt(uint(1)));
      case 0xcd:
        return integer(from, BigInt(uint(2)));
      case 0xce:
        return integer(from, BigInt(uint(4)));
      case 0xcf:
        return integer(from, (BigInt(uint(4)) << 32n) | BigInt(uint(4)));
      case 0xd9:
        return text(from, uint(1));
      case 0xda:
        return text(from, uint(2));
      case 0xdc:
        return list(from, uint(2));
      case 0xdd:
        return list(from, uint(4));
      case 0xde:
        return map(from, uint(2));
      default:
        throw new RangeError(`msgpack: unexpected type 0x${tag.toString(16)}`);
    }
  }
  return read();
}

/** The items of a list. */
export function items(value: Packed | undefined): Packed[] {
  if (value?.kind !== "list") throw new RangeError(`msgpack: a list was expected, not ${value?.kind}`);
  return value.items;
}

/** A whole number that fits a `number`. */
export function count(value: Packed | undefined): number {
  if (value?.kind !== "integer") throw new RangeError(`msgpack: a number was expected, not ${value?.kind}`);
  return Number(value.value);
}

/** A text. */
export function name(value: Packed | undefined): string {
  if (value?.kind !== "text") throw new RangeError(`msgpack: a text was expected, not ${value?.kind}`);
  return value.value;
}

/** The one entry of an enum variant. A variant without fields is its name alone. */
export function variant(value: Packed | undefined): [string, Packed | undefined] {
  if (value?.kind === "text") return [value.value, undefined];
  const [entry, ...rest] = value?.kind === "map" ? value.entries : [];
  if (!entry || rest.length > 0) throw new RangeError("msgpack: a variant was expected");
  return [name(entry[0]), entry[1]];
}

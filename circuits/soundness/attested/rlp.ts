/** RLP as the tests write it: any encoding, the only right one or another (Ethereum Yellow Paper, appendix B). */

/** The encoded items of a list of short items, in order. */
export function itemsOf(payload: Uint8Array): Uint8Array[] {
  const items: Uint8Array[] = [];
  // Type byte and the head of a list of up to 55, or of up to 255 bytes.
  let at = (payload[1] ?? 0) <= 0xf7 ? 2 : 3;
  while (at < payload.length) {
    const head = payload[at] ?? 0;
    const size = head < 0x80 ? 1 : 1 + (head < 0xc0 ? head - 0x80 : head - 0xc0);
    items.push(payload.slice(at, at + size));
    at += size;
  }
  return items;
}

/** The payload of encoded items: type byte, head, items. */
export function wrapped(items: readonly Uint8Array[], type = 2): Uint8Array {
  const body = items.flatMap((item) => [...item]);
  const head = body.length < 56 ? [0xc0 + body.length] : [0xf8, body.length];
  return Uint8Array.from([type, ...head, ...body]);
}

/** A string with its one-byte head. */
export function string(...bytes: number[]): Uint8Array {
  return Uint8Array.from([0x80 + bytes.length, ...bytes]);
}

/** Order of the fields of an EIP-1559 payload. */
const FIELDS = [
  "chainId",
  "nonce",
  "priorityFee",
  "fee",
  "gas",
  "to",
  "value",
  "data",
  "accessList",
] as const;
export type Field = (typeof FIELDS)[number];

/** A change of one field's encoding; the list's head follows. */
export function withField(field: Field, change: (honest: Uint8Array) => Uint8Array) {
  return (payload: Uint8Array): Uint8Array =>
    wrapped(itemsOf(payload).map((item, i) => (FIELDS[i] === field ? change(item) : item)));
}

/** One byte of the payload set. */
export function withByte(index: number, change: (byte: number) => number) {
  return (payload: Uint8Array): Uint8Array =>
    payload.map((byte, i) => (i === (index + payload.length) % payload.length ? change(byte) : byte));
}

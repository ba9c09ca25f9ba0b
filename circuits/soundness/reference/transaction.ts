/**
 * The unsigned payload of an EIP-1559 transaction, read by the book: RLP (Yellow Paper, appendix B), EIP-2718 and
 * EIP-1559. What an attestation must be beyond that is the design page's rule 7.
 */

/** What a circuit's attester must be called with. */
export interface Call {
  chainId: bigint;
  contract: string;
  selector: string;
}

/** What an attestation transaction says. */
export interface Attested {
  /** The 12 bytes between selector and account. */
  middle: Uint8Array;
  account: string;
}

/** A decoded RLP item. */
type Item = Uint8Array | Item[];

class NotCanonical extends Error {}

function need(condition: boolean, what: string): asserts condition {
  if (!condition) throw new NotCanonical(what);
}

/** One item in its only encoding, and where it ends. */
function decode(bytes: Uint8Array, start: number): [Item, number] {
  const head = bytes[start];
  need(head !== undefined, "the bytes end");
  if (head < 0x80) return [bytes.slice(start, start + 1), start + 1];
  const isList = head >= 0xc0;
  const short = isList ? head - 0xc0 : head - 0x80;
  let [from, length] = [start + 1, short];
  if (short > 55) {
    const size = short - 55;
    length = 0;
    for (let i = 0; i < size; i++) length = length * 256 + (bytes[start + 1 + i] ?? 0);
    from += size;
    need(bytes[start + 1] !== 0 && length > 55, "a length is not minimal");
  }
  const end = from + length;
  need(end <= bytes.length, "the bytes end");
  if (!isList) {
    const only = bytes[from];
    need(length !== 1 || (only !== undefined && only >= 0x80), "a small byte is its own encoding");
    return [bytes.slice(from, end), end];
  }
  const items: Item[] = [];
  for (let at = from; at < end; ) {
    const [item, next] = decode(bytes.subarray(0, end), at);
    items.push(item);
    at = next;
  }
  return [items, end];
}

function integer(item: Item | undefined, most: number): bigint {
  need(item instanceof Uint8Array, "a list is no number");
  need(item.length <= most, "a number is too large");
  need(item[0] !== 0, "a number has a leading zero");
  return item.length === 0 ? 0n : BigInt(`0x${Buffer.from(item).toString("hex")}`);
}

function text(item: Item | undefined): string {
  need(item instanceof Uint8Array, "a list is no string");
  return Buffer.from(item).toString("hex");
}

/** What the payload attests, or null when it is not an attestation by this call. */
export function readAttestation(payload: Uint8Array, call: Call): Attested | null {
  try {
    need(payload.length <= 135, "longer than a block");
    need(payload[0] === 2, "not of type 2");
    const [list, end] = decode(payload, 1);
    need(end === payload.length, "bytes after the list");
    need(Array.isArray(list) && list.length === 9, "nine fields");
    const [chainId, nonce, priority, fee, gas, to, value, data, access] = list;
    need(integer(chainId, 8) === call.chainId, "another chain");
    for (const [item, most] of [
      [nonce, 8],
      [priority, 32],
      [fee, 32],
      [gas, 8],
    ] as const)
      integer(item, most);
    need(text(to) === call.contract.slice(2).toLowerCase(), "another contract");
    need(integer(value, 32) === 0n, "it carries ether");
    need(Array.isArray(access) && access.length === 0, "it has an access list");
    need(data instanceof Uint8Array && data.length === 36, "the data have another length");
    need(text(data).startsWith(call.selector.slice(2).toLowerCase()), "another function");
    return { middle: data.slice(4, 16), account: `0x${Buffer.from(data.slice(16)).toString("hex")}` };
  } catch (error) {
    if (error instanceof NotCanonical) return null;
    throw error;
  }
}

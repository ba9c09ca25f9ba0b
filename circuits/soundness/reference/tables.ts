/**
 * The tables of the compiled circuits, written a second time from what they mean. The circuits' own are made at compile time by
 * `lib/{base64url,json_claims,email_address,sha256_tail,keccak256}`.
 */

const byBytes = (of: (byte: number, char: string) => bigint) =>
  Array.from({ length: 256 }, (_, byte) => of(byte, String.fromCharCode(byte)));

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** RFC 4648, 5: six bits each; nothing for NUL and the dot before the payload; 2^32 for what is not in the alphabet. */
const values = byBytes((_, char) => {
  if (char === "\0" || char === ".") return 0n;
  return ALPHABET.includes(char) ? BigInt(ALPHABET.indexOf(char)) : 1n << 32n;
});

/** The weight of character i of seven in a group that begins at a phase. */
const weights = Array.from({ length: 7 }, (_, i) =>
  [0, 1, 2, 3].map((phase) => (i >= phase && i < phase + 4 ? 64n ** BigInt(3 - (i - phase)) : 0n)),
);

/** What a byte is to the walk: plain, NUL, quote, backslash, an opening bracket, `]`, `}`. */
const classes = byBytes((_, char) =>
  BigInt(Math.max(0, ["\0", '"', "\\", "{[", "]", "}"].findIndex((set) => set.includes(char)) + 1)),
);
const [PLAIN, NUL, QUOTE, BACKSLASH, OPEN, CLOSE_ARRAY, CLOSE_OBJECT] = [0, 1, 2, 3, 4, 5, 6];

/**
 * Where the walk is, from right to left: dead; in the zeros after the object; or at a depth from 1 to 6 outside strings, in one, or left of
 * a quote that began one unless a backslash stands there.
 */
type Place = "dead" | "after" | { depth: number; at: "outside" | "inside" | "opened" };

/** A place left of a byte of some class. */
function stepped(place: Place, of: number): Place {
  if (place === "dead") return "dead";
  if (place === "after") {
    if (of === NUL) return "after";
    return of === CLOSE_OBJECT ? { depth: 1, at: "outside" } : "dead";
  }
  const { depth, at } = place;
  const to = (other: number): Place => (other < 1 || other > 6 ? "dead" : { depth: other, at: "outside" });
  if (at === "inside") {
    if (of === NUL) return "dead";
    return of === QUOTE ? { depth, at: "opened" } : { depth, at: "inside" };
  }
  if (of === OPEN) return to(depth - 1);
  if (at === "opened") {
    if (of === PLAIN) return { depth, at: "outside" };
    return of === BACKSLASH ? { depth, at: "inside" } : "dead";
  }
  if (of === PLAIN) return { depth, at: "outside" };
  if (of === QUOTE) return { depth, at: "inside" };
  return of === CLOSE_ARRAY || of === CLOSE_OBJECT ? to(depth + 1) : "dead";
}

const places: readonly Place[] = [
  "dead",
  "after",
  ...[1, 2, 3, 4, 5, 6].flatMap((depth): Place[] =>
    (["outside", "inside", "opened"] as const).map((at) => ({ depth, at })),
  ),
];

/** Eight classes (one that no byte has) of twenty places: the place left of it, times eight. */
const steps = places.flatMap((place) =>
  Array.from({ length: 8 }, (_, of) => {
    const left = JSON.stringify(isInString(place) && of === 7 ? place : stepped(place, of));
    return 8n * BigInt(places.findIndex((other) => JSON.stringify(other) === left));
  }),
);

/** The class that no byte has is read like any other byte of a string. */
function isInString(place: Place): boolean {
  return typeof place === "object" && place.at === "inside";
}

/** The faults of a byte of an address: 1 for the `@`, 2^8 for one that none may have, 2^16 for one that domains may not have. */
const faults = byBytes((byte, char) => {
  if (byte === 0 || /[a-z0-9.-]/.test(char)) return 0n;
  if (char === "@") return 1n;
  return /[!-~]/.test(char) && !/["\\]/.test(char) ? 1n << 16n : 1n << 8n;
});

/** By length modulo 4: where 0x80 goes in the word, and the weight of the bytes after the message in it. */
const ends = [[31n, 23n, 15n, 7n].map((bits) => 1n << bits), [32n, 24n, 16n, 8n].map((bits) => 1n << bits)];

/** In the order in which the compiled circuit sets them up. */
export const oidcTables: readonly (readonly bigint[])[] = [
  ...ends,
  ...weights,
  values,
  classes,
  steps,
  faults,
];

/** The lanes of a text and the byte 0x01 after it, by the number of zero bytes in front (0 to 7). */
function lanesAfter(text: string): bigint[][] {
  const count = Math.floor((text.length + 15) / 8);
  return Array.from({ length: count }, (_, lane) =>
    Array.from({ length: 8 }, (_, zeros) => {
      const bytes = Buffer.alloc(8 * count);
      Buffer.from(`${text}\u0001`, "latin1").copy(bytes, zeros);
      return bytes.readBigUInt64LE(8 * lane);
    }),
  );
}

/** 2^(64 - 8 r): shifts r bytes to the lane's upper end and beyond. */
const shifts = Array.from({ length: 8 }, (_, rest) => 1n << BigInt(64 - 8 * rest));

/** Hashes of messages of any length. */
export const eligibilityTables: readonly (readonly bigint[])[] = [...lanesAfter(""), shifts];

/** The same, and one that ends with the circuit's id. */
export const countryTables: readonly (readonly bigint[])[] = [
  ...eligibilityTables,
  ...lanesAfter("partner_country_attestation"),
];

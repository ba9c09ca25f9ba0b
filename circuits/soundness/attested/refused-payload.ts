import type { Case } from "../case";
import { type Maker, RANGE } from "./make";
import { type Field, itemsOf, string, withByte, withField, wrapped } from "./rlp";

type Payload = (honest: Uint8Array) => Uint8Array;

const none = Uint8Array.of();

/** Another encoding of an integer, and the reason it is refused for. */
const integers: readonly (readonly [string, (field: Field) => Uint8Array, RegExp])[] = [
  ["zero as a zero byte", () => Uint8Array.of(0), /zero is the empty string/],
  ["zero as a string of a zero byte", () => string(0), /small number|leading zero/],
  ["5 as a string", () => string(5), /small number is its own byte/],
  ["127 as a string", () => string(127), /small number is its own byte/],
  ["a leading zero", () => string(0, 200, 1), /leading zero/],
  ["a list", () => Uint8Array.of(0xc0), RANGE],
  ["a list of one", () => Uint8Array.of(0xc1, 0x05), RANGE],
  [
    "one byte more than it may have",
    (field) => string(...Array.from({ length: field === "nonce" || field === "gas" ? 9 : 33 }, () => 200)),
    RANGE,
  ],
  [
    "a long string of 56 bytes",
    () => Uint8Array.from([0xb8, 56, ...Array.from({ length: 56 }, () => 200)]),
    /./,
  ],
];

const CHAINS = [
  ["1", Uint8Array.of(1)],
  ["8454", string(0x21, 0x06)],
  ["84532", string(0x01, 0x4a, 0x34)],
  ["91343", string(0x01, 0x64, 0xcf)],
  ["33", Uint8Array.of(0x21)],
  ["5042002", string(0x4c, 0xef, 0x52)],
  ["none", Uint8Array.of(0x80)],
] as const;

function fieldChanges(maker: Maker): [string, Payload, RegExp][] {
  const chainOf = (item: Uint8Array) => item.slice(1);
  return [
    ...CHAINS.map(([name, chain]): [string, Payload, RegExp] => [
      `chain ${name}`,
      withField("chainId", () => chain),
      /payload: chain id/,
    ]),
    // The digits stand where they should; only the head says that they are more, fewer, or a list.
    ...(
      [
        ["one byte more", (head) => head + 1],
        ["one byte less", (head) => head - 1],
        ["a list", (head) => head + 0x40],
      ] satisfies [string, (head: number) => number][]
    ).map(([name, change]): [string, Payload, RegExp] => [
      `a chain id whose head says ${name}`,
      withField("chainId", withByte(0, change)),
      /payload: chain id/,
    ]),
    [
      "the chain id after a leading zero",
      withField("chainId", (it) => string(0, ...chainOf(it))),
      /chain id/,
    ],
    [
      "a first digit of the chain id changed",
      withField(
        "chainId",
        withByte(1, (byte) => byte ^ 1),
      ),
      /chain id/,
    ],
    [
      "a last digit of the chain id changed",
      withField(
        "chainId",
        withByte(-1, (byte) => byte ^ 1),
      ),
      /chain id/,
    ],
    ...(["nonce", "priorityFee", "fee", "gas"] as const).flatMap((field) =>
      integers.map(([name, encoded, reason]): [string, Payload, RegExp] => [
        `${field}: ${name}`,
        withField(field, () => encoded(field)),
        reason,
      ]),
    ),
    ["no recipient", withField("to", () => string()), /payload/],
    ["a recipient of 19 bytes", withField("to", (it) => string(...it.slice(2))), /payload/],
    ["a recipient of 21 bytes", withField("to", (it) => string(0, ...it.slice(1))), /payload/],
    ...[1, 10, 20].map((i): [string, Payload, RegExp] => [
      `recipient byte ${i - 1} changed`,
      withField(
        "to",
        withByte(i, (byte) => byte ^ 1),
      ),
      /payload: recipient/,
    ]),
    [
      "a recipient's head of another type",
      withField(
        "to",
        withByte(0, () => 0xd4),
      ),
      /payload: recipient's length/,
    ],
    ["a value of 1", withField("value", () => Uint8Array.of(1)), /payload: value/],
    ["a value of zero as a byte", withField("value", () => Uint8Array.of(0)), /payload: value/],
    ["a value of two bytes", withField("value", () => string(1, 0)), /payload/],
    ["data of 35 bytes", withField("data", (it) => string(...it.slice(2))), /payload/],
    ["data of 37 bytes", withField("data", (it) => string(...it.slice(1), 0)), /payload/],
    [
      "data whose head says 35 bytes",
      withField(
        "data",
        withByte(0, () => 0xa3),
      ),
      /payload: data length/,
    ],
    [
      "data whose head is a list's",
      withField(
        "data",
        withByte(0, () => 0xe4),
      ),
      /payload: data length/,
    ],
    [
      "data with a long head",
      withField("data", (it) => Uint8Array.from([0xb8, 36, ...it.slice(1)])),
      /payload/,
    ],
    ["no data", withField("data", () => string()), /./],
    ["an access list of one", withField("accessList", () => Uint8Array.of(0xc1, 0x80)), /payload/],
    ["an access list that is a string", withField("accessList", () => string()), /payload: access list/],
    ...dataChanges(maker),
  ];
}

/** The call: selector, padding, account. */
function dataChanges(maker: Maker): [string, Payload, RegExp][] {
  const other = maker.isCountry ? [0x56, 0xfe, 0xed, 0x5e] : [0x0a, 0x22, 0x52, 0x48];
  const last = maker.isCountry ? 9 : 11;
  return [
    ...[0, 3].map((i): [string, Payload, RegExp] => [
      `selector byte ${i} changed`,
      withField(
        "data",
        withByte(1 + i, (byte) => byte ^ 1),
      ),
      /attestation: selector/,
    ]),
    [
      "the other circuits' selector",
      withField("data", (it) => string(...other, ...it.slice(5))),
      /attestation: selector/,
    ],
    ...[0, 10, 19].map((i): [string, Payload, RegExp] => [
      `account byte ${i} changed`,
      withField(
        "data",
        withByte(17 + i, (byte) => byte ^ 1),
      ),
      /attestation: another account/,
    ]),
    [
      "the account left-aligned",
      withField("data", (it) => string(...it.slice(1, 5), ...it.slice(17), ...it.slice(5, 17))),
      /attestation|padding/,
    ],
    ...[0, 5, last].map((i): [string, Payload, RegExp] => [
      `padding byte ${i} not zero`,
      withField(
        "data",
        withByte(5 + i, () => 1),
      ),
      /padding/,
    ]),
  ];
}

/** Rule 7: the unsigned transaction, read once, in its only encoding. All of these are signed by the attester. */
export async function payloadCases(maker: Maker): Promise<Case[]> {
  const changes: [string, Payload, RegExp][] = [
    ...fieldChanges(maker),
    ["type 1", withByte(0, () => 1), /payload: type/],
    ["type 3", withByte(0, () => 3), /payload: type/],
    ["no type", (payload) => payload.slice(1), /payload: type/],
    ["a legacy transaction", (payload) => wrapped(itemsOf(payload).slice(1, 8)).slice(1), /payload: type/],
    [
      "a list's head of two length bytes",
      (it) => Uint8Array.from([2, 0xf9, 0, ...it.slice(2)]),
      /payload: list/,
    ],
    ["a list's head of one byte", withByte(1, () => 0xf7), /payload: list/],
    ["a string instead of a list", withByte(1, () => 0xb8), /payload: list/],
    ["a list one byte longer", withByte(2, (byte) => byte + 1), /payload: list length/],
    ["a list one byte shorter", withByte(2, (byte) => byte - 1), /payload: list length/],
    ["eight fields", (payload) => wrapped(itemsOf(payload).slice(0, 8)), /payload/],
    ["ten fields", (payload) => wrapped([...itemsOf(payload), Uint8Array.of(0x80)]), /payload: length/],
    [
      "twelve fields",
      (it) => wrapped([...itemsOf(it), Uint8Array.of(1), string(1, 2), string(3, 4)]),
      /payload: length/,
    ],
    ["a byte after the list", (payload) => Uint8Array.from([...payload, 0]), /payload/],
    ["a byte of another value after the list", (payload) => Uint8Array.from([...payload, 0xc0]), /payload/],
    [
      "two fields exchanged",
      (it) => wrapped(itemsOf(it).map((_, i, all) => all[[0, 1, 2, 3, 5, 4, 6, 7, 8][i] ?? 0] ?? none)),
      /./,
    ],
    ["nothing", () => none, /./],
  ];
  return Promise.all(
    changes.map(([name, payload, reason]) =>
      maker.refused(`transaction: ${name}`, () => undefined, reason, { payload }),
    ),
  );
}

import { keccak256, numberToHex } from "viem";
import type { Case } from "../case";
import type { Maker, Witness } from "./make";
import { itemsOf, string, wrapped } from "./rlp";
import { ACTION, type Overrides, SIGNER_KEYS, testKey } from "./witness";

/** Lists of signers, and every place in them. */
function places(): [string, Overrides][] {
  return [1, 2, 3, 4].flatMap((size) =>
    Array.from({ length: size }, (_, signerIndex): [string, Overrides] => [
      `signer ${signerIndex} of ${size}`,
      { signerKeys: SIGNER_KEYS.slice(0, size), signerIndex },
    ]),
  );
}

const max = (bytes: number) => (1n << BigInt(8 * bytes)) - 1n;

/** Transactions of every shape the protocol allows. */
const transactions: readonly (readonly [string, Overrides])[] = [
  ["nonce 0", { transaction: { nonce: 0 } }],
  ["nonce 1", { transaction: { nonce: 1 } }],
  ["nonce 127", { transaction: { nonce: 127 } }],
  ["nonce 128", { transaction: { nonce: 128 } }],
  ["nonce 255", { transaction: { nonce: 255 } }],
  ["nonce 256", { transaction: { nonce: 256 } }],
  ["no fees", { transaction: { maxPriorityFeePerGas: 0n, maxFeePerGas: 0n } }],
  ["fees of one byte", { transaction: { maxPriorityFeePerGas: 7n, maxFeePerGas: 200n } }],
  ["fees of eleven bytes", { transaction: { maxPriorityFeePerGas: max(11), maxFeePerGas: max(11) } }],
  ["gas of eight bytes", { transaction: { gas: max(8) } }],
  [
    "the shortest payload",
    { transaction: { nonce: 0, maxPriorityFeePerGas: 0n, maxFeePerGas: 0n, gas: 1n } },
  ],
];

/** The longest payload, 135 bytes: what the other fields leave goes to the two fees. */
function fillFees(honest: Uint8Array): Uint8Array {
  const withFees = (priority: Uint8Array, fee: Uint8Array) =>
    wrapped(itemsOf(honest).map((item, i) => (i === 2 ? priority : i === 3 ? fee : item)));
  const left = 135 - withFees(string(), string()).length;
  const digits = (length: number) => string(...Array.from({ length }, () => 0xab));
  return withFees(digits(Math.floor(left / 2)), digits(Math.ceil(left / 2)));
}

type Signed = "user_signature_r" | "user_signature_s" | "attester_signature_r" | "attester_signature_s";

/** Where the searches below end, so that they need not begin at 0. */
const FOUND: Partial<Record<string, number>> = {
  "partner_country_attestation user_signature_r": 634,
  "partner_country_attestation user_signature_s": 25,
  "partner_country_attestation attester_signature_r": 11,
  "partner_country_attestation attester_signature_s": 232,
  "network_eligibility user_signature_r": 499,
  "network_eligibility user_signature_s": 317,
  "network_eligibility attester_signature_r": 1275,
  "network_eligibility attester_signature_s": 24,
  "regional_attestation user_signature_r": 499,
  "regional_attestation user_signature_s": 317,
  "regional_attestation attester_signature_r": 222,
  "regional_attestation attester_signature_s": 174,
  user_pubkey_x: 659,
  user_pubkey_y: 763,
};

/** A witness whose signature has a leading zero byte: what is signed is varied until it does. */
async function leadingZero(maker: Maker, field: Signed): Promise<Case> {
  for (let i = FOUND[`${maker.circuit} ${field}`] ?? 0; ; i++) {
    const overrides: Overrides = field.startsWith("attester")
      ? { transaction: { nonce: i } }
      : { scope: `scope:${i}`, signalHash: keccak256(numberToHex(i)) };
    const witness: Witness = await maker.witness(overrides);
    if (witness[field][0] === 0) return { name: `a leading zero in ${field}`, inputs: { ...witness } };
  }
}

/** A user key whose public key or address begins with a zero byte. */
async function shortKey(maker: Maker, field: "user_pubkey_x" | "user_pubkey_y"): Promise<Case> {
  for (let i = FOUND[field] ?? 0; ; i++) {
    const witness: Witness = await maker.witness({ userKey: testKey(1, i) });
    if (witness[field][0] === 0) return { name: `a leading zero in ${field}`, inputs: { ...witness } };
  }
}

const many = ["AA", "BB", "CC", "DD", "EE", "FF", "GG", "HH", "II", "ZZ"];

const countries: readonly (readonly [string, Overrides])[] = [
  ["a list of one, in it", { countries: ["DE"] }],
  ["a list of one, not in it", { countries: ["FR"] }],
  ["a list of ten, first", { country: "AA", countries: many }],
  ["a list of ten, last", { country: "ZZ", countries: many }],
  ["a list of ten, not in it", { country: "DE", countries: many }],
  ["a list of nine", { country: "II", countries: many.slice(0, 9) }],
  ["a scope of one byte", { scope: "s" }],
  ["a scope of 88 bytes", { scope: "s".repeat(88) }],
  ["a scope of 80 bytes", { scope: "s".repeat(80) }],
  ["a scope in another script", { scope: "Žižek 李 🎓" }],
  ["a scope that ends like the circuit's id", { scope: "partner_country_attestation" }],
];

const eligibility: readonly (readonly [string, Overrides])[] = [
  ["an action", { action: ACTION }],
  ["a signal hash of zeros", { signalHash: `0x${"00".repeat(32)}` }],
  ["a signal hash of ones", { signalHash: `0x${"ff".repeat(32)}` }],
  [
    "an action of one bit each",
    { action: { domainSeparator: `0x${"00".repeat(31)}01`, actionHash: `0x80${"00".repeat(31)}` } },
  ],
  ["an empty scope", { scope: "" }],
];

/** Must be accepted. */
export async function honestCases(maker: Maker): Promise<Case[]> {
  const named = [
    ["plain", {}] as const,
    ...places(),
    ...transactions,
    ...(maker.isCountry ? countries : eligibility),
    ["another user", { userKey: testKey(1, 77) }] as const,
    ["another scope", { scope: "another:scope" }] as const,
  ];
  return Promise.all([
    ...named.map(([name, overrides]) => maker.accepted(name, overrides)),
    maker.accepted("the longest payload", { payload: fillFees }),
    ...(
      ["user_signature_r", "user_signature_s", "attester_signature_r", "attester_signature_s"] as const
    ).map((field) => leadingZero(maker, field)),
    ...(["user_pubkey_x", "user_pubkey_y"] as const).map((field) => shortKey(maker, field)),
  ]);
}

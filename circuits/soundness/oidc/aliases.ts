import type { Inputs, Value } from "../abi";
import { ORDER } from "../acir/field";
import type { Case } from "../case";
import { honest, honestInputs, key, refused } from "./make";
import { payloadA, signToken } from "./token";
import { bounded, limbs, witnessOf } from "./witness";

/** The honest inputs with the element at a path replaced. */
function changed(
  inputs: Inputs,
  path: readonly (string | number)[],
  change: (value: bigint) => bigint,
): Inputs {
  const at = (value: Value | undefined, [step, ...rest]: readonly (string | number)[]): Value => {
    if (step === undefined) {
      if (typeof value === "object" || value === undefined) throw new RangeError("not a number");
      return change(BigInt(value));
    }
    if (Array.isArray(value)) return value.map((item, i) => (i === step ? at(item, rest) : item));
    if (typeof value !== "object") throw new RangeError(`nothing at ${step}`);
    return { ...value, [step]: at(value[step], rest) };
  };
  const [name = "", ...rest] = path;
  return { ...inputs, [name]: at(inputs[String(name)], rest) };
}

/** A path into the parameters, and bits of the type that stands there. */
const places: readonly (readonly [readonly (string | number)[], number])[] = [
  [["domain", "storage", 0], 8],
  [["domain", "storage", 40], 8],
  [["domain", "len"], 32],
  [["scope", 0], 8],
  [["scope", 31], 8],
  [["nullifier", 0], 8],
  [["nullifier", 31], 8],
  [["provider"], 8],
  [["nonce", "storage", 0], 8],
  [["nonce", "len"], 32],
  [["iat"], 64],
  [["audience", "storage", 0], 8],
  [["audience", "len"], 32],
  [["partial_data", "storage", 3], 8],
  [["partial_data", "len"], 32],
  [["partial_hash", 3], 32],
  [["full_data_length"], 32],
  [["base64_decode_offset"], 32],
  [["email_length"], 32],
  [["email_index"], 32],
  [["email_verified_index"], 32],
  [["nonce_index"], 32],
  [["iat_index"], 32],
  [["audience_index"], 32],
  [["pubkey_modulus_limbs", 0], 128],
  [["pubkey_modulus_limbs", 17], 128],
  [["signature_limbs", 0], 128],
  [["signature_limbs", 17], 128],
];

function rangeCases(): Case[] {
  return places.flatMap(([path, bits]) =>
    (
      [
        [`2^${bits} more`, (value) => value + (1n << BigInt(bits))],
        ["the field's -1", () => ORDER - 1n],
        [`2^${bits} less, in the field`, (value) => value - (1n << BigInt(bits)) + ORDER],
      ] satisfies [string, (value: bigint) => bigint][]
    ).map(([name, change]) => ({
      name: `${path.join(".")}: ${name}`,
      inputs: changed(honestInputs, path, change),
      base: honestInputs,
    })),
  );
}

/** Two bytes of a word that hashes the same as a number: 256 less here is one more there. */
function carriedCases(): Case[] {
  const [from, to] = [8, 9];
  return (["scope", "nullifier"] as const).map((name) => {
    const once = changed(honestInputs, [name, from], (value) => value + 256n);
    return {
      name: `${name}: a byte carried into the next`,
      inputs: changed(once, [name, to], (value) => value - 1n),
      base: honestInputs,
    };
  });
}

function limbCases(): Case[] {
  return (["signature", "modulus"] as const).flatMap((of) => [
    ...[0, 5, 16].map((i) =>
      refused(
        `${of}: a limb ${i} of 121 bits`,
        (witness) => {
          witness[of][i] = (witness[of][i] ?? 0n) + (1n << 120n);
          witness[of][i + 1] = (witness[of][i + 1] ?? 0n) - 1n;
        },
        /assert_max_bit_size|Cannot/,
      ),
    ),
    refused(
      `${of}: a limb 3 below zero`,
      (witness) => {
        witness[of][3] = (witness[of][3] ?? 0n) - (1n << 120n);
        witness[of][4] = (witness[of][4] ?? 0n) + 1n;
      },
      /assert_max_bit_size|Cannot/,
    ),
    refused(
      `${of}: a top limb of 9 bits`,
      (witness) => (witness[of][17] = (witness[of][17] ?? 0n) + 256n),
      /assert_max_bit_size|Cannot/,
    ),
  ]);
}

/** A second encoding of something that is accepted. */
export function aliasCases(): Case[] {
  const bare = signToken(key, payloadA());
  return [
    ...rangeCases(),
    ...carriedCases(),
    ...limbCases(),
    refused(
      "the signature plus the modulus",
      (w) => (w.signature = limbs(honest.signature + key.modulus)),
      /./,
    ),
    refused(
      "the length of the nonce in zeros after none",
      (witness) => (witness.nonce = { ...bounded(new Uint8Array(0), 64), len: 1 }),
      /./,
      bare,
    ),
    refused(
      "another position for a nonce that is not there is no alias, a length is",
      (w) => (w.nonce.len = 64),
      /./,
      bare,
    ),
    refused("a text with a zero byte counted", (w) => (w.data.len = witnessOf(honest).data.len + 1), /./),
  ];
}

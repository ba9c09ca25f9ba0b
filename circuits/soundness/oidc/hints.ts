import type { Inputs } from "../abi";
import { ORDER } from "../acir/field";
import type { Case } from "../case";
import { honest, honestInputs, key } from "./make";
import { payloadA, payloadB, signToken } from "./token";
import { toInputs, witnessOf } from "./witness";

type Change = (honest: bigint[]) => bigint[];

/** A token of provider_b without a nonce. */
const bareInputs: Inputs = toInputs(witnessOf(signToken(key, payloadB({ verified: '"xms_edov":1' }))));

function lie(name: string, hint: string, change: Change, call = 0, inputs = honestInputs): Case {
  return { name: `${hint} ${call}: ${name}`, inputs, lies: [{ hint, call, change }] };
}

const plus = (array: bigint[], index: number, by: bigint) =>
  array.map((word, i) => (i === index ? word + by : word));
const flip = (array: bigint[], index: number) => array.map((word, i) => (i === index ? 1n - word : word));
const ones = (array: bigint[]) => array.filter((word) => word === 1n).length;

/** Wrong answers for a hint of booleans. */
const wrongBits: readonly (readonly [string, Change])[] = [
  ["all false", (array) => array.map(() => 0n)],
  ["all true", (array) => array.map(() => 1n)],
  ["the first flipped", (array) => flip(array, 0)],
  ["the last flipped", (array) => flip(array, array.length - 1)],
  ["moved right", (array) => [0n, ...array.slice(0, -1)]],
  ["moved left", (array) => [...array.slice(1), 0n]],
  ["reversed", (array) => [...array].reverse()],
  ["one more", (array) => flip(array, array.indexOf(0n))],
  ["one less", (array) => flip(array, array.lastIndexOf(1n))],
];

/** Bits that are no booleans, though their sum is right. */
const notBits: readonly (readonly [string, Change])[] = [
  ["a two for two ones", (array) => plus(plus(array, array.indexOf(1n), 1n), array.indexOf(1n) + 1, -1n)],
  ["a minus one", (array) => plus(plus(array, array.indexOf(0n), -1n), array.indexOf(1n), 1n)],
];

const LIMB = 1n << 120n;
const modulus = witnessOf(honest).modulus;
const carry = (array: bigint[], i: number) => plus(plus(array, i, LIMB), i + 1, -1n);

/** Wrong answers for a division a * b = q * n + r: 18 limbs of q, then 18 of r. */
const wrongDivisions: readonly (readonly [string, (q: bigint[], r: bigint[]) => [bigint[], bigint[]]])[] = [
  [
    "a quotient one larger, a remainder n less",
    (q, r) => [plus(q, 0, 1n), r.map((limb, i) => limb - (modulus[i] ?? 0n))],
  ],
  [
    "a quotient one smaller, a remainder n more",
    (q, r) => [plus(q, 0, -1n), r.map((limb, i) => limb + (modulus[i] ?? 0n))],
  ],
  ["a remainder one larger", (q, r) => [q, plus(r, 0, 1n)]],
  ["a quotient one larger", (q, r) => [plus(q, 0, 1n), r]],
  ["a remainder limb of 121 bits", (q, r) => [q, carry(r, 3)]],
  ["a quotient limb of 121 bits", (q, r) => [carry(q, 16), r]],
  ["a remainder of zero", (q, r) => [q, r.map(() => 0n)]],
  ["nothing", (q, r) => [q.map(() => 0n), r.map(() => 0n)]],
  ["quotient and remainder exchanged", (q, r) => [r, q]],
  ["equal only in the field", (q, r) => [plus(q, 17, 1n << 8n), plus(plus(r, 0, ORDER - 1n), 17, 1n << 8n)]],
];

const choose =
  (index: number): Change =>
  (array) =>
    array.map((_, i) => (i === index ? 1n : 0n));

const victim = [...Buffer.from(payloadA({ email: "ada@victim.com" }).padEnd(480, "\0"))].map(BigInt);

const wrongBytes: readonly (readonly [string, Change])[] = [
  ["one byte larger", (array) => plus(array, 100, 1n)],
  ["one byte smaller", (array) => plus(array, 101, -1n)],
  ["a byte carried into the next", (array) => plus(plus(array, 99, -1n), 100, 256n)],
  ["a byte borrowed from the next", (array) => plus(plus(array, 102, 1n), 103, -256n)],
  ["the byte after the end set", (array) => plus(array, array.lastIndexOf(0x7dn) + 1, 1n)],
  ["the last byte of all set", (array) => plus(array, 479, 1n)],
  ["nothing", (array) => array.map(() => 0n)],
  ["moved by one", (array) => [0n, ...array.slice(0, -1)]],
  ["the text of another token", () => victim],
];

/** A hostile prover's answers to every hint that our code asks for. */
export function hintCases(): Case[] {
  const both =
    (one: (q: bigint[], r: bigint[]) => [bigint[], bigint[]]): Change =>
    (array) =>
      one(array.slice(0, 18), array.slice(18)).flat();
  const gap: Change = (array) => flip(flip(array, ones(array) - 2), ones(array));
  return [
    ...[...wrongBits, ...notBits].map(([name, change]) => lie(name, "one_hot", change)),
    ...[0, 1, 2, 3].flatMap((call) =>
      [...wrongBits, ...notBits, ["a gap of the same count", gap] as const].map(([name, change]) =>
        lie(name, "first_of", change, call),
      ),
    ),
    lie("a nonce that is not there", "first_of", (array) => flip(array, 0), 2, bareInputs),
    ...[1, 2, 3, 4].map((index) => lie(`form ${index} for 0`, "form", choose(index))),
    ...[0, 1, 3, 4].map((index) => lie(`form ${index} for 2`, "form", choose(index), 0, bareInputs)),
    ...(
      [
        ["none", (array) => array.map(() => 0n)],
        ["all", (array) => array.map(() => 1n)],
        ["two", (array) => flip(array, 1)],
        ["one more, far off", (array) => flip(array, 4)],
        ["two less one", (array) => plus(plus(array, 1, 2n), 2, -2n)],
      ] satisfies [string, Change][]
    ).map(([name, change]) => lie(name, "form", change)),
    {
      ...lie("provider_a's form for provider_b", "form", choose(0)),
      inputs: { ...honestInputs, provider: 1 },
      base: bareInputs,
      reason: /oidc: provider's claim/,
    },
    {
      ...lie("provider_b's form for provider_a", "form", choose(2), 0, bareInputs),
      inputs: { ...bareInputs, provider: 0 },
      base: honestInputs,
      reason: /oidc: provider's claim/,
    },
    ...wrongBytes.map(([name, change]) => lie(name, "split", change)),
    ...[0, 7, 15].flatMap((call) =>
      wrongDivisions.map(([name, one]) => lie(name, "quotient_and_remainder", both(one), call)),
    ),
    ...(
      [
        ["one larger", (array) => plus(array, 0, 1n)],
        ["one smaller", (array) => plus(array, 0, -1n)],
        ["a limb of 121 bits", (array) => carry(array, 4)],
        ["a top limb of 10 bits", (array) => plus(array, 17, 512n)],
        ["zero", (array) => array.map(() => 0n)],
        ["n", () => modulus],
      ] satisfies [string, Change][]
    ).map(([name, change]) => lie(name, "quotient_only", change)),
  ];
}

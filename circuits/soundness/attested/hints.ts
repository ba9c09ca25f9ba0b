import type { Inputs } from "../abi";
import type { Case } from "../case";
import type { Maker } from "./make";

type Change = (honest: bigint[]) => bigint[];

const plus = (array: bigint[], index: number, by: bigint) =>
  array.map((word, i) => (i === index ? word + by : word));
const flip = (array: bigint[], index: number) => array.map((word, i) => (i === index ? 1n - word : word));

/** Wrong answers for the one place where a text ends. */
const wrongEnds: readonly (readonly [string, Change])[] = [
  ["none", (array) => array.map(() => 0n)],
  ["all", (array) => array.map(() => 1n)],
  ["one later", (array) => [0n, ...array.slice(0, -1)]],
  ["one earlier", (array) => [...array.slice(1), 0n]],
  ["the first", (array) => array.map((_, i) => (i === 0 ? 1n : 0n))],
  ["the last", (array) => array.map((_, i) => (i === array.length - 1 ? 1n : 0n))],
  ["one more", (array) => flip(array, array.indexOf(0n))],
  ["the two around it, by halves of the field", (array) => around(array)],
  ["two and minus one", (array) => plus(plus(array, array.indexOf(1n), 1n), array.indexOf(0n), -1n)],
];

/** Twice one place less the one before: sum and index are right, the bits are not. */
function around(array: bigint[]): bigint[] {
  const at = array.indexOf(1n);
  const [low, high] = at >= 2 ? [at - 2, at - 1] : [at + 2, at + 1];
  return array.map((_, i) => (i === high ? 2n : i === low ? -1n : 0n));
}

/** Wrong answers for the 32 bytes of a digest. */
const wrongBytes: readonly (readonly [string, Change])[] = [
  ["all zero", (array) => array.map(() => 0n)],
  ["the first one larger", (array) => plus(array, 0, 1n)],
  ["the last one smaller", (array) => plus(array, 31, -1n)],
  ["a byte of 256 more, the next one less", (array) => plus(plus(array, 3, 256n), 4, -1n)],
  ["a byte of 256 less, the next one more", (array) => plus(plus(array, 10, -256n), 11, 1n)],
  ["reversed", (array) => [...array].reverse()],
  ["two lanes exchanged", (array) => [...array.slice(8, 16), ...array.slice(0, 8), ...array.slice(16)]],
];

/** A hostile prover's answers to every hint that our code asks for; `calls` is how often each is. */
export async function hintCases(maker: Maker, calls: ReadonlyMap<string, number>): Promise<Case[]> {
  const lie = (hint: string, call: number, name: string, change: Change, inputs: Inputs): Case => ({
    name: `${hint} ${call}: ${name}`,
    inputs,
    lies: [{ hint, call, change }],
  });
  return (
    [
      ["one_hot", wrongEnds],
      ["split", wrongBytes],
    ] as const
  ).flatMap(([hint, changes]) =>
    Array.from({ length: calls.get(hint) ?? 0 }, (_, call) =>
      changes.map(([name, change]) => lie(hint, call, name, change, maker.honest)),
    ).flat(),
  );
}

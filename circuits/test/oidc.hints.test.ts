import type { ForeignCallInput } from "@noir-lang/noir_js";
import { beforeAll, describe, expect, it } from "vitest";
import type { Run } from "./circuit";
import { circuitWithOracles, HINTS, noirSources } from "./tampered";
import { issuerKey, payloadA, payloadB, signToken } from "./token";
import { witnessOf } from "./witness";

const key = issuerKey();
const token = signToken(key, payloadA({ nonce: "challenge" }));
const bare = signToken(key, payloadB({ verified: '"xms_edov":1' }));
const ORDER = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;

/** What a hint returns: one array of integers, or two. */
type Hinted = bigint[][];
type Tamper = (honest: Hinted) => Hinted;

const parse = (inputs: ForeignCallInput[]): Hinted =>
  inputs.map((array) => array.map((word) => BigInt(`0x${word.replace(/^0x/, "")}`)));
const format = (hinted: Hinted) =>
  hinted.map((array) =>
    array.map((word) => (((word % ORDER) + ORDER) % ORDER).toString(16).padStart(64, "0")),
  );

let run: Run;
beforeAll(async () => {
  run = await circuitWithOracles("oidc_domain_attestation");
}, 120_000);

/** Runs the token with the `nth` call of a hint tampered with; tells how often the hint was called. */
async function tamper(
  name: string,
  nth: number,
  change: Tamper,
  of = token,
  provider?: 0 | 1,
): Promise<string> {
  let calls = 0;
  let changed = false;
  const answer = await run(
    { ...witnessOf(of), ...(provider === undefined ? {} : { provider }) },
    async (oracle, inputs) => {
      const honest = parse(inputs);
      if (oracle !== name || calls++ !== nth) return format(honest);
      const wrong = change(honest.map((array) => [...array]));
      changed = JSON.stringify(format(wrong)) !== JSON.stringify(format(honest));
      return format(wrong);
    },
  );
  expect(changed, "the hint was changed").toBe(true);
  // A constraint said no, and not the hint's own code.
  expect(answer).toMatch(/^Circuit execution failed: |^accepted$/);
  return answer;
}

const only =
  (change: (array: bigint[]) => bigint[]): Tamper =>
  ([array = []]) => [change(array)];
const plus = (array: bigint[], index: number, by: bigint) =>
  array.map((word, i) => (i === index ? word + by : word));
const flip = (array: bigint[], index: number) => array.map((word, i) => (i === index ? 1n - word : word));
const ones = (array: bigint[]) => array.filter((word) => word === 1n).length;

/** Wrong answers for a hint of booleans. */
const wrongBits: [string, (array: bigint[]) => bigint[]][] = [
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

/** Wrong answers for a division a * b = q * n + r, given n. */
const n = witnessOf(token).modulus;
const LIMB = 1n << 120n;
const carry = (array: bigint[], i: number) => plus(plus(array, i, LIMB), i + 1, -1n);
const wrongDivisions: [string, Tamper][] = [
  [
    "a quotient one larger, a remainder n less",
    ([q = [], r = []]) => [plus(q, 0, 1n), r.map((limb, i) => limb - (n[i] ?? 0n))],
  ],
  [
    "a quotient one smaller, a remainder n more",
    ([q = [], r = []]) => [plus(q, 0, -1n), r.map((limb, i) => limb + (n[i] ?? 0n))],
  ],
  ["a remainder one larger", ([q = [], r = []]) => [q, plus(r, 0, 1n)]],
  ["a quotient one larger", ([q = [], r = []]) => [plus(q, 0, 1n), r]],
  ["a remainder limb of 121 bits", ([q = [], r = []]) => [q, carry(r, 3)]],
  ["a quotient limb of 121 bits", ([q = [], r = []]) => [carry(q, 16), r]],
  ["a remainder of zero", ([q = [], r = []]) => [q, r.map(() => 0n)]],
  ["nothing", ([q = [], r = []]) => [q.map(() => 0n), r.map(() => 0n)]],
  ["quotient and remainder exchanged", ([q = [], r = []]) => [r, q]],
  [
    "equal only in the field",
    ([q = [], r = []]) =>
      [q, plus(r, 0, ORDER)].map((array, i) => (i === 0 ? array : plus(array, 17, 1n << 8n))),
  ],
];

describe("without tampering", () => {
  it("the circuit with oracles accepts", async () => {
    const honest = async (_name: string, inputs: ForeignCallInput[]) => format(parse(inputs));
    expect(await run(witnessOf(token), honest)).toBe("accepted");
    expect(await run(witnessOf(bare), honest)).toBe("accepted");
  });

  it("every unsafe block has its constraint named and is tampered with here", () => {
    let blocks = 0;
    for (const [name, source] of noirSources()) {
      const lines = source.split("\n");
      for (const [i, line] of lines.entries()) {
        if (!line.includes("unsafe {")) continue;
        blocks++;
        const above = lines.slice(0, i).reverse();
        const comment = above.slice(
          0,
          above.findIndex((other) => !other.trim().startsWith("//")),
        );
        expect(comment.at(-1)?.trim(), `${name}:${i + 1}`).toMatch(/^\/\/ Safety: /);
      }
    }
    expect(blocks).toBe(HINTS.length);
  });
});

describe("a wrong hint is not accepted", () => {
  it.each(wrongBits)("end of the text: %s", async (_name, change) => {
    expect(await tamper("end", 0, only(change))).not.toBe("accepted");
  });

  it.each(wrongBits)(
    "length of the address, the domain, the nonce and the audience: %s",
    async (_name, change) => {
      for (const call of [0, 1, 2, 3]) {
        expect(await tamper("active", call, only(change))).not.toBe("accepted");
      }
    },
  );

  it("length with a gap of the same count", async () => {
    const gap = (array: bigint[]) => flip(flip(array, ones(array) - 2), ones(array));
    for (const call of [0, 1, 2, 3]) {
      expect(await tamper("active", call, only(gap))).not.toBe("accepted");
    }
  });

  it("length of a nonce that is not there", async () => {
    expect(
      await tamper(
        "active",
        2,
        only((array) => flip(array, 0)),
        bare,
      ),
    ).not.toBe("accepted");
  });

  it.each([0, 1, 2, 3, 4])("form of the verified claim: %i alone", async (index) => {
    const choose = only((array) => array.map((_, i) => (i === index ? 1n : 0n)));
    for (const [of, right] of [
      [token, 0],
      [bare, 2],
    ] as const) {
      if (index !== right) expect(await tamper("form", 0, choose, of)).not.toBe("accepted");
    }
  });

  it("form of the verified claim: another provider's", async () => {
    const right = (index: number) => only((array) => array.map((_, i) => (i === index ? 1n : 0n)));
    expect(await tamper("form", 0, right(0), token, 1)).toMatch(/oidc: provider's claim/);
    expect(await tamper("form", 0, right(2), bare, 0)).toMatch(/oidc: provider's claim/);
  });

  it.each([
    ["none", () => [0n, 0n, 0n, 0n, 0n]],
    ["all", () => [1n, 1n, 1n, 1n, 1n]],
    ["two", (array: bigint[]) => flip(array, 1)],
    ["one more, far off", (array: bigint[]) => flip(array, 4)],
  ])("form of the verified claim: %s", async (_name, change) => {
    expect(await tamper("form", 0, only(change))).not.toBe("accepted");
  });

  it.each([
    ["one byte larger", (array: bigint[]) => plus(array, 100, 1n)],
    ["one byte smaller", (array: bigint[]) => plus(array, 101, -1n)],
    ["a byte carried into the next", (array: bigint[]) => plus(plus(array, 99, -1n), 100, 1n)],
    ["the byte after the end set", (array: bigint[]) => plus(array, array.lastIndexOf(0x7dn) + 1, 1n)],
    ["the last byte of all set", (array: bigint[]) => plus(array, 479, 1n)],
    ["nothing", (array: bigint[]) => array.map(() => 0n)],
    ["moved by one", (array: bigint[]) => [0n, ...array.slice(0, -1)]],
    [
      "the text of another token",
      () => [...Buffer.from(payloadA({ email: "ada@victim.com" }).padEnd(480, "\0"))].map(BigInt),
    ],
  ])("decoded bytes: %s", async (_name, change) => {
    expect(await tamper("decoded", 0, only(change))).not.toBe("accepted");
  });

  it.each(wrongDivisions)("reduction modulo n: %s", async (_name, change) => {
    for (const call of [0, 7, 15]) {
      expect(await tamper("division", call, change)).not.toBe("accepted");
    }
  });

  it.each([
    ["one larger", (array: bigint[]) => plus(array, 0, 1n)],
    ["one smaller", (array: bigint[]) => plus(array, 0, -1n)],
    ["a limb of 121 bits", (array: bigint[]) => carry(array, 4)],
    ["a top limb of 10 bits", (array: bigint[]) => plus(array, 17, 512n)],
    ["zero", (array: bigint[]) => array.map(() => 0n)],
    ["n", () => n],
  ])("last quotient: %s", async (_name, change) => {
    expect(await tamper("quotient", 0, only(change))).not.toBe("accepted");
  });
});

import {
  type Address,
  concat,
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  hashMessage,
  hexToBytes,
  keccak256,
  parseAbi,
  stringToHex,
  toHex,
  zeroHash,
} from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { VerifierFront } from "./index";
import { startLocalChain } from "./local-chain";
import { double } from "./test/double";
import { named } from "./test/refusal";

/** BN254 scalar modulus (EIP-197 names it the curve's order). */
const R = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
/** What the verifier double does, as the proof's only word. */
const MODE = { false: 0, true: 1, revert: 2, invalid: 3, loop: 4, expensive: 5, inputs: 6 };
/** What a wallet signs, as contract VerifierFront numbers it. */
const SIGNED = { none: 0, message: 1, messageOrAction: 2 };

let chain: Awaited<ReturnType<typeof startLocalChain>>;
let verifier: Address;
let front: Address;

beforeAll(async () => {
  chain = await startLocalChain();
  verifier = await chain.deploy({ abi: [], bytecode: await double("VerifierDouble") });
  // Three inputs; the second is a byte.
  front = await deployFront(verifier, 3n, 0b010n);
}, 60_000);
afterAll(() => chain.stop());

describe("answers", () => {
  test("what the verifier answers", async () => {
    expect(await verify(MODE.true)).toBe(true);
    expect(await verify(MODE.false)).toBe(false);
  });

  test.each(["revert", "invalid", "loop"] as const)(
    "false, not a revert, when the verifier ends in %s",
    async (mode) => {
      expect(await verify(MODE[mode])).toBe(false);
    },
  );

  test("true for a verification of twice the usual cost", async () => {
    expect(await verify(MODE.expensive)).toBe(true);
  });
});

describe("public inputs", () => {
  test("the right number of them", async () => {
    for (const inputs of [[], [1n, 2n], [1n, 2n, 3n, 4n]])
      expect(await verify(MODE.true, inputs)).toBe(false);
  });

  test("each below the scalar modulus", async () => {
    expect(await verify(MODE.true, [R - 1n, 0n, R - 1n])).toBe(true);
    for (const big of [R, R + 1n, (1n << 256n) - 1n]) {
      expect(await verify(MODE.true, [big, 0n, 0n])).toBe(false);
      expect(await verify(MODE.true, [0n, 0n, big])).toBe(false);
      expect(await verify(MODE.true, [0n, big, 0n])).toBe(false);
    }
  });

  test("bytes below 256, and only those that are bytes", async () => {
    expect(await verify(MODE.true, [256n, 255n, 256n])).toBe(true);
    expect(await verify(MODE.true, [0n, 256n, 0n])).toBe(false);
  });

  test.each([256, 257, 311, 512])("%i of them, each with its own limit", async (count) => {
    // Only the last one and input 3 are bytes.
    const wide = await deployFront(verifier, BigInt(count), (1n << BigInt(count - 1)) | 0b1000n);
    const inputs = Array<bigint>(count).fill(1000n);
    expect(await verify(MODE.true, inputs.with(3, 0n), wide)).toBe(false);
    expect(await verify(MODE.true, inputs.with(-1, 0n), wide)).toBe(false);
    const right = inputs.with(3, 255n).with(-1, 255n);
    expect(await verify(MODE.true, right, wide)).toBe(true);
    expect(await verify(MODE.true, right.with(3, 256n), wide)).toBe(false);
    expect(await verify(MODE.true, right.with(-1, 256n), wide)).toBe(false);
    expect(await verify(MODE.true, right.with(-2, R), wide)).toBe(false);
  });
});

describe("gas", () => {
  test("too little for a verification reverts: it never looks like a bad proof", async () => {
    for (const gas of [100_000n, 1_000_000n, 6_000_000n, 12_000_000n]) {
      await expect(verify(MODE.true, [1n, 2n, 3n], front, gas)).rejects.toThrow(/NotEnoughGas|out of gas/i);
    }
    expect(await verify(MODE.true, [1n, 2n, 3n], front, 13_000_000n)).toBe(true);
    expect(await verify(MODE.expensive, [1n, 2n, 3n], front, 13_000_000n)).toBe(true);
  });

  test("a proof that burns all gas it is given leaves the caller the rest", async () => {
    const abi = parseAbi([
      "function measure(address, bytes, bytes32[]) view returns (bool valid, uint256 used)",
    ]);
    const [valid, used] = await chain.client.readContract({
      address: await chain.deploy({ abi, bytecode: await double("GasMeter") }),
      abi,
      functionName: "measure",
      args: [front, toHex(MODE.loop, { size: 32 }), [1, 2, 3].map((input) => toHex(input, { size: 32 }))],
    });
    expect(valid).toBe(false);
    expect(used).toBeGreaterThan(12_000_000n);
    expect(used).toBeLessThan(12_100_000n);
  });
});

describe("deployment", () => {
  test("refuses an address without code, more than 512 inputs, and byte marks beyond the inputs", async () => {
    await expect(deployFront(toHex(1234, { size: 20 }), 3n, 0n)).rejects.toThrow("NotAVerifier");
    await expect(deployFront(verifier, 513n, 0n)).rejects.toThrow("BadLayout");
    for (const count of [3n, 255n, 256n, 257n, 311n, 511n]) {
      await expect(deployFront(verifier, count, 1n << count)).rejects.toThrow("BadLayout");
    }
    await expect(deployFront(verifier, 3n, 1n << 256n)).rejects.toThrow("BadLayout");
  });
});

describe("circuits F4: the digest that a wallet signed", () => {
  const [signal, domain, action] = ["signal", "domain", "action"].map((text) => keccak256(stringToHex(text)));
  if (!signal || !domain || !action) throw new Error("three hashes");
  const typed = keccak256(concat(["0x1901", domain, action]));
  const words = (...values: Hex[]) => values.flatMap((value) => [...hexToBytes(value)].map(BigInt));
  /** Whether the verifier behind the front is shown exactly these inputs. */
  const shows = (at: Address, passed: bigint[], shown: bigint[]) =>
    verify(
      MODE.inputs,
      passed,
      at,
      undefined,
      keccak256(concat(shown.map((word) => toHex(word, { size: 32 })))),
    );

  test("is that of the message in the first 32 inputs", async () => {
    const at = await deployFront(verifier, 34n, (1n << 32n) - 1n, SIGNED.message);
    const passed = [...words(signal), 1n << 200n, 7n];
    expect(await shows(at, passed, [...passed, ...words(hashMessage({ raw: signal }))])).toBe(true);
    expect(await shows(at, passed, [...passed, ...words(hashMessage({ raw: domain }))])).toBe(false);
    expect(await shows(at, passed, passed)).toBe(false);
  });

  test("is that of the message or of the action, whichever there is", async () => {
    const at = await deployFront(verifier, 97n, (1n << 96n) - 1n, SIGNED.messageOrAction);
    for (const [values, digest] of [
      [[signal, zeroHash, zeroHash], hashMessage({ raw: signal })],
      [[zeroHash, zeroHash, zeroHash], hashMessage({ raw: zeroHash })],
      [[zeroHash, domain, action], typed],
      // The circuit refuses these; the front only has to say one thing of each.
      [[signal, domain, action], typed],
      [[signal, domain, zeroHash], hashMessage({ raw: signal })],
      [[zeroHash, zeroHash, action], keccak256(concat(["0x1901", zeroHash, action]))],
    ] as const) {
      const passed = [...words(...values), 5n];
      expect(await shows(at, passed, [...passed, ...words(digest)])).toBe(true);
    }
  });

  test("is nothing that a caller can pass", async () => {
    const at = await deployFront(verifier, 32n, (1n << 32n) - 1n, SIGNED.message);
    const passed = words(signal);
    expect(await verify(MODE.true, passed, at)).toBe(true);
    expect(await verify(MODE.true, [...passed, ...words(hashMessage({ raw: signal }))], at)).toBe(false);
    expect(await verify(MODE.true, passed.with(3, 256n), at)).toBe(false);
  });

  test("is not there where no wallet signs", async () => {
    expect(await shows(front, [1n, 2n, 3n], [1n, 2n, 3n])).toBe(true);
  });

  test("needs bytes to be made of", async () => {
    await expect(deployFront(verifier, 31n, (1n << 31n) - 1n, SIGNED.message)).rejects.toThrow("BadLayout");
    await expect(deployFront(verifier, 40n, (1n << 32n) - 2n, SIGNED.message)).rejects.toThrow("BadLayout");
    const short = deployFront(verifier, 96n, (1n << 95n) - 1n, SIGNED.messageOrAction);
    await expect(short).rejects.toThrow("BadLayout");
  });

  test("costs the caller no more than the front asks for", async () => {
    const at = await deployFront(verifier, 192n, (1n << 192n) - 1n, SIGNED.messageOrAction);
    const passed = words(signal, zeroHash, zeroHash, signal, domain, action);
    expect(await verify(MODE.expensive, passed, at, 13_000_000n)).toBe(true);
    await expect(verify(MODE.true, passed, at, 12_100_000n)).rejects.toThrow(/NotEnoughGas/);
  });
});

async function deployFront(at: Address, count: bigint, mask: bigint, signed = SIGNED.none): Promise<Address> {
  const args: [Address, bigint, bigint, bigint, number] = [
    at,
    count,
    BigInt.asUintN(256, mask),
    mask >> 256n,
    signed,
  ];
  const data = encodeDeployData({ ...VerifierFront, args });
  await named(chain.client.call({ data }), VerifierFront.abi);
  return chain.deploy(VerifierFront, args);
}

async function verify(
  mode: number,
  inputs = [1n, 2n, 3n],
  at = front,
  gas = 25_000_000n,
  expected: Hex = "0x",
): Promise<boolean> {
  const words = inputs.map((input) => toHex(input, { size: 32 }));
  const data = encodeFunctionData({
    abi: VerifierFront.abi,
    functionName: "verify",
    args: [concat([toHex(mode, { size: 32 }), expected]), words],
  });
  const result = await named(chain.client.call({ to: at, data, gas }), VerifierFront.abi);
  return decodeFunctionResult({ abi: VerifierFront.abi, functionName: "verify", data: result.data ?? "0x" });
}

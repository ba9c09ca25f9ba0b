import {
  type Address,
  decodeFunctionResult,
  encodeDeployData,
  encodeFunctionData,
  parseAbi,
  toHex,
} from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { VerifierFront } from "./index";
import { double, testChain } from "./test/chain";
import { named } from "./test/refusal";

/** BN254 scalar modulus (EIP-197 names it the curve's order). */
const R = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
/** What the verifier double does, as the proof's only word. */
const MODE = { false: 0, true: 1, revert: 2, invalid: 3, loop: 4, expensive: 5 };

let chain: Awaited<ReturnType<typeof testChain>>;
let verifier: Address;
let front: Address;

beforeAll(async () => {
  chain = await testChain();
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

async function deployFront(at: Address, count: bigint, mask: bigint): Promise<Address> {
  const args: [Address, bigint, bigint, bigint] = [at, count, BigInt.asUintN(256, mask), mask >> 256n];
  const data = encodeDeployData({ ...VerifierFront, args });
  await named(chain.client.call({ data }), VerifierFront.abi);
  return chain.deploy(VerifierFront, args);
}

async function verify(mode: number, inputs = [1n, 2n, 3n], at = front, gas = 25_000_000n): Promise<boolean> {
  const words = inputs.map((input) => toHex(input, { size: 32 }));
  const data = encodeFunctionData({
    abi: VerifierFront.abi,
    functionName: "verify",
    args: [toHex(mode, { size: 32 }), words],
  });
  const result = await named(chain.client.call({ to: at, data, gas }), VerifierFront.abi);
  return decodeFunctionResult({ abi: VerifierFront.abi, functionName: "verify", data: result.data ?? "0x" });
}

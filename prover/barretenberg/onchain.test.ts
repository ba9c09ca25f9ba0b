import { type Address, bytesToHex, type Hex } from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CEREMONY_CRS } from "@/lib/proofs/testing/crs";
import { VerifierFront } from "../../contracts/index";
import { type LocalChain, startLocalChain } from "../../contracts/local-chain";
import { startBb } from "./bb";
import { type DeployedVerifier, deployVerifier } from "./deploy";
import { KeysError } from "./errors";
import { closeExecutor, executeCircuit } from "./execute";
import { byteWordsMask } from "./front-values";
import { ensureKeys } from "./keys";
import { requiredPoints } from "./points";
import { createRunner, type Runner } from "./runner";
import { ensureSrs } from "./srs";
import { ownCache } from "./test/cache";
import { compileCircuit, word } from "./test/circuits";
import type { CircuitArtifact, CircuitKeys, Proof, Srs } from "./types";

/** BN254 scalar modulus. */
const R = 21888242871839275222246405745257275088548364400416034343698204186575808495617n;
/** Public inputs of the test circuits: a field, then four bytes. */
const LAYOUT = { count: 5, byteWords: [{ from: 1, count: 4 }] };
ownCache();
let chain: LocalChain;
let square: CircuitArtifact;
let cube: CircuitArtifact;

beforeAll(async () => {
  chain = await startLocalChain();
  square = await compileCircuit("square");
  cube = await compileCircuit("cube");
});
afterAll(async () => {
  await closeExecutor();
  await chain.stop();
});

function deploy(keys: CircuitKeys): Promise<DeployedVerifier> {
  return deployVerifier(chain.wallet(0), chain.client, keys, LAYOUT);
}

function verify(address: Address, proof: Uint8Array, publicInputs: readonly Hex[]): Promise<boolean> {
  return chain.client.readContract({
    address,
    abi: VerifierFront.abi,
    functionName: "verify",
    args: [bytesToHex(proof), publicInputs],
  });
}

async function prove(
  runner: Runner,
  artifact: CircuitArtifact,
  inputs: Record<string, unknown>,
): Promise<Proof> {
  const { witness } = await executeCircuit(artifact, inputs);
  return runner.prove({ circuit: artifact.name, witness });
}

/** Everything for one SRS: both circuits' keys and verifiers, a runner, and an honest proof of each. */
async function stack(srs: Srs) {
  const keys = {
    square: await ensureKeys({ artifact: square, srs }),
    cube: await ensureKeys({ artifact: cube, srs }),
  };
  const contracts = { square: await deploy(keys.square), cube: await deploy(keys.cube) };
  const runner = createRunner({
    srs,
    circuits: [
      { artifact: square, keys: keys.square },
      { artifact: cube, keys: keys.cube },
    ],
  });
  const proofs = {
    square: await prove(runner, square, { x: 12, y: 144, data: [1, 4, 2, 3] }),
    cube: await prove(runner, cube, { x: 3, y: 27, data: [7, 7, 8, 9] }),
  };
  return { srs, keys, contracts, runner, proofs };
}

let development: Awaited<ReturnType<typeof stack>>;
let ignition: Awaited<ReturnType<typeof stack>>;
beforeAll(async () => {
  const points = await requiredPoints([square, cube]);
  development = await stack(await ensureSrs({ points, require: "development" }));
  ignition = await stack(await ensureSrs({ points: 32_768, path: CEREMONY_CRS }));
});
afterAll(() => Promise.all([development?.runner.close(), ignition?.runner.close()]));

// The same guarantees with an SRS of our own and with the ceremony's.
describe.each(["development", "ignition"] as const)("with the %s SRS", (kind) => {
  const world = () => (kind === "development" ? development : ignition);

  test("an honest proof is accepted on chain, with the public inputs it was asked for", async () => {
    const { srs, contracts, proofs } = world();
    expect(srs.kind).toBe(kind);
    expect(proofs.square.publicInputs).toEqual([144, 1, 4, 2, 3].map(word));
    expect(await verify(contracts.square.front, proofs.square.proof, proofs.square.publicInputs)).toBe(true);
    expect(await verify(contracts.cube.front, proofs.cube.proof, proofs.cube.publicInputs)).toBe(true);
  });

  test("a proof changed anywhere is false, not a revert", async () => {
    const { contracts, proofs } = world();
    const { proof, publicInputs } = proofs.square;
    // One bit in every eleventh word, and the last one: commitments, univariates, evaluations, openings.
    for (let at = 31; at < proof.length; at += 32 * 11) {
      const changed = proof.slice();
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(await verify(contracts.square.front, changed, publicInputs), `byte ${at}`).toBe(false);
    }
    for (const changed of [
      proof.slice(0, -32),
      proof.slice(0, -1),
      new Uint8Array(0),
      new Uint8Array(proof.length),
      new Uint8Array(proof.length).fill(255),
      new Uint8Array([...proof, ...new Uint8Array(32)]),
    ]) {
      expect(await verify(contracts.square.front, changed, publicInputs)).toBe(false);
    }
  });

  test("other public inputs are false", async () => {
    const { contracts, proofs } = world();
    const { proof, publicInputs } = proofs.square;
    for (let i = 0; i < publicInputs.length; i++) {
      const changed = publicInputs.map((input, at) => (at === i ? word(BigInt(input) + 1n) : input));
      expect(await verify(contracts.square.front, proof, changed), `input ${i}`).toBe(false);
    }
    for (const changed of [[], publicInputs.slice(1), [...publicInputs, word(0)]]) {
      expect(await verify(contracts.square.front, proof, changed)).toBe(false);
    }
  });

  test("an input written as x + r is false; the generated verifier itself reverts", async () => {
    const { contracts, proofs } = world();
    const { proof, publicInputs } = proofs.square;
    for (const i of [0, 1]) {
      const twin = publicInputs.map((input, at) => (at === i ? word(BigInt(input) + R) : input));
      await expect(verify(contracts.square.verifier, proof, twin)).rejects.toThrow("reverted");
      expect(await verify(contracts.square.front, proof, twin)).toBe(false);
    }
  });

  test("another circuit's proof is false", async () => {
    const { contracts, proofs } = world();
    expect(await verify(contracts.cube.front, proofs.square.proof, proofs.square.publicInputs)).toBe(false);
    expect(await verify(contracts.square.front, proofs.cube.proof, proofs.cube.publicInputs)).toBe(false);
  });

  test("an honest verification costs less than half of what the front allows it", async () => {
    const { contracts, proofs } = world();
    const gas = await chain.client.estimateContractGas({
      address: contracts.square.verifier,
      abi: VerifierFront.abi,
      functionName: "verify",
      args: [bytesToHex(proofs.square.proof), proofs.square.publicInputs],
    });
    expect(gas).toBeLessThan(6_000_000n);
  });
});

test("the ceremony's verifier is what bb writes, to the letter; a development one differs in four words", async () => {
  const bb = await startBb({ srsPath: ignition.srs.path, threads: 1 });
  const { solidityCode } = await bb.api.circuitWriteSolidityVerifier({
    verificationKey: ignition.keys.square.vk,
    settings: {
      oracleHashType: "keccak",
      disableZk: false,
      ipaAccumulation: false,
      optimizedSolidityVerifier: false,
    },
  });
  await bb.kill();
  expect(ignition.keys.square.soliditySource).toBe(solidityCode);
  expect(development.keys.square.soliditySource).not.toContain(
    "260e01b251f6f1c7e7ff4e580791dee8ea51d87a358e038b4efe30fac09383c1",
  );
});

test("proofs do not pass from one SRS to the other", async () => {
  const { proof, publicInputs } = development.proofs.square;
  expect(await verify(ignition.contracts.square.front, proof, publicInputs)).toBe(false);
  const real = ignition.proofs.square;
  expect(await verify(development.contracts.square.front, real.proof, real.publicInputs)).toBe(false);
});

describe("keys", () => {
  test("are found again in the cache, the same", async () => {
    const { srs, keys } = development;
    const again = await ensureKeys({ artifact: square, srs, onProgress: () => expect.fail("made twice") });
    expect(again).toEqual(keys.square);
    expect(keys.square).toMatchObject({ circuit: "square", publicInputs: 5, srs: { kind: "development" } });
  });

  test("differ by circuit and by SRS", () => {
    const all = [development.keys.square, development.keys.cube, ignition.keys.square, ignition.keys.cube];
    expect(new Set(all.map(({ vkHash }) => vkHash)).size).toBe(4);
  });

  test("are refused for an SRS with too few points", async () => {
    const srs = { ...development.srs, points: 2, digest: "other" };
    await expect(ensureKeys({ artifact: square, srs })).rejects.toThrow(KeysError);
  });

  test("are refused by a runner on another SRS", () => {
    const circuits = [{ artifact: square, keys: development.keys.square }];
    expect(() => createRunner({ srs: ignition.srs, circuits })).toThrow(/another SRS/);
  });

  test("warm notices a key that this SRS does not give", async () => {
    const keys = { ...ignition.keys.square, srs: development.keys.square.srs };
    const runner = createRunner({ srs: development.srs, circuits: [{ artifact: square, keys }] });
    await expect(runner.warm()).rejects.toMatchObject({ code: "rejected", retry: false });
    await runner.close();
    await development.runner.warm();
  });
});

describe("deployment", () => {
  test("refuses a layout that is not the circuit's", async () => {
    for (const layout of [
      { count: 4, byteWords: [] },
      { count: 5, byteWords: [{ from: 3, count: 3 }] },
    ]) {
      await expect(
        deployVerifier(chain.wallet(0), chain.client, development.keys.square, layout),
      ).rejects.toThrow(KeysError);
    }
  });

  test("marks the words of a layout that are bytes", () => {
    expect(byteWordsMask({ count: 5, byteWords: [{ from: 1, count: 2 }] })).toBe(0b00110n);
    expect(byteWordsMask({ count: 512, byteWords: [{ from: 0, count: 512 }] })).toBe((1n << 512n) - 1n);
    expect(byteWordsMask({ count: 0, byteWords: [] })).toBe(0n);
    expect(() => byteWordsMask({ count: 513, byteWords: [] })).toThrow(KeysError);
  });
});

/**
 * `npx tsx scripts/circuits/forge-ecdsa.ts`: whether Barretenberg's ECDSA constraints refuse what its solver
 * refuses.
 *
 * A witness with a wrong signature cannot be solved, but it can be written by hand. For each such witness
 * this makes a proof (development setup data) and asks the verifier contract on a local chain. Prints one
 * line each; exits 1 when a forged one verifies or the honest one does not.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { secp256k1 } from "@noble/curves/secp256k1.js";
import { acvm } from "@noir-lang/noir_js";
import { bytesToHex, hexToBytes, keccak256, numberToHex, toHex } from "viem";
import { privateKeyToAccount, sign } from "viem/accounts";
import { VerifierFront } from "@/contracts/index";
import { startLocalChain } from "@/contracts/local-chain";
import {
  CircuitArtifact,
  closeExecutor,
  createRunner,
  ensureKeys,
  ensureSrs,
  executeCircuit,
  requiredPoints,
} from "@/prover/barretenberg";
import { deployVerifier } from "@/prover/barretenberg/deploy";
import { compileCircuit } from "./compile";

const SOURCE = `fn main(x: [u8; 32], y: [u8; 32], signature: [u8; 64], hash: [u8; 32], shown: pub [u8; 4]) {
    assert(std::ecdsa_secp256k1::verify_signature(x, y, signature, hash));
    assert(shown[0] == shown[1]);
}`;
/** First witness of each number of 32 bytes: witnesses are numbered as the parameters stand. */
const AT = { x: 0, y: 32, r: 64, s: 96, hash: 128 };
type Numbers = Record<keyof typeof AT, bigint>;

async function compiled(): Promise<CircuitArtifact> {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), "parley-ecdsa-"));
  try {
    const dir = path.join(root, "bin", "ecdsa");
    fs.mkdirSync(path.join(dir, "src"), { recursive: true });
    fs.writeFileSync(
      path.join(dir, "Nargo.toml"),
      '[package]\nname = "ecdsa"\ntype = "bin"\n[dependencies]\n',
    );
    fs.writeFileSync(path.join(dir, "src", "main.nr"), SOURCE);
    return CircuitArtifact.parse(await compileCircuit(root, "ecdsa"));
  } finally {
    fs.rmSync(root, { recursive: true, force: true });
  }
}

const bytes32 = (value: bigint) => [...hexToBytes(numberToHex(value, { size: 32 }))];

async function honestNumbers(): Promise<Numbers> {
  const privateKey = numberToHex(0x1234n, { size: 32 });
  const hash = keccak256("0x1234");
  const { r, s } = await sign({ hash, privateKey });
  const point = hexToBytes(privateKeyToAccount(privateKey).publicKey);
  const number = (from: number) => BigInt(bytesToHex(point.slice(from, from + 32)));
  return { x: number(1), y: number(33), r: BigInt(r), s: BigInt(s), hash: BigInt(hash) };
}

/** What is written over the honest numbers. */
function forgeries({ hash, r, s, x, y }: Numbers): [name: string, Partial<Numbers>][] {
  const order = secp256k1.Point.Fn.ORDER;
  const prime = secp256k1.Point.Fp.ORDER;
  return [
    ["s above half the order", { s: order - s }],
    ["r zero", { r: 0n }],
    ["s zero", { s: 0n }],
    ["r and s zero", { r: 0n, s: 0n }],
    ["r the order", { r: order }],
    ["s the order", { s: order }],
    ["r larger by one", { r: r + 1n }],
    ["s larger by one", { s: s + 1n }],
    ["another hash", { hash: hash ^ 1n }],
    ["hash and r zero", { hash: 0n, r: 0n }],
    ["key off the curve", { x: x ^ 1n }],
    ["key negated", { y: prime - y }],
    ["key at infinity", { x: 0n, y: 0n }],
    ["all zero", { x: 0n, y: 0n, r: 0n, s: 0n, hash: 0n }],
  ];
}

/** The honest witness with numbers written over it; the result of the verification stays "valid". */
function forged(witness: Uint8Array, numbers: Partial<Numbers>): Uint8Array {
  const [top] = acvm.decompressWitnessStack(witness);
  if (!top) throw new Error("No witness.");
  for (const [name, value] of Object.entries(numbers)) {
    const from = Object.entries(AT).find(([known]) => known === name)?.[1] ?? 0;
    for (const [i, byte] of bytes32(value).entries()) top.witness.set(from + i, toHex(byte, { size: 32 }));
  }
  return acvm.compressWitnessStack([top]);
}

const artifact = await compiled();
const srs = await ensureSrs({ points: await requiredPoints([artifact]), require: "development" });
const keys = await ensureKeys({ artifact, srs });
const runner = createRunner({ srs, circuits: [{ artifact, keys }] });
const chain = await startLocalChain(31337);
try {
  const layout = { count: 4, byteWords: [{ from: 0, count: 4 }] };
  const { front } = await deployVerifier(chain.wallet(0), chain.client, keys, layout);

  const verifies = async (witness: Uint8Array): Promise<boolean> => {
    const { proof, publicInputs } = await runner.prove({ circuit: artifact.name, witness });
    return chain.client.readContract({
      address: front,
      abi: VerifierFront.abi,
      functionName: "verify",
      args: [bytesToHex(proof), publicInputs],
    });
  };

  const honest = await honestNumbers();
  const { witness } = await executeCircuit(artifact, {
    x: bytes32(honest.x),
    y: bytes32(honest.y),
    signature: [...bytes32(honest.r), ...bytes32(honest.s)],
    hash: bytes32(honest.hash),
    shown: [1, 1, 2, 3],
  });
  const cases: [string, Partial<Numbers>, boolean][] = [
    ["honest", {}, true],
    ...forgeries(honest).map(([name, numbers]): [string, Partial<Numbers>, boolean] => [
      name,
      numbers,
      false,
    ]),
  ];
  for (const [name, numbers, expected] of cases) {
    const answer = await verifies(forged(witness, numbers));
    console.log(
      `${answer === expected ? "ok  " : "FAIL"} ${name}: ${answer ? "verifies" : "does not verify"}`,
    );
    if (answer !== expected) process.exitCode = 1;
  }
} finally {
  await runner.close();
  await closeExecutor();
  await chain.stop();
}

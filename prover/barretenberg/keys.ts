import { createHash } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { bytesToBigInt, bytesToHex, hexToBytes } from "viem";
import { z } from "zod";
import { CEREMONY_G2 } from "@/lib/proofs/ceremony";
import { hexSchema } from "@/lib/proofs/hex";
import { cacheFolder } from "@/lib/settings/general";
import { bytecodeSha256, circuitBytecode } from "./artifact";
import { bbVersion, EVM_SETTINGS, withBb } from "./bb";
import { writeDirectory } from "./cache";
import { KeysError } from "./errors";
import { countPoints } from "./points";
import type { CircuitArtifact, CircuitKeys, OnProgress, Srs } from "./types";

/** Raise when the contents of a cached key, or how it is made, change. */
const FORMAT = 2;
/** Public inputs that bb adds to every circuit: the pairing points of a recursive proof, unused here. */
const PAIRING_POINTS = 8;

const CachedKeys = z.object({
  circuit: z.string(),
  bytecodeSha256: z.string(),
  srs: z.object({ kind: z.enum(["ignition", "development"]), digest: z.string() }),
  bbVersion: z.string(),
  vk: hexSchema,
  vkHash: hexSchema,
  publicInputs: z.number().int(),
  logCircuitSize: z.number().int(),
});

export interface EnsureKeysOptions {
  artifact: CircuitArtifact;
  srs: Srs;
  /** cores for computing the verification key; default 2 */
  threads?: number;
  onProgress?: OnProgress;
}

/**
 * Returns the circuit's verification key and the source of its Solidity verifier for the SRS: from the cache (by circuit
 * build, SRS and bb), or made in a few seconds.
 * @throws KeysError if the SRS has too few points, or bb's output is not what this code was written for
 */
export async function ensureKeys(options: EnsureKeysOptions): Promise<CircuitKeys> {
  const { artifact, srs } = options;
  const version = await bbVersion();
  const directory = keysDirectory(artifact, srs, version);
  const cached = await readCached(directory);
  if (cached) return { ...cached, circuit: artifact.name };

  const keys = await makeKeys(options, version);
  const { soliditySource, vk, ...rest } = keys;
  await writeDirectory(directory, {
    "keys.json": JSON.stringify({ ...rest, vk: bytesToHex(vk) }),
    "Verifier.sol": soliditySource,
    vk,
  });
  return keys;
}

async function makeKeys(options: EnsureKeysOptions, version: string): Promise<CircuitKeys> {
  const { artifact, srs, threads = 2, onProgress = () => {} } = options;
  const bytecode = circuitBytecode(artifact);
  onProgress({ step: "verification-key", fraction: 0 });
  const made = await withBb({ srsPath: srs.path, threads }, async (api) => {
    const points = await countPoints(api, artifact);
    // bb would not fail but download the rest.
    if (points > srs.points) {
      throw new KeysError(`${artifact.name} needs ${points} SRS points, there are ${srs.points}`);
    }
    const { bytes: vk, hash } = await api.circuitComputeVk({
      circuit: { name: artifact.name, bytecode },
      settings: EVM_SETTINGS,
    });
    onProgress({ step: "solidity-verifier", fraction: 0 });
    const { solidityCode } = await api.circuitWriteSolidityVerifier({
      verificationKey: vk,
      settings: EVM_SETTINGS,
    });
    return { vk, hash, solidityCode };
  });
  const soliditySource = verifierFor(srs, made.solidityCode);
  onProgress({ step: "solidity-verifier", fraction: 1 });
  return {
    circuit: artifact.name,
    bytecodeSha256: bytecodeSha256(artifact),
    srs: { kind: srs.kind, digest: srs.digest },
    bbVersion: version,
    vk: made.vk,
    vkHash: bytesToHex(made.hash),
    ...readVkHeader(made.vk),
    soliditySource,
  };
}

/** Reads the key's first three 32-byte words: log size, number of public inputs, their offset. */
function readVkHeader(vk: Uint8Array): { logCircuitSize: number; publicInputs: number } {
  const word = (i: number) => Number(bytesToBigInt(vk.subarray(i * 32, i * 32 + 32)));
  const logCircuitSize = word(0);
  const publicInputs = word(1) - PAIRING_POINTS;
  if (logCircuitSize < 1 || logCircuitSize > 28 || publicInputs < 0) {
    throw new KeysError("bb's verification key does not start as expected");
  }
  return { logCircuitSize, publicInputs };
}

function keysDirectory(artifact: CircuitArtifact, srs: Srs, version: string): string {
  const id = createHash("sha256")
    .update(JSON.stringify([FORMAT, bytecodeSha256(artifact), srs.digest, version, EVM_SETTINGS]))
    .digest("hex");
  return path.join(cacheFolder(), `keys-${id.slice(0, 32)}`);
}

async function readCached(directory: string): Promise<CircuitKeys | undefined> {
  try {
    const [json, soliditySource] = await Promise.all([
      readFile(path.join(directory, "keys.json"), "utf8"),
      readFile(path.join(directory, "Verifier.sol"), "utf8"),
    ]);
    const { vk, ...rest } = CachedKeys.parse(JSON.parse(json));
    return { ...rest, vk: hexToBytes(vk), soliditySource };
  } catch {
    await rm(directory, { recursive: true, force: true }); // absent or damaged: made again
    return undefined;
  }
}

/**
 * Makes bb's generated verifier check against the SRS. bb always writes the ceremony's [x]_2 into it; for a development
 * SRS, these four words are replaced, and nothing else.
 * @throws KeysError unless the source contains each of the four words exactly once, adjacent and in order
 */
export function verifierFor(srs: Pick<Srs, "kind" | "g2">, source: string): string {
  const expected = literals(CEREMONY_G2);
  const pattern = new RegExp(expected.map((word) => `uint256\\(${word}\\)`).join(",\\s*"), "g");
  if (source.match(pattern)?.length !== 1 || expected.some((word) => source.split(word).length !== 2)) {
    throw new KeysError("the generated verifier does not contain the ceremony's G2 point exactly once");
  }
  if (srs.kind === "ignition") return source;
  const own = literals(srs.g2);
  let out = source;
  for (const [i, word] of expected.entries()) out = out.replace(word, own[i] ?? "");
  return out;
}

/** Returns the four words of a G2 point as the pairing precompile expects them (EIP-197: imaginary part first). */
function literals(g2: Uint8Array): string[] {
  const word = (i: number) => bytesToHex(g2.subarray(i * 32, i * 32 + 32));
  return [word(1), word(0), word(3), word(2)];
}

import { setTimeout as sleep } from "node:timers/promises";
import { type Address, bytesToHex, type Hex, keccak256, numberToHex, type PublicClient, slice } from "viem";
import { deployedCode, startLocalChain } from "@/contracts/local-chain";
import type { CircuitId, Deployment } from "@/lib/proofs/deployment";
import { layoutWords } from "@/lib/proofs/signed-digest";
import { verifyOnChain } from "@/lib/proofs/verify";
import {
  type CircuitArtifact,
  type CircuitKeys,
  closeExecutor,
  createRunner,
  executeCircuit,
  type Proof,
  type PublicInputLayout,
  type Srs,
} from "@/prover/barretenberg";
import { ensureVerifier } from "@/prover/barretenberg/compiled-verifier";
import { frontCode, linkedCode } from "@/prover/barretenberg/deploy";
import { honestInputs } from "../../circuits/honest-inputs";

/** The contracts of one circuit, by address. */
export interface VerifierContracts {
  front: Address;
  verifier: Address;
  libraries: Readonly<Record<string, Address>>;
}

/** How often to ask a node for code that it has just confirmed. */
const VISIBLE_TRIES = 20;
const VISIBLE_EVERY_MS = 1_500;

/**
 * Compares the code on a chain, byte for byte, with the code from our sources. A local anvil runs the same constructors, so
 * the node cannot influence the expected code.
 * @param tries how often to ask for code that is not there yet
 * @returns the problems, one line each; empty when all is correct
 */
export async function codeProblems(
  client: PublicClient,
  contracts: VerifierContracts,
  { keys, layout, tries = VISIBLE_TRIES }: { keys: CircuitKeys; layout: PublicInputLayout; tries?: number },
): Promise<string[]> {
  const problems: string[] = [];
  const expected = await expectedCodes(contracts, keys, layout);
  for (const [name, { address, code }] of Object.entries(expected)) {
    const found = await codeAt(client, address, tries);
    if (found === undefined) problems.push(`${name}: there is no code at ${address}`);
    else if (found !== code) problems.push(`${name}: the code at ${address} differs from the sources`);
  }
  return problems;
}

/** Returns keccak256 of the code of each contract, by name. @throws Error when one has no code */
export async function codeHashes(
  client: PublicClient,
  { front, verifier, libraries }: VerifierContracts,
): Promise<Record<string, Hex>> {
  const named = Object.entries({ ...libraries, verifier, front });
  const hashes = named.map(async ([name, address]) => {
    const code = await client.getCode({ address });
    if (!code) throw new Error(`${name}: there is no code at ${address}`);
    return [name, keccak256(code)] as const;
  });
  return Object.fromEntries(await Promise.all(hashes));
}

async function expectedCodes(contracts: VerifierContracts, keys: CircuitKeys, layout: PublicInputLayout) {
  const compiled = await ensureVerifier(keys);
  const scratch = await startLocalChain(31337);
  try {
    const run = (creation: Hex) => deployedCode(scratch.client, creation);
    const expected: Record<string, { address: Address; code: Hex }> = {};
    for (const library of compiled.libraries) {
      const address = contracts.libraries[library.name];
      if (!address) throw new Error(`the address of ${library.name} is not known`);
      expected[library.name] = { address, code: libraryCode(await run(linkedCode(library, {})), address) };
    }
    const verifier = await run(linkedCode(compiled, { ...contracts.libraries }));
    expected.verifier = { address: contracts.verifier, code: verifier };
    // The front's constructor checks that there is a verifier.
    await scratch.control.setCode({ address: contracts.verifier, bytecode: verifier });
    expected.front = { address: contracts.front, code: await run(frontCode(contracts.verifier, layout)) };
    return expected;
  } finally {
    await scratch.stop();
  }
}

/** A library's code starts with PUSH20 of its own address (Solidity, "Call Protection For Libraries"). */
function libraryCode(code: Hex, address: Address): Hex {
  if (slice(code, 0, 1) !== "0x73") throw new Error("a library's code does not start with its address");
  return `0x73${address.slice(2).toLowerCase()}${slice(code, 21).slice(2)}`;
}

async function codeAt(client: PublicClient, address: Address, tries: number): Promise<Hex | undefined> {
  for (let left = tries; left > 0; left--) {
    const code = await client.getCode({ address });
    if (code) return code;
    if (left > 1) await sleep(VISIBLE_EVERY_MS);
  }
  return undefined;
}

/** Creates an honest proof of a circuit, with test keys. */
export async function honestProof(proving: {
  circuit: CircuitId;
  mode: Deployment["mode"];
  artifact: CircuitArtifact;
  keys: CircuitKeys;
  srs: Srs;
}): Promise<Proof> {
  const { circuit, mode, artifact, keys, srs } = proving;
  const runner = createRunner({ srs, circuits: [{ artifact, keys }] });
  try {
    const { witness } = await executeCircuit(artifact, await honestInputs(circuit, mode));
    const { proof, publicInputs } = await runner.prove({ circuit: artifact.name, witness });
    return { proof, publicInputs: layoutWords(circuit, publicInputs) };
  } finally {
    await runner.close();
    await closeExecutor();
  }
}

/**
 * Has a deployed front verify an honest proof, the same proof with one bit changed, and the same proof for other public
 * inputs, with the call that both programs use.
 * @returns the problems, one line each; empty when all is correct
 */
export async function proofProblems(
  where: { circuit: CircuitId; chainId: number; rpcUrl: string; front: Address; vkHash: Hex },
  { proof, publicInputs }: Proof,
): Promise<string[]> {
  const { circuit, chainId, rpcUrl, front: address, vkHash } = where;
  const deployment = {
    chains: [{ id: chainId, name: `chain ${chainId}`, rpcUrl, publicRpcUrl: rpcUrl, explorerUrl: null }],
    verifiers: { [circuit]: { chainId, address, vkHash } },
  };
  const verify = (changed: Uint8Array, inputs: readonly Hex[]) =>
    verifyOnChain(deployment, { circuit, proof: bytesToHex(changed), publicInputs: inputs });
  const bent = proof.with(-1, (proof.at(-1) ?? 0) ^ 1);
  const other = publicInputs.with(-1, numberToHex(BigInt(publicInputs.at(-1) ?? 0) ^ 1n, { size: 32 }));
  const problems: string[] = [];
  if ((await verify(proof, publicInputs)) !== "valid") problems.push("front: an honest proof is refused");
  if ((await verify(bent, publicInputs)) !== "invalid") problems.push("front: a changed proof is accepted");
  if ((await verify(proof, other)) !== "invalid") problems.push("front: other public inputs are accepted");
  return problems;
}

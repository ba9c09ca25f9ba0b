import { readFile } from "node:fs/promises";
import path from "node:path";
import {
  type Address,
  concat,
  getAddress,
  getContract,
  type Hex,
  keccak256,
  parseAbi,
  slice,
  toHex,
} from "viem";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { committedAttestedVectors, committedOidcVectors } from "@/circuits/vectors/index";
import { hex } from "@/circuits/vectors/schema";
import { byteWordMask, circuits, decodePublicInputs, signedDigests } from "@/lib/proofs/registry";
import { circuitWords } from "@/lib/proofs/signed-digest";
import { attestedCircuits } from "@/lib/proofs/trust/attesters";
import { FIELD_MODULUS, formatWords, parseWords } from "@/lib/proofs/words";
import { compileSolidity } from "./compile";
import { VerifierFront } from "./index";
import { startLocalChain } from "./local-chain";
import { double } from "./test/double";

// What the circuits' vectors say, computed by contracts, and their public inputs shown to the verifier front.

const abi = parseAbi([
  "function scopeWord(string) pure returns (bytes32)",
  "function oidcNullifier(string, bytes32) pure returns (bytes32)",
  "function countrySignalHash(address, string, string) pure returns (bytes32)",
  "function eligibilitySignalHash(string, string, string) pure returns (bytes32)",
  "function walletNullifier(address, bytes32, bytes32) pure returns (bytes32)",
  "function leaf(address) pure returns (bytes32)",
  "function root(address, uint256, bytes32[]) pure returns (bytes32)",
  "function domainSeparator(string, string, uint256, address) pure returns (bytes32)",
  "function voteHash(uint256, string, bytes32) pure returns (bytes32)",
  "function actionDigest(bytes32, bytes32) pure returns (bytes32)",
  "function identityDigest(bytes32) pure returns (bytes32)",
  "function signerOf(bytes32, uint8, bytes32, bytes32) pure returns (address)",
]);
const Vote = z.object({
  domain: z.object({ name: z.string(), version: z.string(), chainId: z.number(), verifyingContract: hex }),
  message: z.object({ proposal: z.string(), choice: z.string(), voter: z.object({ nullifier: hex }) }),
});

const oidc = committedOidcVectors();
const attested = attestedCircuits.map((id) => committedAttestedVectors(id));

let chain: Awaited<ReturnType<typeof startLocalChain>>;
let derive: ReturnType<typeof derivationsAt>["read"];
let verifier: Address;
beforeAll(async () => {
  chain = await startLocalChain();
  const source = await readFile(path.join(import.meta.dirname, "test", "derivations.sol"), "utf8");
  const { Derivations } = compileSolidity({ "derivations.sol": source });
  if (!Derivations) throw new Error("no contract");
  const bytecode: Hex = `0x${Derivations.bytecode.slice(2)}`;
  derive = derivationsAt(await chain.deploy({ abi, bytecode })).read;
  // It says yes to everything.
  verifier = await chain.deploy({ abi: [], bytecode: await double("VerifierDouble") });
}, 60_000);
afterAll(() => chain.stop());

function derivationsAt(address: Address) {
  return getContract({ address, abi, client: chain.client });
}

describe("derivations on chain", () => {
  test("scopes and the nullifiers of addresses", async () => {
    for (const { text, word } of oidc.derivations.scopes) expect(await derive.scopeWord([text])).toBe(word);
    for (const { email, scope, nullifier } of oidc.derivations.nullifiers) {
      expect(await derive.oidcNullifier([email, scope])).toBe(nullifier);
    }
  });

  test.each(attested)("$circuit: signal hashes and nullifiers", async ({ circuit, derivations: own }) => {
    expect(await derive.scopeWord([circuit])).toBe(own.tag);
    for (const { user, scope, nonce, signalHash } of own.signalHashes) {
      const onChain =
        nonce === undefined
          ? derive.countrySignalHash([user, scope, circuit])
          : derive.eligibilitySignalHash([circuit, scope, nonce]);
      expect(await onChain).toBe(signalHash);
    }
    for (const { user, tag, scope, nullifier } of own.nullifiers) {
      expect(await derive.walletNullifier([user, tag, scope])).toBe(nullifier);
    }
  });

  test.each(attested)("$circuit: leaves and roots", async ({ derivations: own }) => {
    for (const { signers, leaves, root, proofs } of own.trees) {
      for (const [index, signer] of signers.entries()) {
        expect(await derive.leaf([signer])).toBe(leaves[index]);
        expect(await derive.root([signer, BigInt(index), proofs[index] ?? []])).toBe(root);
      }
    }
  });

  test.each(attested)("$circuit: EIP-712 hashes of actions", async ({ derivations: own }) => {
    for (const { typedData, domainSeparator, actionHash, digest } of own.actions) {
      const { domain, message } = Vote.parse(typedData);
      const { name, version, chainId, verifyingContract } = domain;
      expect(await derive.domainSeparator([name, version, BigInt(chainId), verifyingContract])).toBe(
        domainSeparator,
      );
      const { proposal, choice, voter } = message;
      expect(await derive.voteHash([BigInt(proposal), choice, voter.nullifier])).toBe(actionHash);
      expect(await derive.actionDigest([domainSeparator, actionHash])).toBe(digest);
    }
  });

  test.each(attested)("$circuit: the wallet of a case signed its statement", async ({ circuit, cases }) => {
    for (const { inputs, publicInputs } of cases) {
      if (!publicInputs) continue;
      const facts = decodePublicInputs(circuit, publicInputs);
      if (facts.circuit === "oidc_domain_attestation") throw new Error("another circuit");
      const digest =
        "action" in facts && facts.action
          ? await derive.actionDigest([facts.action.domainSeparator, facts.action.actionHash])
          : await derive.identityDigest([facts.signalHash]);
      const bytes = (name: string) => hex.parse(inputs[name]);
      const [r, s] = [bytes("user_signature_r"), bytes("user_signature_s")];
      const point = concat([bytes("user_pubkey_x"), bytes("user_pubkey_y")]);
      const user = getAddress(slice(keccak256(point), 12));
      const signers = await Promise.all([27, 28].map((v) => derive.signerOf([digest, v, r, s])));
      expect(signers).toContain(user);
    }
  });
});

describe.each([oidc, ...attested])("$circuit: the verifier front", ({ circuit, cases }) => {
  const blobs = cases.flatMap(({ publicInputs }) => publicInputs ?? []);
  let front: Address;
  beforeAll(async () => {
    const mask = byteWordMask(circuit);
    const count = BigInt(circuits[circuit].publicWords);
    const signed = signedDigests.indexOf(circuits[circuit].signedDigest);
    const low = BigInt.asUintN(256, mask);
    front = await chain.deploy(VerifierFront, [verifier, count, low, mask >> 256n, signed]);
  });
  /** The double's answer: yes, or whether it is shown the inputs with this hash. */
  const verify = (words: readonly bigint[], shown?: Hex): Promise<boolean> =>
    chain.client.readContract({
      address: front,
      abi: VerifierFront.abi,
      functionName: "verify",
      args: [
        shown === undefined ? toHex(1, { size: 32 }) : concat([toHex(6, { size: 32 }), shown]),
        formatWords(words),
      ],
    });

  test("takes the public inputs of every accepted case", async () => {
    for (const blob of blobs) {
      expect(await verify(parseWords(blob, circuits[circuit].publicWords))).toBe(true);
    }
  });

  test("circuits F4: shows the verifier behind it what the circuit has as public inputs", async () => {
    for (const blob of blobs) {
      const words = parseWords(blob, circuits[circuit].publicWords);
      const shown = circuitWords(circuit, formatWords(words));
      expect(shown).toHaveLength(words.length + (circuit === "oidc_domain_attestation" ? 0 : 32));
      expect(await verify(words, keccak256(concat(shown)))).toBe(true);
      if (words.length !== shown.length) {
        expect(await verify(words, keccak256(concat(shown.with(-1, shown[0] ?? "0x"))))).toBe(false);
      }
    }
  });

  test("refuses them in a second encoding", async () => {
    const [blob = "0x"] = blobs;
    const words = parseWords(blob, circuits[circuit].publicWords);
    const mask = byteWordMask(circuit);
    for (let i = 0; i < words.length; i += 7) {
      const value = words[i] ?? 0n;
      expect(await verify(words.with(i, value + FIELD_MODULUS)), `word ${i} plus the modulus`).toBe(false);
      const isByte = ((mask >> BigInt(i)) & 1n) === 1n;
      expect(await verify(words.with(i, value + 256n)), `word ${i} plus 256`).toBe(!isByte);
    }
    expect(await verify(words.slice(1))).toBe(false);
    expect(await verify([...words, 0n])).toBe(false);
  });
});

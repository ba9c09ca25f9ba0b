import { type Hex, hashTypedData, hexToBytes, size } from "viem";
import { describe, expect, it } from "vitest";
import {
  barrettParameter,
  circuitTag,
  countrySignalHash,
  eligibilitySignalHash,
  emailDomain,
  merkleProof,
  merkleRoot,
  oidcNullifier,
  scopeWord,
  sha256State,
  walletNullifier,
} from "@/lib/proofs/derivations";
import { circuits, decodePublicInputs } from "@/lib/proofs/registry";
import { attestedCircuits } from "@/lib/proofs/trust/attesters";
import { formatWords, fromLimbs, parseWords, toLimbs } from "@/lib/proofs/words";
import { Circuit } from "../soundness";
import { committedAttestedVectors, committedOidcVectors, madeVectors } from "./index";
import { readInputs, type VectorCase } from "./schema";

const oidc = committedOidcVectors();
const attested = attestedCircuits.map((id) => committedAttestedVectors(id));
const all = [oidc, ...attested];

describe.each(all)("$circuit", ({ circuit: id, cases }) => {
  const circuit = Circuit.committed(id);
  const accepted = cases.filter(({ expected }) => expected === "accepted");

  it.each(cases)("$expected: $name", async ({ expected, inputs, reason }) => {
    const verdict = await circuit.run(readInputs(circuit.abi, inputs), {
      base: readInputs(circuit.abi, accepted[0]?.inputs ?? {}),
    });
    expect(verdict.accepted).toBe(expected === "accepted");
    if (!verdict.accepted && reason !== undefined) expect(verdict.reason).toBe(reason);
  });

  it.each(accepted)("decodes, and has no second encoding: $name", ({ publicInputs }) => {
    const blob = blobOf({ publicInputs });
    expect(decodePublicInputs(id, blob)).toMatchObject({ circuit: id });
    const words = parseWords(blob, circuits[id].publicWords);
    expect(decodePublicInputs(id, formatWords(words))).toEqual(decodePublicInputs(id, blob));
  });

  it("has both kinds, and reasons for what is refused", () => {
    expect(accepted.length).toBeGreaterThanOrEqual(6);
    expect(cases.length - accepted.length).toBeGreaterThanOrEqual(10);
    expect(new Set(cases.map(({ reason }) => reason)).size).toBeGreaterThan(5);
  });

  it("is what npm run circuits:vectors writes", async () => {
    const made: unknown = JSON.parse(JSON.stringify(await madeVectors(id)));
    expect(made).toEqual(JSON.parse(JSON.stringify(all.find((one) => one.circuit === id))));
  });
});

function blobOf({ publicInputs }: Pick<VectorCase, "publicInputs">): Hex {
  if (!publicInputs) throw new Error("an accepted case has its public inputs");
  return publicInputs;
}

describe("derivations of lib/proofs agree with the vectors", () => {
  const { derivations } = oidc;

  it("scopes", () => {
    for (const { text, word } of [derivations, ...attested.map((one) => one.derivations)].flatMap(
      ({ scopes }) => scopes,
    )) {
      expect(scopeWord(text)).toBe(word);
    }
  });

  it("domains and nullifiers of addresses", () => {
    for (const { email, domain, scope, nullifier } of derivations.nullifiers) {
      expect(emailDomain(email)).toBe(domain);
      expect(oidcNullifier(email, scope)).toBe(nullifier);
    }
  });

  it("limbs of numbers, both ways, and the quotient constant", () => {
    for (const { value, limbs } of derivations.limbs) {
      expect(toLimbs(BigInt(value))).toEqual(limbs.map(BigInt));
      expect(fromLimbs(limbs.map(BigInt))).toBe(BigInt(value));
    }
    expect(barrettParameter(BigInt(derivations.redc.modulus))).toBe(BigInt(derivations.redc.value));
    expect(BigInt(oidc.issuer.p) * BigInt(oidc.issuer.q)).toBe(BigInt(oidc.issuer.modulus));
  });

  it("SHA-256 states", () => {
    for (const { blocks, state } of derivations.partialHashes) {
      expect(size(blocks) % 64).toBe(0);
      expect(sha256State(hexToBytes(blocks))).toEqual(state);
    }
  });

  it.each(attested)("$circuit: tag, signal hashes, nullifiers", ({ circuit, derivations: own }) => {
    expect(circuitTag(circuit)).toBe(own.tag);
    for (const { user, scope, nonce, signalHash } of own.signalHashes) {
      const ours =
        nonce === undefined
          ? countrySignalHash(checkedAddress(user), scope, circuit)
          : eligibilitySignalHash(circuit, scope, nonce);
      expect(ours).toBe(signalHash);
    }
    for (const { user, tag, scope, nullifier } of own.nullifiers) {
      expect(walletNullifier(checkedAddress(user), tag, scope)).toBe(nullifier);
    }
  });

  it.each(attested)("$circuit: roots and proofs of signer lists", ({ derivations: own }) => {
    for (const { signers, root, proofs } of own.trees) {
      const addresses = signers.map(checkedAddress);
      expect(merkleRoot(addresses)).toBe(root);
      proofs.forEach((proof, index) => {
        expect(merkleProof(addresses, index)).toEqual(proof);
      });
    }
  });

  it.each(attested)("$circuit: digests of actions", ({ derivations: own }) => {
    for (const { typedData, digest } of own.actions) {
      expect(hashTypedData(JSON.parse(JSON.stringify(typedData)))).toBe(digest);
    }
  });
});

/** An address of a vector; viem's type for one is its hex. */
function checkedAddress(address: Hex): Hex {
  expect(size(address)).toBe(20);
  return address;
}

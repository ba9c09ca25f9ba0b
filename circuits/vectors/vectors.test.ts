import { poseidon2Hash } from "@zkpassport/poseidon2";
import { concat, type Hex, hashTypedData, hexToBytes, size } from "viem";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { leafOf, scopeNullifier, slotNullifier, tagCommitment, tagOf } from "@/lib/proofs/anonymous/hash";
import { publicWords, sayingOf } from "@/lib/proofs/anonymous/statement";
import { CrowdTree } from "@/lib/proofs/anonymous/tree";
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
import {
  committedAnonymousVectors,
  committedAttestedVectors,
  committedOidcVectors,
  madeVectors,
} from "./index";
import { hex, readInputs, type VectorCase } from "./schema";

const oidc = committedOidcVectors();
const attested = attestedCircuits.map((id) => committedAttestedVectors(id));
const membership = committedAnonymousVectors();
const all = [oidc, ...attested, membership];

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

  // Nobody decodes those of anonymous_membership: who verifies makes them, and they are compared below.
  const decoded = id === "anonymous_membership" ? [] : accepted.map((one) => ({ ...one, id }));
  it.each(decoded)("decodes, and has no second encoding: $name", ({ id, publicInputs }) => {
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

describe("anonymous_membership: what lib/proofs derives agrees with the vectors", () => {
  const { derivations, cases } = membership;

  it("hashes of each purpose", () => {
    for (const { domain, left, right, hash } of derivations.hashes) {
      expect(poseidon2Hash([BigInt(domain), BigInt(left), BigInt(right)])).toBe(BigInt(hash));
    }
  });

  it("leaves, nullifiers, tags and their commitments", () => {
    for (const one of derivations.members) {
      const secret = BigInt(one.secret);
      expect(leafOf(secret, BigInt(one.topic))).toBe(BigInt(one.leaf));
      expect(slotNullifier(secret, BigInt(one.epoch), one.slot)).toBe(BigInt(one.slotNullifier));
      expect(scopeNullifier(secret, BigInt(one.scope))).toBe(BigInt(one.scopeNullifier));
      expect(tagOf(secret, BigInt(one.week))).toBe(BigInt(one.tag));
      expect(tagCommitment(BigInt(one.tag), BigInt(one.blinding))).toBe(BigInt(one.tagCommitment));
    }
  });

  it("trees, and the siblings of a place", async () => {
    for (const { leaves, place, siblings, root } of derivations.trees) {
      const tree = await CrowdTree.of(leaves.map(BigInt));
      expect(tree.root).toBe(BigInt(root));
      expect(tree.siblings(place)).toEqual(siblings.map(BigInt));
    }
  });

  it("the public inputs of every accepted case", () => {
    const number = z.union([z.number(), hex]).transform(BigInt);
    const Inputs = z.object({
      ...{ root: number, topic: number, epoch: number, limit: z.number(), scope: number, signal: number },
      ...{ week: number, banned_weeks: z.array(number), banned_tags: z.array(number) },
      ...{ secret: number, blinding: number, slot: z.number() },
    });
    const accepted = cases.filter(({ expected }) => expected === "accepted");
    expect(accepted.length).toBeGreaterThan(10);
    for (const { inputs, publicInputs } of accepted) {
      const { banned_weeks, banned_tags, secret, blinding, slot, ...of } = Inputs.parse(inputs);
      const bans = banned_weeks.map((week, i) => ({ week, tag: banned_tags[i] ?? 0n }));
      const circumstances = { ...of, bans };
      const said = sayingOf(circumstances, { secret, blinding, slot });
      expect(concat(publicWords(circumstances, said))).toBe(publicInputs);
    }
  });
});

/** An address of a vector; viem's type for one is its hex. */
function checkedAddress(address: Hex): Hex {
  expect(size(address)).toBe(20);
  return address;
}

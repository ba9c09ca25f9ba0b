import { describe, expect, it } from "vitest";
import { committedCircuit } from "./circuit";
import { issuerKey, payloadA, signToken } from "./token";
import { type Witness, witnessOf } from "./witness";

/** Mutations to try; the full run of an audit sets 10000. */
const COUNT = Number(process.env.PARLEY_CIRCUIT_MUTATIONS ?? 311);
const run = committedCircuit("oidc_domain_attestation");

/** A small deterministic generator (mulberry32), so that a failure can be repeated. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let x = Math.imul(state ^ (state >>> 15), 1 | state);
    x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The 311 public words of a witness, each as a getter and a setter with its width in bits. */
function publicWords(witness: Witness): { bits: number; get: () => bigint; set: (value: bigint) => void }[] {
  const bytes = (array: number[]) =>
    array.map((_, i) => ({
      bits: 8,
      get: () => BigInt(array[i] ?? 0),
      set: (v: bigint) => {
        array[i] = Number(v);
      },
    }));
  const length = (of: "domain" | "nonce" | "audience") => ({
    bits: 32,
    get: () => BigInt(witness[of].len),
    set: (value: bigint) => {
      witness[of].len = Number(value);
    },
  });
  return [
    ...witness.modulus.map((_, i) => ({
      bits: 120,
      get: () => witness.modulus[i] ?? 0n,
      set: (value: bigint) => {
        witness.modulus[i] = value;
      },
    })),
    ...bytes(witness.domain.storage),
    length("domain"),
    ...bytes(witness.scope),
    ...bytes(witness.nullifier),
    {
      bits: 8,
      get: () => BigInt(witness.provider),
      set: (value) => {
        witness.provider = Number(value);
      },
    },
    ...bytes(witness.nonce.storage),
    length("nonce"),
    {
      bits: 64,
      get: () => witness.iat,
      set: (value) => {
        witness.iat = value;
      },
    },
    ...bytes(witness.audience.storage),
    length("audience"),
  ];
}

describe("a changed public input is not accepted", () => {
  it(`in ${COUNT} mutations, each public word at least once in 311`, {
    timeout: 60_000 + 2_000 * COUNT,
  }, async () => {
    const key = issuerKey();
    const token = signToken(key, payloadA({ nonce: "challenge" }));
    const random = generator(214);
    expect(publicWords(witnessOf(token))).toHaveLength(311);
    for (let i = 0; i < COUNT; i++) {
      const witness = witnessOf(token);
      const word = publicWords(witness)[i % 311];
      if (!word) throw new Error("no such word");
      const before = word.get();
      const bit = 1n << BigInt(Math.floor(random() * word.bits));
      const value = before ^ bit ^ (random() < 0.5 ? 1n << BigInt(Math.floor(random() * word.bits)) : 0n);
      word.set(value === before ? before ^ bit : value);
      expect(await run(witness), `word ${i % 311}: ${before} became ${word.get()}`).not.toBe("accepted");
    }
  });
});

import { sha256 } from "@noble/hashes/sha2.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import fc from "fast-check";
import { type Address, concat, getAddress, keccak256, stringToHex } from "viem";
import { describe, expect, it } from "vitest";
import * as derive from "./derivations";
import { attestersOf } from "./trust/attesters";

const addresses = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .map((bytes): Address => getAddress(`0x${bytesToHex(bytes)}`));

describe("derivations", () => {
  it("has the circuit tags compiled into the eligibility circuits", () => {
    expect(derive.circuitTag("network_eligibility")).toBe(
      "0x2b27c52273c47683634a98bad4d7dafd0a0e4291f8bd188508611715c3f41cbc",
    );
    expect(derive.circuitTag("regional_attestation")).toBe(
      "0xccd97918e37daab923359f3a495c46d26c095e8c70ff46855ff51ffd0234c142",
    );
  });

  it("reaches the published root from the four published signers, and a single signer is its own root", () => {
    expect(derive.merkleRoot(attestersOf("production").partner_country_attestation.signers)).toBe(
      "0xb60da9815c76261b61a1e91f199de5845fc171a6500e57c4240d2ac61d85e2bf",
    );
    const [only] = attestersOf("production").regional_attestation.signers;
    expect(derive.merkleRoot([only])).toBe(keccak256(only));
    expect(derive.merkleProof([only], 0)).toEqual([]);
  });

  it("gives every leaf of a list of any size a path that ends at the root", () => {
    fc.assert(
      fc.property(fc.array(addresses, { minLength: 1, maxLength: 9 }), (signers) => {
        signers.forEach((signer, index) => {
          const root = derive
            .merkleProof(signers, index)
            .reduce(
              (node, sibling, depth) =>
                keccak256((index >> depth) % 2 === 0 ? concat([node, sibling]) : concat([sibling, node])),
              keccak256(signer),
            );
          expect(root).toBe(derive.merkleRoot(signers));
        });
      }),
      { numRuns: 40 },
    );
  });

  it("derives the OIDC nullifier from email and scope only, by the documented nesting", () => {
    const scope = derive.scopeWord("zk-community");
    expect(scope).toBe(keccak256(stringToHex("zk-community")));
    expect(derive.oidcNullifier("ada@example.com", scope)).toBe(
      keccak256(`0x${keccak256(stringToHex("ada@example.com")).slice(2)}${scope.slice(2)}`),
    );
  });

  it("derives what a wallet signs and its nullifiers from the bytes the specification names", () => {
    const user: Address = "0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826";
    const hash = (...parts: Uint8Array[]) => keccak_256(concatBytes(...parts));
    const hex = (bytes: Uint8Array) => `0x${bytesToHex(bytes)}`;
    const account = hexToBytes(user.slice(2));
    const scope = hash(utf8ToBytes("zk-community é"));
    const circuit = utf8ToBytes("partner_country_attestation");
    const signal = hash(account, utf8ToBytes("zk-community é"), circuit);
    const countrySignal = derive.countrySignalHash(user, "zk-community é", "partner_country_attestation");
    expect(countrySignal).toBe(hex(signal));
    const word = derive.scopeWord("zk-community é");
    expect(derive.walletNullifier(user, countrySignal, word)).toBe(hex(hash(hash(account, signal), scope)));
    const tag = hash(utf8ToBytes("network_eligibility"));
    expect(derive.walletNullifier(user, derive.circuitTag("network_eligibility"), word)).toBe(
      hex(hash(hash(account, tag), scope)),
    );
    expect(derive.eligibilitySignalHash("network_eligibility", "zk-community", "n0nce")).toBe(
      hex(hash(utf8ToBytes("network_eligibility:zk-community:n0nce"))),
    );
    expect(derive.actionDigest(word, countrySignal)).toBe(
      hex(hash(Uint8Array.of(0x19, 0x01), scope, signal)),
    );
    // The address is bytes: how it is written makes no difference.
    const lower: Address = `0x${user.slice(2).toLowerCase()}`;
    expect(derive.countrySignalHash(lower, "zk-community é", "partner_country_attestation")).toBe(
      countrySignal,
    );
    expect(derive.walletNullifier(lower, countrySignal, word)).toBe(
      derive.walletNullifier(user, countrySignal, word),
    );
  });

  it("takes the domain after exactly one @", () => {
    expect(derive.emailDomain("ada@example.com")).toBe("example.com");
    for (const bad of ["ada", "@example.com", "ada@", "a@b@c", ""])
      expect(derive.emailDomain(bad)).toBeNull();
  });

  it("continues SHA-256: the state after whole padded blocks is the digest", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 700 }), (data) => {
        const padded = new Uint8Array(Math.ceil((data.length + 9) / 64) * 64);
        padded.set(data);
        padded[data.length] = 0x80;
        new DataView(padded.buffer).setBigUint64(padded.length - 8, BigInt(data.length) * 8n);
        const words = derive.sha256State(padded).map((word) => word.toString(16).padStart(8, "0"));
        expect(words.join("")).toBe(bytesToHex(sha256(data)));
      }),
    );
    expect(derive.sha256State(new Uint8Array(0))[0]).toBe(0x6a09e667);
    expect(() => derive.sha256State(hexToBytes("00"))).toThrow(RangeError);
  });

  it("gives a Barrett parameter whose quotient estimate is off by at most one", () => {
    const modulus = (1n << 2047n) | 12345678901234567891n;
    const parameter = derive.barrettParameter(modulus);
    fc.assert(
      fc.property(fc.bigInt(0n, modulus - 1n), fc.bigInt(0n, modulus - 1n), (a, b) => {
        const estimate = (a * b * parameter) >> (2n * 2048n + 4n);
        expect((a * b) / modulus - estimate).toBeLessThanOrEqual(1n);
        expect((a * b) / modulus - estimate).toBeGreaterThanOrEqual(0n);
      }),
    );
  });
});

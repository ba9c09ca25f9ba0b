import { type Hex, hashMessage, hashTypedData, hexToBytes, keccak256, toHex, zeroHash } from "viem";
import { describe, expect, it } from "vitest";
import { committedAttestedVectors } from "@/circuits/vectors/index";
import { encodeEligibilityPublicInputs } from "./layouts/eligibility";
import { circuits } from "./registry";
import { circuitWords, layoutWords, signedDigest } from "./signed-digest";
import { attestedCircuits } from "./trust/attesters";
import { byteWords, formatWords, parseWords } from "./words";

const hash = (text: string) => keccak256(toHex(text));
const signal = hash("signal");
const eligibility = (signalHash: Hex, action: { domainSeparator: Hex; actionHash: Hex } | null) =>
  encodeEligibilityPublicInputs({
    ...{ signalHash, action, merkleRoot: hash("root"), scope: hash("scope"), nullifier: hash("nullifier") },
  });
const asWords = (digest: Hex) => formatWords(byteWords(digest));

describe("circuits F4: the digest a wallet signed, computed from public words", () => {
  it("is personal_sign's over the signal hash where there is no action", () => {
    const words = eligibility(signal, null);
    expect(signedDigest("network_eligibility", words)).toBe(hashMessage({ raw: signal }));
    expect(signedDigest("regional_attestation", words)).toBe(hashMessage({ raw: signal }));
    // The country circuit has something else in words 32-95.
    const action = eligibility(signal, { domainSeparator: hash("domain"), actionHash: hash("action") });
    expect(signedDigest("partner_country_attestation", action)).toBe(hashMessage({ raw: signal }));
  });

  it.each(attestedCircuits)("is what the wallets of the vectors of %s signed", (circuit) => {
    const { cases, derivations } = committedAttestedVectors(circuit);
    for (const { inputs, publicInputs } of cases) {
      if (!publicInputs) continue;
      const words = formatWords(parseWords(publicInputs, circuits[circuit].publicWords));
      expect(signedDigest(circuit, words)).toBe(inputs.signed_digest);
      expect(layoutWords(circuit, circuitWords(circuit, words))).toEqual(words);
    }
    for (const { typedData, domainSeparator, actionHash, digest } of derivations.actions) {
      expect(hashTypedData(JSON.parse(JSON.stringify(typedData)))).toBe(digest);
      const words = eligibility(zeroHash, { domainSeparator, actionHash });
      expect(signedDigest("network_eligibility", words)).toBe(digest);
    }
  });

  it("is refused when it is another, cut off or longer", () => {
    const words = eligibility(signal, null);
    const all = circuitWords("network_eligibility", words);
    expect(all).toEqual([...words, ...asWords(hashMessage({ raw: signal }))]);
    const other = [...words, ...asWords(hash("another digest"))];
    for (const wrong of [other, words, all.slice(0, -1), [...all, zeroHash], []]) {
      expect(() => layoutWords("network_eligibility", wrong)).toThrow(/signed_digest|publicInputs/);
    }
    // With another signal hash the same digest is not its own any more.
    const flipped = all.with(0, toHex((hexToBytes(signal)[0] ?? 0) ^ 1, { size: 32 }));
    expect(() => layoutWords("network_eligibility", flipped)).toThrow("signed_digest");
  });

  it("is not made of words that are no bytes", () => {
    const words = eligibility(signal, null).with(7, toHex(256, { size: 32 }));
    expect(() => signedDigest("network_eligibility", words)).toThrow(
      "publicInputs (word 7): must be below 256",
    );
  });

  it("is not there where no wallet signs", () => {
    const words = [toHex(1n << 119n, { size: 32 }), zeroHash];
    expect(circuitWords("oidc_domain_attestation", words)).toEqual(words);
    expect(layoutWords("oidc_domain_attestation", words)).toEqual(words);
  });
});

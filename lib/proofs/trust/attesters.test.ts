import { isAddress, toFunctionSelector } from "viem";
import { describe, expect, it } from "vitest";
import { merkleRoot } from "../derivations";
import { attesters, isTrustedRoot } from "./attesters";

describe("attesters", () => {
  it("states roots that follow from the signer lists", () => {
    for (const attester of Object.values(attesters)) {
      expect(attester.root).toBe(merkleRoot(attester.signers));
      expect(attester.signers.every((signer) => isAddress(signer, { strict: false }))).toBe(true);
    }
    expect(attesters.regional_attestation.selector).toBe(toFunctionSelector("attestAccount(address)"));
  });

  it("trusts a root for its own circuit only", () => {
    expect(isTrustedRoot("network_eligibility", attesters.network_eligibility.root)).toBe(true);
    expect(isTrustedRoot("regional_attestation", attesters.network_eligibility.root)).toBe(false);
  });
});

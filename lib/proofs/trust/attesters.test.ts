import { isAddressEqual, toFunctionSelector } from "viem";
import { describe, expect, it } from "vitest";
import { merkleRoot } from "../derivations";
import { attestedCircuits, attestersOf, isTrustedRoot } from "./attesters";

const production = attestersOf("production");
const development = attestersOf("development");

describe("attesters", () => {
  it("states roots that follow from the signer lists", () => {
    for (const attesters of [production, development]) {
      for (const circuit of attestedCircuits) {
        expect(attesters[circuit].root).toBe(merkleRoot(attesters[circuit].signers));
      }
      expect(attesters.regional_attestation.selector).toBe(toFunctionSelector("attestAccount(address)"));
    }
  });

  it("shares no signer and no contract between production and development", () => {
    for (const circuit of attestedCircuits) {
      expect(isAddressEqual(production[circuit].contract, development[circuit].contract)).toBe(false);
      for (const signer of production[circuit].signers) {
        expect(development[circuit].signers).not.toContain(signer);
      }
    }
  });

  it("trusts a root for its own circuit and build only", () => {
    expect(isTrustedRoot("production", "network_eligibility", production.network_eligibility.root)).toBe(
      true,
    );
    expect(isTrustedRoot("production", "regional_attestation", production.network_eligibility.root)).toBe(
      false,
    );
    expect(isTrustedRoot("production", "network_eligibility", development.network_eligibility.root)).toBe(
      false,
    );
    expect(isTrustedRoot("development", "network_eligibility", production.network_eligibility.root)).toBe(
      false,
    );
  });
});

import { describe, expect, it } from "vitest";
import { decodePublicInputs } from "@/lib/proofs/registry";
import { type Attesters, attestersOf } from "@/lib/proofs/trust/attesters";
import { countryBody, kycBody, type ProofBody } from "@/lib/testing/proofs";
import { assertTrustedAttester, isTokenFacts, type WalletFacts } from "./signers";

function factsOf({ circuit, publicInputs }: ProofBody): WalletFacts {
  const facts = decodePublicInputs(circuit, publicInputs);
  if (isTokenFacts(facts)) throw new Error("not a wallet's proof");
  return facts;
}

const made = (attesters: Attesters) =>
  [
    countryBody({ merkleRoot: attesters.partner_country_attestation.root }),
    kycBody({ merkleRoot: attesters.network_eligibility.root }),
    kycBody({ circuit: "regional_attestation", merkleRoot: attesters.regional_attestation.root }),
  ].map(factsOf);

describe("assertTrustedAttester", () => {
  // The development attesters' keys are in the repository: a production installation must trust none of them.
  it.each([
    ["development", "production"],
    ["production", "development"],
  ] as const)("in %s mode takes that mode's attesters and none of %s", (mode, other) => {
    for (const facts of made(attestersOf(mode))) {
      expect(() => assertTrustedAttester({ mode }, facts)).not.toThrow();
    }
    for (const facts of made(attestersOf(other))) {
      expect(() => assertTrustedAttester({ mode }, facts)).toThrow(
        expect.objectContaining({ code: "proof_untrusted_issuer" }),
      );
    }
  });

  it("does not take one circuit's attesters for another's, and says whose they are", () => {
    const { network_eligibility, regional_attestation } = attestersOf("production");
    const regionals = factsOf(kycBody({ merkleRoot: regional_attestation.root }));
    expect(() => assertTrustedAttester({ mode: "production" }, regionals)).toThrow(
      expect.objectContaining({
        code: "proof_wrong_circuit",
        message: expect.stringContaining("regional_attestation"),
      }),
    );
    const networks = kycBody({ circuit: "regional_attestation", merkleRoot: network_eligibility.root });
    expect(() => assertTrustedAttester({ mode: "production" }, factsOf(networks))).toThrow(
      expect.objectContaining({ code: "proof_wrong_circuit" }),
    );
  });
});

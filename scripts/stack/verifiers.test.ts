import { expect, it } from "vitest";
import { circuitIds } from "@/lib/proofs/deployment";
import { byteWordMask, publicInputLayout } from "@/lib/proofs/registry";
import { byteWordsMask } from "@/prover/barretenberg/front-values";

it("every front bounds exactly the words that are bytes in the registry", () => {
  for (const circuit of circuitIds) {
    expect(byteWordsMask(publicInputLayout(circuit)), circuit).toBe(byteWordMask(circuit));
  }
  expect(publicInputLayout("partner_country_attestation").count).toBe(150);
  expect(publicInputLayout("network_eligibility").count).toBe(192);
  expect(publicInputLayout("regional_attestation").count).toBe(192);
  // All of an eligibility proof's words are bytes: the petition's contract relies on it.
  expect(byteWordMask("network_eligibility")).toBe((1n << 192n) - 1n);
});

import { describe, expect, it } from "vitest";
import { Circuit } from "../soundness/circuit";
import { oidcCases } from "../soundness/oidc/index";

// The harness (npm run circuits:soundness) runs these cases and much more; here each has its line.
const circuit = Circuit.committed("oidc_domain_attestation");
const { honest, refused } = oidcCases();

describe("is accepted", () => {
  it.each(honest)("$name", async ({ inputs }) => {
    expect(await circuit.run(inputs)).toMatchObject({ accepted: true });
  });
});

describe("is refused", () => {
  it.each(refused)("$name", async ({ inputs, base, reason = /./ }) => {
    const verdict = await circuit.run(inputs, { base });
    expect(verdict).toMatchObject({ accepted: false, reason: expect.stringMatching(reason) });
  });
});

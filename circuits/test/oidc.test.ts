import { describe, expect, it } from "vitest";
import { metAssertions, suiteOf } from "../soundness";

const id = "oidc_domain_attestation";
// The harness (npm run circuits:soundness) does these cases and much more; here each has its line.
const suite = await suiteOf(id);
const { circuit, cases } = suite;
const reasons = new Set<string>();

describe("is accepted", () => {
  it.each(cases.honest)("$name", async ({ inputs }) => {
    expect(await circuit.run(inputs)).toMatchObject({ accepted: true });
  });
});

describe("is refused", () => {
  it.each(cases.refused)("$name", async ({ inputs, reason = /./, ...options }) => {
    const verdict = await circuit.run(inputs, options);
    expect(verdict).toMatchObject({ accepted: false, reason: expect.stringMatching(reason) });
    if (!verdict.accepted) reasons.add(verdict.reason);
  });
});

// Named aliases were skipped once: a sample of all parameters' second encodings was run instead.
describe("circuits F1: a second encoding is refused", () => {
  it.each(cases.aliases)("$name", async ({ inputs, reason = /./, ...options }) => {
    const verdict = await circuit.run(inputs, options);
    expect(verdict).toMatchObject({ accepted: false, reason: expect.stringMatching(reason) });
  });
});

describe("the cases", () => {
  it("meet every assertion that has a text", async () => {
    for (const { inputs, ...options } of cases.hints.filter(({ name }) =>
      /^(first_of|one_hot|form) /.test(name),
    )) {
      const verdict = await circuit.run(inputs, options);
      if (!verdict.accepted) reasons.add(verdict.reason);
    }
    expect(metAssertions({ id, suite }, reasons).problems).toEqual([]);
  });
});

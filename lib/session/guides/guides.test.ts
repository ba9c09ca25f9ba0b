import { describe, expect, it } from "vitest";
import type { CountrySet } from "@/lib/policy/gate";
import { attestersOf } from "@/lib/proofs/trust/attesters";
import { allVerifiers, testAttestations, testDeployment } from "@/lib/testing/deployment";
import { gateGuide, proofRequirementFor } from "./index";
import type { GateType } from "./parts";

const full = testDeployment({ verifiers: allVerifiers, attestations: testAttestations });
const types: GateType[] = ["kyc", "country", "workspace_a", "workspace"];
const textOf = (value: unknown): string => JSON.stringify(value);

describe("gateGuide", () => {
  it.each(types)("%s: steps for hands and for programs where a verifier is configured", (type) => {
    const { guide } = gateGuide(type, full);
    for (const steps of [guide.steps.mobile, guide.steps.agent]) {
      expect(steps.map(({ step }) => step)).toEqual(steps.map((_, index) => index + 1));
      expect(steps.length).toBeGreaterThan(3);
    }
    expect(textOf(guide)).not.toMatch(/does not accept|undefined|\[object/);
    expect(guide.steps.agent.at(-1)?.title).toBe("Join");
  });

  it.each(types)("%s: none without a verifier, and a note that says so", (type) => {
    const { guide } = gateGuide(type, testDeployment({ verifiers: {} }));
    expect(guide.steps).toEqual({ mobile: [], agent: [] });
    expect(guide.notes[0]).toMatch(/does not accept/);
  });

  it("names the attester of the installation's mode, and no other", () => {
    for (const type of ["kyc", "country"] as const) {
      const circuit = type === "kyc" ? "network_eligibility" : "partner_country_attestation";
      for (const [mode, other] of [
        ["development", "production"],
        ["production", "development"],
      ] as const) {
        const text = textOf(gateGuide(type, { ...full, mode }));
        const [mine, theirs] = [attestersOf(mode)[circuit], attestersOf(other)[circuit]];
        for (const fact of [mine.contract, mine.root, ...mine.signers]) expect(text).toContain(fact);
        for (const fact of [theirs.contract, theirs.root, ...theirs.signers])
          expect(text).not.toContain(fact);
      }
    }
  });

  it("circuits F8: of a workspace gate says what a proven domain does not mean", () => {
    for (const type of ["workspace", "workspace_a", "workspace_b"] as const) {
      expect(textOf(gateGuide(type, full).guide.notes)).toMatch(/not that its holder still works there.*hd/);
    }
  });

  it("tells an agent where attestations are even if no index is configured", () => {
    const { guide } = gateGuide("kyc", { ...full, attestations: undefined });
    const find = guide.steps.agent[0];
    expect(find?.code).toBeUndefined();
    expect(find?.description).toContain(attestersOf("development").network_eligibility.registry);
  });

  it("of a country gate in general leaves the list to the caller; of a topic has it filled in", () => {
    expect(gateGuide("country", full).proveCommand).toContain("$COUNTRY_LIST");
    const permitted: CountrySet = { countries: ["KP", "IR"], included: false };
    const { proveCommand, guide } = gateGuide("country", full, permitted);
    expect(proveCommand).toContain('"country_list":["KP","IR"],"is_included":false}');
    expect(textOf(guide)).toContain("KP, IR with is_included false");
  });
});

describe("proofRequirementFor", () => {
  const joinUrl = "/api/topics/x/join";
  it("says what a page must be asked for, by the kind of gate", () => {
    const bodies = [
      { type: "kyc" } as const,
      { type: "country", permitted: { countries: ["KR"], included: true } } as const,
      { type: "country", permitted: { countries: ["KP"], included: false } } as const,
      { type: "workspace", requiredDomain: "example.com" } as const,
    ].map((gate) => proofRequirementFor(full, gate, joinUrl).proofEndpoint.mobile.body);
    const scope = "zk-community";
    const nothing = { scope, domain: null, provider: null, countryList: null, isIncluded: null };
    const country = { ...nothing, circuit: "partner_country_attestation" };
    expect(bodies).toEqual([
      { ...nothing, circuit: "network_eligibility" },
      { ...country, countryList: ["KR"], isIncluded: true },
      { ...country, countryList: ["KP"], isIncluded: false },
      { ...nothing, circuit: "oidc_domain_attestation", domain: "example.com", provider: "provider_a" },
    ]);
  });

  it("keeps the names other clients know", () => {
    const requirement = proofRequirementFor(full, { type: "kyc" }, joinUrl);
    expect(requirement).toMatchObject({
      type: "kyc",
      circuit: "network_eligibility",
      domain: null,
      allowedCountries: null,
      excludedCountries: null,
      guideUrl: "/api/docs/proof-guide/kyc",
      proofEndpoint: {
        agent: {
          challengeEndpoint: { method: "POST", url: "http://localhost:3000/api/auth/challenge" },
          joinEndpoint: { method: "POST", url: `http://localhost:3000${joinUrl}` },
        },
      },
    });
  });
});

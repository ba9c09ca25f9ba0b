import { describe, expect, it } from "vitest";
import { isConsumerDomain } from "./consumer-domains";
import {
  type CountrySet,
  countriesWithin,
  countryFields,
  type Gate,
  gateCircuit,
  gateDecision,
  gateTypeOf,
  type ProvenFacts,
} from "./gate";
import { secondsUntilAskAgain } from "./topic";

const nothing = { provider: null, domain: null, countries: null, countriesIncluded: null };
const oidc = (provider: "provider_a" | "provider_b", domain: string): ProvenFacts => ({
  ...nothing,
  circuit: "oidc_domain_attestation",
  provider,
  domain,
});
const countryProof = { ...nothing, circuit: "partner_country_attestation" } as const;
const lives = (...countries: string[]): ProvenFacts => ({
  ...countryProof,
  countries,
  countriesIncluded: true,
});
const livesElsewhere = (...countries: string[]): ProvenFacts => ({
  ...countryProof,
  countries,
  countriesIncluded: false,
});
const known: ProvenFacts = { ...nothing, circuit: "network_eligibility" };
const onTheTestNetwork: ProvenFacts = { ...nothing, circuit: "regional_attestation" };

const workspace = (type: "workspace" | "workspace_a" | "workspace_b"): Gate => ({
  type,
  requiredDomain: "example.com",
});
const country: Gate = { type: "country", permitted: { countries: ["KR", "JP"], included: true } };
const anywhereBut: Gate = { type: "country", permitted: { countries: ["KP", "IR"], included: false } };

describe("gateDecision", () => {
  it.each([
    ["workspace takes provider a", workspace("workspace"), oidc("provider_a", "example.com"), "allowed"],
    ["workspace takes provider b", workspace("workspace"), oidc("provider_b", "example.com"), "allowed"],
    ["workspace_a takes a", workspace("workspace_a"), oidc("provider_a", "example.com"), "allowed"],
    [
      "workspace_a refuses b",
      workspace("workspace_a"),
      oidc("provider_b", "example.com"),
      "proof_wrong_circuit",
    ],
    ["workspace_b takes b", workspace("workspace_b"), oidc("provider_b", "example.com"), "allowed"],
    [
      "workspace_b refuses a",
      workspace("workspace_b"),
      oidc("provider_a", "example.com"),
      "proof_wrong_circuit",
    ],
    ["case of the domain", workspace("workspace"), oidc("provider_a", "Example.COM"), "allowed"],
    ["another domain", workspace("workspace"), oidc("provider_a", "example.org"), "domain_not_allowed"],
    ["a subdomain", workspace("workspace"), oidc("provider_a", "mail.example.com"), "domain_not_allowed"],
    ["a longer domain", workspace("workspace"), oidc("provider_a", "notexample.com"), "domain_not_allowed"],
    ["no domain", workspace("workspace"), { ...oidc("provider_a", ""), domain: null }, "domain_not_allowed"],
    ["workspace refuses a country", workspace("workspace"), lives("KR"), "proof_wrong_circuit"],
    ["the whole list", country, lives("JP", "KR"), "allowed"],
    ["a part of the list", country, lives("KR"), "allowed"],
    ["a list that reaches further", country, lives("KR", "US"), "country_not_allowed"],
    ["another country", country, lives("US"), "country_not_allowed"],
    ["an empty list", country, lives(), "country_not_allowed"],
    ["no list", country, { ...lives(), countries: null }, "country_not_allowed"],
    ["a list without its side", country, { ...lives("KR"), countriesIncluded: null }, "country_not_allowed"],
    ["elsewhere than in the list", country, livesElsewhere("KR", "JP"), "country_not_allowed"],
    ["elsewhere than in other countries", country, livesElsewhere("US"), "country_not_allowed"],
    ["none of those kept out", anywhereBut, livesElsewhere("KP", "IR"), "allowed"],
    ["none of those kept out, nor of others", anywhereBut, livesElsewhere("IR", "US", "KP"), "allowed"],
    ["none of some of those kept out", anywhereBut, livesElsewhere("KP"), "country_not_allowed"],
    ["a country not kept out", anywhereBut, lives("KR", "US"), "allowed"],
    ["perhaps one kept out", anywhereBut, lives("KR", "IR"), "country_not_allowed"],
    ["an empty list, elsewhere", anywhereBut, lives(), "country_not_allowed"],
    ["no list, elsewhere", anywhereBut, { ...livesElsewhere(), countries: null }, "country_not_allowed"],
    ["country refuses a domain", country, oidc("provider_a", "example.com"), "proof_wrong_circuit"],
    ["kyc", { type: "kyc" } as const, known, "allowed"],
    ["kyc refuses a country", { type: "kyc" } as const, lives("KR"), "proof_wrong_circuit"],
    ["kyc refuses the test network", { type: "kyc" } as const, onTheTestNetwork, "proof_wrong_circuit"],
    ["country refuses kyc", country, known, "proof_wrong_circuit"],
  ] as const)("%s", (_, gate, facts, decision) => {
    expect(gateDecision(gate, facts)).toBe(decision);
  });

  it("names one circuit per gate", () => {
    expect(gateCircuit("country")).toBe("partner_country_attestation");
    expect(gateCircuit("kyc")).toBe("network_eligibility");
    expect(gateCircuit("workspace")).toBe("oidc_domain_attestation");
  });

  it.each([
    ["network_eligibility", null, "kyc"],
    ["partner_country_attestation", null, "country"],
    ["oidc_domain_attestation", "provider_a", "workspace_a"],
    ["oidc_domain_attestation", "provider_b", "workspace_b"],
    ["oidc_domain_attestation", null, "workspace"],
    ["regional_attestation", null, null],
  ])("%s of %s opens %s", (circuit, provider, type) => {
    expect(gateTypeOf(circuit, provider)).toBe(type);
  });
});

describe("countriesWithin", () => {
  it("is the subset relation of the countries themselves, for every pair of sets", () => {
    const world = ["AA", "BB", "CC", "DD"];
    const sets: CountrySet[] = Array.from({ length: 8 }, (_, bits) =>
      world.slice(0, 3).filter((_, i) => (bits >> i) % 2 === 1),
    ).flatMap((countries) => [
      { countries, included: true },
      { countries, included: false },
    ]);
    // DD is never listed: it represents all unlisted countries.
    const members = ({ countries, included }: CountrySet) =>
      world.filter((code) => countries.includes(code) === included);
    for (const possible of sets) {
      for (const permitted of sets) {
        const [mine, theirs] = [members(possible), members(permitted)];
        const inside = mine.length > 0 && mine.every((code) => theirs.includes(code));
        expect(countriesWithin(possible, permitted), JSON.stringify({ possible, permitted })).toBe(inside);
      }
    }
  });
});

describe("countryFields", () => {
  it("are one list or the other, and none for other gates", () => {
    expect(countryFields(country)).toEqual({ allowedCountries: ["KR", "JP"], excludedCountries: null });
    expect(countryFields(anywhereBut)).toEqual({ allowedCountries: null, excludedCountries: ["KP", "IR"] });
    for (const gate of [null, { type: "kyc" } as const, workspace("workspace")]) {
      expect(countryFields(gate)).toEqual({ allowedCountries: null, excludedCountries: null });
    }
  });
});

describe("isConsumerDomain", () => {
  it.each([
    ["gmail.com", true],
    ["googlemail.com", true],
    ["outlook.com", true],
    ["hotmail.co.uk", true],
    ["yahoo.co.jp", true],
    ["yahoo.fr", true],
    ["live.com", true],
    ["icloud.com", true],
    ["proton.me", true],
    ["naver.com", true],
    ["daum.net", true],
    ["mail.gmail.com", true],
    ["example.com", false],
    ["notgmail.com", false],
    ["yahoo-inc.com", false],
    ["live.example.com", false],
    ["outlook.example.org", false],
    ["snu.ac.kr", false],
  ])("%s: %s", (domain, consumer) => {
    expect(isConsumerDomain(domain)).toBe(consumer);
  });
});

describe("secondsUntilAskAgain", () => {
  const now = new Date("2026-01-02T00:00:00.000Z");
  it.each([
    [null, 0],
    ["2026-01-02T00:00:00.000Z", 86_400],
    ["2026-01-01T00:00:00.001Z", 1],
    ["2026-01-01T00:00:00.000Z", 0],
    ["2025-06-01T00:00:00.000Z", 0],
  ])("refused at %s: %i s", (refusedAt, seconds) => {
    expect(secondsUntilAskAgain(refusedAt ? new Date(refusedAt) : null, now)).toBe(seconds);
  });
});

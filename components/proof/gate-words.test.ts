import { describe, expect, it } from "vitest";
import { words } from "@/lib/i18n/english";
import { deploymentSchema } from "@/lib/proofs/deployment";
import { demandOf, demandWords } from "./demand";
import { type GateTerms, gateSeal, gateSentence, sealStatement } from "./gate-words";
import { publicConfig } from "./public-config";

const nothing: GateTerms = {
  proofType: "none",
  requiredDomain: null,
  allowedCountries: null,
  excludedCountries: null,
};
const included: GateTerms = { ...nothing, proofType: "country", allowedCountries: ["FR", "DE", "NL"] };
const excluded: GateTerms = { ...nothing, proofType: "country", excludedCountries: ["KP", "IR"] };
const kyc: GateTerms = { ...nothing, proofType: "kyc" };

const address = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const hash = `0x${"11".repeat(32)}`;
const chain = (id: number, port: number) => ({
  id,
  name: `Chain ${id}`,
  rpcUrl: `http://internal:${port}`,
  publicRpcUrl: `http://127.0.0.1:${port}`,
  explorerUrl: null,
});
const deployment = deploymentSchema.parse({
  mode: "development",
  scope: "zk-community",
  srs: { kind: "development", digest: hash },
  chains: [chain(8453, 8545), chain(5042002, 8546)],
  verifiers: {
    network_eligibility: { chainId: 5042002, address, vkHash: hash },
    partner_country_attestation: { chainId: 8453, address, vkHash: hash },
    regional_attestation: { chainId: 5042002, address, vkHash: hash },
  },
  issuers: [],
  offers: [],
  attestations: { graphqlUrl: "http://127.0.0.1:3004/graphql", explorerUrl: null },
  recordBoard: null,
  services: { appUrl: "http://here", proverUrl: "http://there", facilitatorUrl: null },
});
const config = publicConfig(deployment);

describe("interface 2: what a seal says others see", () => {
  const workspace: GateTerms = { ...nothing, proofType: "workspace", requiredDomain: "acme.example" };
  const inside = "only to members of this topic: that you passed its gate";

  it.each([
    ["a domain not shown", workspace, [], inside],
    ["another domain shown", workspace, ["other.example"], inside],
    ["a country", included, ["acme.example"], inside],
    ["a person", kyc, [], inside],
    [
      "the domain shown",
      workspace,
      ["acme.example"],
      "@acme.example beside your name, because you chose to show it in Settings",
    ],
  ] as const)("of %s", (_, terms, shown, sees) => {
    expect(gateSeal(words, terms, config, shown).sees).toEqual([sees, expect.stringContaining("nickname")]);
  });
});

describe("a gate in words", () => {
  it("says who may come in, with the names of the countries", () => {
    expect(gateSentence(words, included)).toBe(
      "Members prove that they live in France, Germany or Netherlands.",
    );
    expect(gateSentence(words, excluded)).toBe("Members prove that they do not live in North Korea or Iran.");
    expect(gateSentence(words, kyc)).toBe("Members prove that an attester has verified them.");
  });

  it("is short on its seal", () => {
    expect(sealStatement(words, included)).toBe("lives in FR, DE or NL");
    expect(sealStatement(words, excluded)).toBe("lives in none of KP and IR");
    expect(sealStatement(words, kyc)).toBe("KYC'd");
  });
});

describe("what a gate demands", () => {
  it("is exactly its own list, on its own side: nothing more shows", () => {
    expect(demandOf(included, config)).toMatchObject({
      statement: {
        circuit: "partner_country_attestation",
        scope: "zk-community",
        list: { countries: ["FR", "DE", "NL"], isIncluded: true },
      },
    });
    expect(demandOf(excluded, config)).toMatchObject({
      statement: { list: { countries: ["KP", "IR"], isIncluded: false } },
    });
    const demand = demandOf(kyc, config);
    expect(demand).toMatchObject({ statement: { circuit: "network_eligibility", list: null } });
    expect(demand && demandWords(words, demand)).toBe("KYC'd");
  });

  it("is nothing where the installation has no verifier, or nowhere to look attestations up", () => {
    expect(demandOf(nothing, config)).toBeNull();
    const blind = publicConfig({ ...deployment, attestations: undefined });
    expect(demandOf(kyc, blind)).toBeNull();
    const mute = publicConfig({ ...deployment, verifiers: {} });
    expect(demandOf(included, mute)).toBeNull();
  });
});

describe("attesters in the public configuration", () => {
  it("name the hosts a browser asks, and none where there is no source", () => {
    const asks = [
      { what: "index", host: "127.0.0.1:3004" },
      { what: "chain", host: "127.0.0.1:8545" },
    ];
    expect(config.attesters.map(({ circuit, asks }) => [circuit, asks])).toEqual([
      ["partner_country_attestation", asks],
      ["network_eligibility", asks],
    ]);
    expect(JSON.stringify(config)).not.toContain("internal");
  });
});

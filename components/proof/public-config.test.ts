import { describe, expect, it } from "vitest";
import { deploymentSchema } from "@/lib/proofs/deployment";
import { publicConfig } from "./public-config";

const address = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
const hash = `0x${"11".repeat(32)}`;

const deployment = deploymentSchema.parse({
  mode: "development",
  scope: "zk-community",
  srs: { kind: "development", digest: hash },
  chains: [
    {
      id: 8453,
      name: "Chain",
      rpcUrl: "http://user:secret@internal:8545",
      publicRpcUrl: "http://127.0.0.1:8545",
      explorerUrl: null,
    },
  ],
  verifiers: { oidc_domain_attestation: { chainId: 8453, address, vkHash: hash } },
  issuers: [],
  offers: [],
  recordBoard: null,
  services: {
    appUrl: "http://localhost:3000",
    proverUrl: "http://localhost:3001",
    facilitatorUrl: "http://internal:3002",
  },
});

describe("public configuration", () => {
  it("carries nothing of the servers' own addresses", () => {
    const text = JSON.stringify(publicConfig(deployment));
    expect(text).not.toContain("internal");
    expect(text).not.toContain("secret");
    expect(text).toContain("http://localhost:3001");
  });

  it("leaves out the offers that are paid from a gateway deposit, which no browser wallet has", () => {
    const offer = {
      chainId: 8453,
      network: "eip155:8453" as const,
      asset: address,
      symbol: "USDC",
      decimals: 6 as const,
      amount: "100000",
      payTo: address,
      settlement: "facilitator" as const,
      eip712: { name: "USD Coin", version: "2" },
    } as const;
    const offers = [offer, { ...offer, settlement: "gateway" as const }];
    expect(publicConfig({ ...deployment, offers }).offers).toEqual([offer]);
  });

  it("offers the sign-in without a proof in development mode only", () => {
    expect(publicConfig(deployment, true).devLogin).toBe(true);
    expect(publicConfig({ ...deployment, mode: "production" }, true).devLogin).toBe(false);
  });
});

import { readFileSync } from "node:fs";
import path from "node:path";
import { CHAIN_CONFIGS } from "@circle-fin/x402-batching/client";
import { arcTestnet, base, baseSepolia, giwaSepolia, mainnet } from "viem/chains";
import { describe, expect, it } from "vitest";
import { parseDeployment } from "@/lib/proofs/deployment.server";
import { googleIssuer, microsoftIssuer } from "@/lib/proofs/trust/pinned";
import { proverConfig } from "@/prover/config";
import { productionDeployment } from "../stack/production";
import { ROOT, settingsFrom } from "../stack/settings";

const chains = [base, baseSepolia, arcTestnet, giwaSepolia, mainnet];
const dollars = new Map<number, string>(
  Object.values(CHAIN_CONFIGS).map(({ chain, usdc }) => [chain.id, usdc]),
);
const secrets = {
  DATABASE_URL: "postgres://parley@db.example/parley",
  SESSION_SECRET: "s".repeat(32),
  USER_ID_SECRET: "u".repeat(32),
  PROVER_SECRET: "p".repeat(32),
  PROVER_SETTLEMENT_KEY: `0x${"12".repeat(32)}`,
};

/** What an operator may write in the place of a placeholder, by the field's name. */
const written: Readonly<Record<string, string | number>> = {
  scope: "parley.example",
  digest: `0x${"11".repeat(32)}`,
  vkHash: `0x${"11".repeat(32)}`,
  address: `0x${"22".repeat(20)}`,
  payTo: `0x${"33".repeat(20)}`,
  nativeTokenUsd: 4000,
  webClientId: "web",
  deviceClientId: "device",
  deviceClientSecret: "secret",
  appUrl: "https://parley.example",
  proverUrl: "https://prover.example",
};
const fillIn = (text: string): string =>
  JSON.stringify(
    JSON.parse(text, (key, value: unknown) =>
      typeof value === "string" && value.startsWith("REPLACE: ") ? written[key] : value,
    ),
  );

describe.each([
  ["deployment.example.json", [8453, 5042002, 1, 91342]],
  ["deployment.base-sepolia.example.json", [84532, 8453, 5042002, 91342]],
])("docs/%s", (name, ids) => {
  const text = readFileSync(path.join(ROOT, "docs", name), "utf8");
  const { deployment } = parseDeployment(fillIn(text), name);

  it("is refused as it is, for its placeholders only", () => {
    const { problems } = parseDeployment(text, name);
    expect(problems.length).toBeGreaterThan(10);
    expect(problems.filter((problem) => !problem.includes("is a placeholder for "))).toEqual([]);
  });

  it("starts in production once it is filled in", () => {
    const environment = { ...secrets, PARLEY_MODE: "production", PARLEY_DEPLOYMENT: fillIn(text) };
    const started = productionDeployment(settingsFrom(environment, { dev: false }).env);
    expect(started).toEqual(deployment);
    expect(proverConfig(environment).deployment).toEqual(deployment);
  });

  it("names the chains and issuers as their sources do", () => {
    expect(deployment?.chains.map(({ id }) => id)).toEqual(ids);
    for (const described of deployment?.chains ?? []) {
      const known = chains.find(({ id }) => id === described.id) ?? expect.fail();
      expect(described).toMatchObject({ name: known.name, explorerUrl: known.blockExplorers.default.url });
      expect(known.rpcUrls.default.http).toContain(described.rpcUrl);
      expect(described.publicRpcUrl).toBe(described.rpcUrl);
    }
    expect(deployment?.issuers).toMatchObject([googleIssuer, microsoftIssuer]);
  });

  it("takes payment in USDC only, and in production in none of a test network", () => {
    for (const { chainId, asset } of deployment?.offers ?? []) {
      expect([chainId, asset]).toEqual([chainId, dollars.get(chainId)]);
      if (name === "deployment.example.json") {
        expect(chains.find(({ id }) => id === chainId)).not.toMatchObject({ testnet: true });
      }
    }
  });
});

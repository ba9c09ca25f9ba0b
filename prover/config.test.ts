import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Deployment } from "@/lib/proofs/deployment";
import type { Environment } from "@/lib/settings/read";
import { proverConfig } from "./config";
import { facilitatorConfig } from "./facilitator/config";

/** First account of the mnemonic that local chains publish. */
const publishedKey = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
const hash = `0x${"00".repeat(32)}` as const;

const production: Deployment = {
  mode: "production",
  scope: "parley",
  srs: { kind: "ignition", digest: hash },
  chains: [
    {
      id: 1,
      name: "one",
      rpcUrl: "http://127.0.0.1:1",
      publicRpcUrl: "http://127.0.0.1:1",
      explorerUrl: null,
      nativeTokenUsd: 4_000,
    },
  ],
  verifiers: {},
  issuers: [],
  offers: [
    {
      chainId: 1,
      network: "eip155:1",
      asset: "0x0000000000000000000000000000000000000001",
      symbol: "USDC",
      decimals: 6,
      amount: "100000",
      payTo: "0x0000000000000000000000000000000000000002",
      settlement: "payee",
      eip712: { name: "USD Coin", version: "2" },
    },
  ],
  recordBoard: null,
  services: { appUrl: "https://a.example", proverUrl: "https://p.example", facilitatorUrl: null },
};

let home: string;
let file: string;

beforeEach(async () => {
  home = await mkdtemp(path.join(os.tmpdir(), "parley-config-"));
  // loadDeployment keeps what it read per file name, so each test has its own.
  file = path.join(home, "deployment.json");
});
afterEach(async () => {
  await rm(home, { recursive: true, force: true });
});

async function config(deployment: Deployment, env: Environment = {}) {
  await writeFile(file, JSON.stringify(deployment));
  return proverConfig({ PARLEY_DEPLOYMENT: file, PARLEY_HOME: home, ...env });
}

describe("the prover's environment", () => {
  it("has defaults that serve this machine only", async () => {
    const { port, host, databaseUrl, syncLimitMs } = await config(production, {
      PROVER_SETTLEMENT_KEY: generatePrivateKey(),
    });
    expect([port, host, syncLimitMs]).toEqual([3001, "127.0.0.1", 50_000]);
    expect(databaseUrl).toBe(`pglite:${path.join(home, "prover-db")}`);
  });

  it("makes its secret once, for its owner only", async () => {
    const env = { PROVER_SETTLEMENT_KEY: generatePrivateKey() };
    const first = (await config(production, env)).secret;
    expect(first).toHaveLength(32);
    expect((await config(production, env)).secret).toEqual(first);
    const { mode } = await stat(path.join(home, "prover-secret"));
    expect(mode & 0o777).toBe(0o600);
    expect(await readFile(path.join(home, "prover-secret"), "utf8")).toHaveLength(64);
  });

  it("is refused with the variable's name and never its value", async () => {
    const wrong = "0x1234567890";
    const error = await config(production, { PROVER_SETTLEMENT_KEY: wrong, PROVER_PORT: "port" }).catch(
      String,
    );
    expect(error).toMatch(/PROVER_PORT must be[\s\S]*PROVER_SETTLEMENT_KEY must be/);
    expect(error).not.toContain(wrong);
  });

  it("is refused without the key or the address that an offer's settlement needs", async () => {
    await expect(config(production)).rejects.toThrow("PROVER_SETTLEMENT_KEY is not set");
    const offers = production.offers.map((offer) => ({ ...offer, settlement: "facilitator" as const }));
    const PARLEY_DEPLOYMENT = JSON.stringify({ ...production, offers });
    await expect(config(production, { PARLEY_DEPLOYMENT })).rejects.toThrow("names no facilitatorUrl");
  });
});

describe("the offers of a deployment", () => {
  const [payee] = production.offers;
  const batched: Deployment["offers"][number] = {
    ...(payee ?? expect.fail()),
    settlement: "gateway",
    eip712: { name: "GatewayWalletBatched", version: "1" },
    verifyingContract: "0x0000000000000000000000000000000000000003",
  };
  const elsewhere = production.chains.map((chain) => ({ ...chain, id: 2 }));
  const services = { ...production.services, gatewayUrl: "https://g.example" };
  const start = (offer: Deployment["offers"][number], changes: Partial<Deployment> = {}) =>
    config(
      { ...production, services, ...changes, offers: [offer] },
      { PROVER_SETTLEMENT_KEY: generatePrivateKey() },
    );

  it("may be settled through a gateway", async () => {
    expect((await start(batched)).deployment.offers[0]?.settlement).toBe("gateway");
  });

  it.each([
    ["names no gatewayUrl", batched, { services: production.services }],
    ["names no verifyingContract", { ...batched, verifyingContract: undefined }, {}],
    [
      'must have eip712 "GatewayWalletBatched"',
      { ...batched, eip712: { name: "USD Coin", version: "2" } },
      {},
    ],
    ["which only gateways have", { ...batched, settlement: "payee" as const }, {}],
    ["on a chain that the deployment does not describe", batched, { chains: elsewhere }],
    ["has chainId 1", { ...batched, network: "eip155:2" as const }, {}],
  ])("are refused when they cannot be settled as they say: %s", async (problem, offer, changes) => {
    await expect(start(offer, changes)).rejects.toThrow(problem);
  });
});

describe("production", () => {
  const key = () => ({ PROVER_SETTLEMENT_KEY: generatePrivateKey() });

  it("starts on its own keys, the ceremony's setup data and real issuers", async () => {
    expect((await config(production, key())).deployment.mode).toBe("production");
  });

  it("payments F5: refuses a chain whose gas has no price where we pay for it", async () => {
    const chains = production.chains.map((chain) => ({ ...chain, nativeTokenUsd: undefined }));
    await expect(config({ ...production, chains }, key())).rejects.toThrow("nativeTokenUsd");
  });

  it.each([
    ["the zero address", "0x0000000000000000000000000000000000000000"],
    ["the token's own contract", "0x0000000000000000000000000000000000000001"],
  ] as const)("payments F12: refuses payments to %s", async (problem, payTo) => {
    const offers = production.offers.map((offer) => ({ ...offer, payTo }));
    await expect(config({ ...production, offers }, key())).rejects.toThrow(problem);
  });

  it("payments F12: refuses payments to an account whose key pays for gas, at prover and facilitator", async () => {
    const own = generatePrivateKey();
    const offers = production.offers.map((offer) => ({ ...offer, payTo: privateKeyToAddress(own) }));
    await expect(config({ ...production, offers }, { PROVER_SETTLEMENT_KEY: own })).rejects.toThrow(
      "pays for gas",
    );
    expect(() => facilitatorConfig({ PARLEY_DEPLOYMENT: file, FACILITATOR_KEY: own })).toThrow(
      "pays for gas",
    );
  });

  it("payments F12: refuses services that anybody on the way can read", async () => {
    const services = { ...production.services, proverUrl: "http://p.example" };
    await expect(config({ ...production, services }, key())).rejects.toThrow("services.proverUrl");
  });

  it("payments F12: takes services on this machine without https", async () => {
    const local = { ...production.services, facilitatorUrl: "http://127.0.0.1:3002" };
    expect((await config({ ...production, services: local }, key())).deployment.services).toEqual(local);
  });

  it("refuses development setup data", async () => {
    const deployment: Deployment = { ...production, srs: { kind: "development", digest: hash } };
    await expect(config(deployment, key())).rejects.toThrow("development SRS");
  });

  it("refuses a development issuer", async () => {
    const url = "https://idp.example";
    const issuer = {
      provider: "provider_a" as const,
      label: "Dev",
      issuer: url,
      jwksUri: url,
      authorizationEndpoint: url,
      deviceAuthorizationEndpoint: url,
      tokenEndpoint: url,
      webClientId: "a",
      deviceClientId: "b",
      development: true,
    };
    await expect(config({ ...production, issuers: [issuer] }, key())).rejects.toThrow(
      "vouches for any address",
    );
  });

  describe("with a remote signer", () => {
    const address = privateKeyToAddress(generatePrivateKey());
    const key = { url: "https://signer.example", address };
    const env = { PROVER_SETTLEMENT_SIGNER_URL: key.url, PROVER_SETTLEMENT_SIGNER_ADDRESS: address };
    const own = { FACILITATOR_SIGNER_URL: key.url, FACILITATOR_SIGNER_ADDRESS: address };

    it("takes it in place of a key, for prover and facilitator", async () => {
      expect((await config(production, env)).settlementKey).toEqual(key);
      expect(facilitatorConfig({ PARLEY_DEPLOYMENT: file, ...own }).key).toEqual(key);
      const none = () => facilitatorConfig({ PARLEY_DEPLOYMENT: file });
      expect(none).toThrow("set FACILITATOR_KEY, or FACILITATOR_SIGNER_URL");
    });

    it("refuses payments to its account", async () => {
      const offers = production.offers.map((offer) => ({ ...offer, payTo: address }));
      await expect(config({ ...production, offers }, env)).rejects.toThrow("pays for gas");
      const facilitator = () => facilitatorConfig({ PARLEY_DEPLOYMENT: file, ...own });
      expect(facilitator).toThrow("pays for gas");
    });
  });

  it("refuses a key that local chains publish, for prover and facilitator", async () => {
    await expect(config(production, { PROVER_SETTLEMENT_KEY: publishedKey })).rejects.toThrow(
      "local chains publish",
    );
    expect(() => facilitatorConfig({ PARLEY_DEPLOYMENT: file, FACILITATOR_KEY: publishedKey })).toThrow(
      "local chains publish",
    );
  });

  it("cannot be asked for on a development description", async () => {
    const deployment: Deployment = { ...production, mode: "development" };
    await expect(config(deployment, { ...key(), PARLEY_MODE: "production" })).rejects.toThrow(
      'mode "development"',
    );
  });
});

import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { domainSeparator } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DevelopmentDollar } from "@/contracts";
import { type LocalChain, startLocalChain } from "@/contracts/local-chain";
import { developmentAccount } from "./accounts";
import { ContractBook } from "./contract-book";
import { ensureBaseContracts, paymentOffers, USDC } from "./contracts";

const at = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const { abi, bytecode } = DevelopmentDollar;

describe("the development dollar", () => {
  let home: string;
  let chain: LocalChain;
  beforeAll(async () => {
    home = await mkdtemp(path.join(os.tmpdir(), "parley-dollar-"));
    chain = await startLocalChain(8453);
  });
  afterAll(async () => {
    await chain?.stop();
    await rm(home, { recursive: true, force: true });
  });

  const ensure = async () =>
    ensureBaseContracts(await ContractBook.open(path.join(home, "contracts.json")), [chain]);

  it("replaces USDC, also in an older home that had it elsewhere, and only once", async () => {
    const book = await ContractBook.open(path.join(home, "contracts.json"));
    const older = { name: "DevelopmentDollar", fingerprint: "of an older version" };
    const old = await book.ensure(chain, older, () => chain.deploy({ abi, bytecode }));
    expect(old.address).not.toBe(at);

    const first = await ensure();
    expect(first.dollars.get(8453)).toBe(at);
    expect(JSON.parse(await readFile(path.join(home, "contracts.json"), "utf8"))).toMatchObject({
      "8453/DevelopmentDollar": { address: at },
    });
    expect((await ensure()).deployedCount).toBe(0);
    expect(first.deployedCount).toBe(2);
  });

  it("has balances and the signed domain at that address", async () => {
    await ensure();
    const reader = chain.client;
    const contract = { address: at, abi } as const;
    const { address } = developmentAccount("journey");
    expect(await reader.readContract({ ...contract, functionName: "balanceOf", args: [address] })).toBe(
      1_000_000_000n,
    );
    const domain = { name: "USD Coin", version: "2", chainId: 8453, verifyingContract: at } as const;
    expect(await reader.readContract({ ...contract, functionName: "DOMAIN_SEPARATOR" })).toBe(
      domainSeparator({ domain }),
    );
  });

  it("is the asset of the offers", () => {
    const elsewhere = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
    const dollars = [1, 8453, 5042002].map((id) => [id, USDC[id] ?? elsewhere] as const);
    const assets = paymentOffers(new Map(dollars)).map(({ chainId, asset }) => [chainId, asset]);
    expect(assets).toContainEqual([8453, at]);
    expect(assets).toContainEqual([1, "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48"]);
  });
});

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createPublicClient, createTestClient, http, parseEther } from "viem";
import { expect, test } from "vitest";
import { type AnvilOptions, startAnvil } from "./anvil";

const WHO = "0x00000000000000000000000000000000000000aa";

test("serves the chain it was asked for on a free port, and is gone after stop", async () => {
  const anvil = await startAnvil({ chainId: 91342 });
  const client = createPublicClient({ transport: http(anvil.rpcUrl, { retryCount: 0 }) });
  expect(await client.getChainId()).toBe(91342);
  await anvil.stop();
  await anvil.stop();
  await expect(client.getChainId()).rejects.toThrow();
});

test("keeps the chain's state in a file across runs", async () => {
  const directory = await mkdtemp(path.join(tmpdir(), "parley-anvil-"));
  const options: AnvilOptions = { chainId: 8453, statePath: path.join(directory, "chain.json") };
  try {
    const first = await startAnvil(options);
    await createTestClient({ mode: "anvil", transport: http(first.rpcUrl) }).setBalance({
      address: WHO,
      value: parseEther("7"),
    });
    await first.stop();
    const second = await startAnvil(options);
    const client = createPublicClient({ transport: http(second.rpcUrl) });
    expect(await client.getBalance({ address: WHO })).toBe(parseEther("7"));
    await second.stop();
  } finally {
    await rm(directory, { recursive: true });
  }
});

test("a taken port is an error that says so", async () => {
  const anvil = await startAnvil({ chainId: 1 });
  await expect(startAnvil({ chainId: 1, port: anvil.port })).rejects.toThrow(/in use/);
  await anvil.stop();
});

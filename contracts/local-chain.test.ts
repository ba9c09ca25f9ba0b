import { spawn } from "node:child_process";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { createPublicClient, createTestClient, http, parseEther } from "viem";
import { expect, test, vi } from "vitest";
import { type AnvilOptions, startAnvil, startLocalChain } from "./local-chain";

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

test("one that is told to stop as soon as it started still saves its state", async () => {
  const directory = await mkdtemp(path.join(tmpdir(), "parley-anvil-"));
  try {
    for (const id of Array.from({ length: 20 }, (_, at) => at + 1)) {
      const anvil = await startAnvil({ chainId: id, statePath: path.join(directory, `${id}.json`) });
      await anvil.stop();
      expect({ code: anvil.process.exitCode, signal: anvil.process.signalCode }).toEqual({
        code: 0,
        signal: null,
      });
    }
  } finally {
    await rm(directory, { recursive: true });
  }
});

test("a receipt is found even if its block comes between two questions", async ({ onTestFinished }) => {
  const chain = await startLocalChain();
  onTestFinished(() => chain.stop());
  await chain.control.setAutomine(false);
  const hash = await chain.wallet(0).sendTransaction({ to: WHO, value: 1n });
  const { fetch } = globalThis;
  const spy = vi.spyOn(globalThis, "fetch").mockImplementation(async (url, init) => {
    const response = await fetch(url, init);
    if (String(init?.body).includes("eth_getBlockByNumber")) await setTimeout(600);
    return response;
  });
  onTestFinished(() => spy.mockRestore());
  const receipt = chain.client.waitForTransactionReceipt({ hash, timeout: 5_000 });
  await setTimeout(300);
  await chain.control.mine({ blocks: 1 });
  expect(await receipt).toMatchObject({ status: "success" });
});

test("a taken port is an error that says so", async () => {
  const anvil = await startAnvil({ chainId: 1 });
  await expect(startAnvil({ chainId: 1, port: anvil.port })).rejects.toThrow(/in use/);
  await anvil.stop();
});

test("does not outlive a program that is killed, and saves its state", async () => {
  const directory = await mkdtemp(path.join(tmpdir(), "parley-anvil-"));
  const statePath = path.join(directory, "chain.json");
  const source = `import { startAnvil } from ${JSON.stringify(path.join(import.meta.dirname, "local-chain.ts"))};
    const anvil = await startAnvil({ chainId: 1, statePath: ${JSON.stringify(statePath)} });
    console.log(anvil.process.pid);
    setInterval(() => {}, 1000);`;
  try {
    await writeFile(path.join(directory, "program.mts"), source);
    const program = spawn(process.execPath, ["--import", import.meta.resolve("tsx"), "program.mts"], {
      cwd: directory,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const pid = Number(await new Promise((resolve) => program.stdout.once("data", resolve)));
    expect(process.kill(pid, 0)).toBe(true);
    program.kill("SIGKILL");
    await expect.poll(() => alive(pid), { timeout: 10_000 }).toBe(false);
    expect((await stat(statePath)).size).toBeGreaterThan(100);
  } finally {
    await rm(directory, { recursive: true });
  }
});

function alive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

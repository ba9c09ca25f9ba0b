import { type ChildProcess, spawn } from "node:child_process";
import { pbkdf2Sync } from "node:crypto";
import { chmod, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { Socket } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type Abi,
  type Address,
  createPublicClient,
  createTestClient,
  createWalletClient,
  defineChain,
  getAddress,
  type Hex,
  http,
  type PublicClient,
} from "viem";
import { type HDAccount, HDKey, hdKeyToAccount } from "viem/accounts";
import type { Chain } from "@/lib/proofs/deployment";

/** Anvil's default mnemonic. Its accounts are public, and funded on the local chain. */
const ANVIL_MNEMONIC = "test test test test test test test test test test test junk";

export interface AnvilOptions {
  chainId: number;
  /** Default: a free port. */
  port?: number;
  /** Anvil loads the chain from this file if it exists, and saves it on stop and every `stateInterval`. */
  statePath?: string;
  /** Seconds between saves, so that a kill loses little; default: only on stop. */
  stateInterval?: number;
}

export interface Anvil {
  rpcUrl: string;
  port: number;
  process: ChildProcess;
  /** Stops anvil and waits for its exit, after which the state file is complete. Safe to call twice. */
  stop(): Promise<void>;
}

/** anvil is not installed or did not start. */
class AnvilError extends Error {
  override name = "AnvilError";
}

const HOST = "127.0.0.1";
const START_TIMEOUT_MS = 15_000;
const STOP_TIMEOUT_MS = 10_000;

/**
 * Starts anvil and resolves once it accepts requests. It ends with this process, however this process ends.
 * @throws AnvilError when the platform has no anvil package, the port is taken, or it does not start within 15 s
 */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  const args = ["--chain-id", options.chainId, "--host", HOST, "--port", options.port ?? 0];
  args.push("--mnemonic", ANVIL_MNEMONIC);
  if (options.statePath) args.push("--state", options.statePath);
  if (options.stateInterval) args.push("--state-interval", options.stateInterval);

  const child = spawn(await anvilBinary(), args.map(String), { stdio: ["ignore", "pipe", "pipe"] });
  guard(child);

  let port: number;
  try {
    port = await listening(child);
    await catching(child);
  } catch (error) {
    child.kill("SIGKILL");
    throw error;
  }
  // The child must not keep a finished program alive. Call stop() to get the state on disk.
  child.unref();
  for (const stream of [child.stdout, child.stderr]) if (stream instanceof Socket) stream.unref();
  return { rpcUrl: `http://${HOST}:${port}`, port, process: child, stop: () => stop(child) };
}

/** Returns the anvil binary of this platform's optional package. Makes it executable: some installs do not. */
async function anvilBinary(): Promise<string> {
  const arch = process.arch === "x64" ? "amd64" : process.arch;
  const name = `@foundry-rs/anvil-${process.platform}-${arch}`;
  try {
    // Resolved from the wrapper package, which depends on it.
    const wrapper = createRequire(createRequire(import.meta.url).resolve("@foundry-rs/anvil/package.json"));
    const manifest = wrapper.resolve(`${name}/package.json`);
    const binary = path.join(
      path.dirname(manifest),
      "bin",
      process.platform === "win32" ? "anvil.exe" : "anvil",
    );
    await chmod(binary, 0o755).catch(() => {});
    return binary;
  } catch {
    throw new AnvilError(`no anvil for this platform: the optional package ${name} is not installed`);
  }
}

/**
 * Ends anvil with this process, however this process ends: a shell waits for the end of a pipe from it, and then tells
 * anvil to save and stop. Otherwise a kill would leave anvil on its port.
 */
function guard(child: ChildProcess): void {
  if (child.pid === undefined || process.platform === "win32") return;
  const shell = spawn("/bin/sh", ["-c", 'read _; kill -TERM "$0"', String(child.pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    // Its own process group, so that it survives an interrupt from the terminal; anvil ends by that.
    detached: true,
  });
  shell.on("error", () => {});
  shell.unref();
  if (shell.stdin instanceof Socket) shell.stdin.unref();
  // Before the system reuses anvil's process ID.
  child.once("exit", () => shell.kill("SIGKILL"));
}

function listening(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let tail = "";
    const fail = (reason: string) => reject(new AnvilError(`anvil ${reason}${tail ? `: ${tail}` : ""}`));
    const timer = setTimeout(() => fail("did not start in time"), START_TIMEOUT_MS);
    child.once("error", (error) => fail(error.message));
    child.once("exit", (code) => fail(`ended with code ${code}`));
    // Reads both pipes to the end: a full pipe would block anvil.
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      createInterface({ input: stream }).on("line", (line) => {
        if (stream === child.stderr && line.trim()) tail = line.trim();
        const port = /^Listening on .*:(\d+)$/.exec(line)?.[1];
        if (!port) return;
        clearTimeout(timer);
        resolve(Number(port));
      });
    }
  });
}

/** The bit of SIGTERM (15) in the mask of caught signals. */
const SIGTERM_BIT = 1n << 14n;

/**
 * Resolves once anvil catches SIGTERM, a few milliseconds after it listens: the signal ends it without saving before.
 * Only Linux says which signals a process catches; elsewhere a stop within these milliseconds saves nothing.
 */
async function catching(child: ChildProcess): Promise<void> {
  if (process.platform !== "linux") return;
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (child.exitCode === null && child.signalCode === null) {
    const status = await readFile(`/proc/${child.pid}/status`, "utf8");
    const caught = /^SigCgt:\s*([0-9a-f]+)$/m.exec(status)?.[1];
    if (caught === undefined || BigInt(`0x${caught}`) & SIGTERM_BIT) return;
    if (Date.now() > deadline) throw new AnvilError("anvil does not catch SIGTERM");
    await sleep(1);
  }
  throw new AnvilError("anvil ended right after it started");
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  child.ref();
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}

const POLL_MS = 20;

let root: HDKey | undefined;

/** Returns an account of the default mnemonic. */
export function account(addressIndex: number): HDAccount {
  // The seed as in BIP-39, by Node: viem's own derivation takes a tenth of a second, for each account.
  root ??= HDKey.fromMasterSeed(pbkdf2Sync(ANVIL_MNEMONIC, "mnemonic", 2048, 64, "sha512"));
  return hdKeyToAccount(root, { addressIndex });
}

/** A running local chain with its clients and helpers for development and tests. */
export type LocalChain = ReturnType<typeof clientsOf>;

/** Creates the clients of a local chain with the default mnemonic. @param name in the deployment description */
export function clientsOf(anvil: Anvil, id: number, name: string) {
  const { rpcUrl } = anvil;
  const chain = defineChain({
    id,
    name,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    // While viem looks for a replacement it ignores new blocks. Here no later block would wake it.
    supportsTransactionReplacementDetection: false,
  });
  const transport = http(rpcUrl);
  const common = { chain, transport, pollingInterval: POLL_MS };
  const client = createPublicClient(common);
  const control = createTestClient({ ...common, mode: "anvil" });
  const wallet = (index: number) => createWalletClient({ ...common, account: account(index) });
  return {
    id,
    anvil,
    chain,
    client,
    /** Changes state without transactions. */
    control,
    wallet,
    description: { id, name, rpcUrl, publicRpcUrl: rpcUrl, explorerUrl: null } satisfies Chain,
    /** Deploys a contract from the first account. @throws Error when the transaction fails */
    async deploy(contract: { abi: Abi; bytecode: Hex }, args: unknown[] = []): Promise<Address> {
      const hash = await wallet(0).deployContract({ ...contract, args });
      const { status, contractAddress } = await client.waitForTransactionReceipt({ hash });
      if (status !== "success" || !contractAddress) throw new Error(`deployment ${hash} failed`);
      return getAddress(contractAddress);
    },
    /** Installs a contract at a chosen address. Its constructor must not write to storage. */
    async place(bytecode: Hex, address: Address): Promise<Address> {
      await control.setCode({ address, bytecode: await deployedCode(client, bytecode) });
      return address;
    },
    stop: anvil.stop,
  };
}

/** Returns the code that a creation would deploy. @throws Error when its constructor returns none */
export async function deployedCode(client: PublicClient, creation: Hex): Promise<Hex> {
  // A call without a receiver runs the constructor.
  const { data } = await client.call({ data: creation });
  if (!data) throw new Error("the constructor returned no code");
  return data;
}

/** Starts a new local chain on a free port. Call `stop` at the end. */
export async function startLocalChain(chainId = 8453, name = "test"): Promise<LocalChain> {
  return clientsOf(await startAnvil({ chainId }), chainId, name);
}

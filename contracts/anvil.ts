import { type ChildProcess, spawn } from "node:child_process";
import { chmod } from "node:fs/promises";
import { createRequire } from "node:module";
import { Socket } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";

/**
 * A local chain (anvil) as a child process: for tests, and for the development stack.
 */

/** The mnemonic anvil itself defaults to; its accounts are known to everyone and funded on the local chain. */
export const ANVIL_MNEMONIC = "test test test test test test test test test test test junk";

export interface AnvilOptions {
  chainId: number;
  /** default: a free port chosen by the system */
  port?: number;
  /** default 127.0.0.1 */
  host?: string;
  /** the chain is loaded from this file if it exists, and written back on stop and every stateInterval */
  statePath?: string;
  /** seconds between writes of the state file, so that a kill loses little; default: only on stop */
  stateInterval?: number;
  /** seconds between blocks; default: a block per transaction */
  blockTime?: number;
  /** default ANVIL_MNEMONIC */
  mnemonic?: string;
  /** funded accounts; default 10 */
  accounts?: number;
  /** false prints anvil's own log on stderr; default true */
  quiet?: boolean;
}

export interface Anvil {
  rpcUrl: string;
  port: number;
  process: ChildProcess;
  /** Ends anvil and waits for it (the state file is then complete). Safe to call twice. */
  stop(): Promise<void>;
}

/** anvil could not be found or started. */
class AnvilError extends Error {
  override name = "AnvilError";
}

const START_TIMEOUT_MS = 15_000;
const STOP_TIMEOUT_MS = 10_000;

/**
 * Starts anvil and resolves once it accepts requests. It ends when this process does, in whatever way.
 *
 * @throws AnvilError when the platform has no anvil package, or the port is taken, or it does not start in 15 s.
 */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  const host = options.host ?? "127.0.0.1";
  const args = ["--chain-id", options.chainId, "--host", host, "--port", options.port ?? 0];
  args.push("--mnemonic", options.mnemonic ?? ANVIL_MNEMONIC, "--accounts", options.accounts ?? 10);
  if (options.statePath) args.push("--state", options.statePath);
  if (options.stateInterval) args.push("--state-interval", options.stateInterval);
  if (options.blockTime) args.push("--block-time", options.blockTime);

  const child = spawn(await anvilBinary(), args.map(String), { stdio: ["ignore", "pipe", "pipe"] });
  guard(child);

  const port = await listening(child, options.quiet ?? true).catch((error: unknown) => {
    child.kill("SIGKILL");
    throw error;
  });
  // The child must not keep a finished program alive; stop() is for those who want the state on disk.
  child.unref();
  for (const stream of [child.stdout, child.stderr]) if (stream instanceof Socket) stream.unref();
  return { rpcUrl: `http://${host}:${port}`, port, process: child, stop: () => stop(child) };
}

/** Path of the anvil binary of this platform's optional package; made executable if the install did not. */
async function anvilBinary(): Promise<string> {
  const arch = process.arch === "x64" ? "amd64" : process.arch;
  const name = `@foundry-rs/anvil-${process.platform}-${arch}`;
  try {
    // Resolved from the wrapper package, which is the one that depends on it.
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
 * Ends anvil with this process, however this process ends: a shell holds the other end of a pipe, reads its
 * end of file, and tells anvil to save and stop. Otherwise a kill would leave anvil on its port.
 */
function guard(child: ChildProcess): void {
  if (child.pid === undefined || process.platform === "win32") return;
  const shell = spawn("/bin/sh", ["-c", 'read _; kill -TERM "$0"', String(child.pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    // A group of its own: an interrupt from the terminal is for anvil, which ends by it.
    detached: true,
  });
  shell.on("error", () => {});
  shell.unref();
  if (shell.stdin instanceof Socket) shell.stdin.unref();
  // Before its process id can be anybody else's.
  child.once("exit", () => shell.kill("SIGKILL"));
}

function listening(child: ChildProcess, quiet: boolean): Promise<number> {
  return new Promise((resolve, reject) => {
    let tail = "";
    const fail = (reason: string) => reject(new AnvilError(`anvil ${reason}${tail ? `: ${tail}` : ""}`));
    const timer = setTimeout(() => fail("did not start in time"), START_TIMEOUT_MS);
    child.once("error", (error) => fail(error.message));
    child.once("exit", (code) => fail(`ended with code ${code}`));
    // Both pipes are read to the end: a full pipe would stop anvil.
    for (const stream of [child.stdout, child.stderr]) {
      if (!stream) continue;
      createInterface({ input: stream }).on("line", (line) => {
        if (!quiet) console.error(`anvil: ${line}`);
        if (stream === child.stderr && line.trim()) tail = line.trim();
        const port = /^Listening on .*:(\d+)$/.exec(line)?.[1];
        if (!port) return;
        clearTimeout(timer);
        resolve(Number(port));
      });
    }
  });
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

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { Barretenberg, findBbBinary } from "@aztec/bb.js";
import pTimeout from "p-timeout";
import { ProverError } from "./errors";

/**
 * One bb process behind bb.js' typed API.
 *
 * bb.js has a backend like this one; ours differs in what a service needs: the CRS directory is given to this
 * process alone, the socket lies in a directory nobody else can enter (witnesses go through it), and a bb that
 * hangs can be killed for certain.
 */
export interface BbProcess {
  api: Barretenberg;
  pid: number;
  /** Resolves when the process has ended, for whatever reason. */
  ended: Promise<void>;
  /** Kills bb and waits until it is gone. Calls in flight fail as `crashed`. Safe to call twice. */
  kill(): Promise<void>;
}

export { EVM_SETTINGS } from "@/lib/proofs/artifact";

const START_TIMEOUT_MS = 10_000;
/** One step of preparing: gates counted, a key made, points checked. The slowest takes some ten seconds. */
const STEP_TIMEOUT_MS = 120_000;

export interface BbOptions {
  /** directory of the SRS; bb would download what is missing there: check the size before */
  srsPath: string;
  /** cores bb may use */
  threads: number;
  /** megabytes of address space; default `defaultMemoryMb`. Enforced on Linux. */
  memoryMb?: number;
}

/**
 * Memory of a bb process unless configured. A proof of the largest circuit (2^18 rows) takes 400 MB, and each thread
 * reserves some 70 MB of addresses; this is twice that.
 */
function defaultMemoryMb(threads: number): number {
  return 1024 + 128 * threads;
}

/**
 * Path of the bb binary bb.js ships for this platform (or `BB_BINARY_PATH`), made executable.
 *
 * @throws ProverError `crashed`, not to be retried, when there is none.
 */
export async function bbBinary(): Promise<string> {
  const binary = findBbBinary();
  if (!binary) throw new ProverError("crashed", "no bb binary for this platform", false);
  // Installs that skip scripts may leave it without its run bit.
  await chmod(binary, 0o755).catch(() => {});
  return binary;
}

/** What `bb --version` prints. Keys are cached by it: another build may lay them out differently. */
export async function bbVersion(): Promise<string> {
  const { stdout } = await promisify(execFile)(await bbBinary(), ["--version"], {
    timeout: START_TIMEOUT_MS,
    killSignal: "SIGKILL",
  });
  return stdout.trim();
}

/**
 * Starts bb, within its limits and without core dumps (they would hold witnesses), and connects to it.
 *
 * @throws ProverError `crashed` when bb does not come up in 10 s.
 */
export async function startBb({ srsPath, threads, memoryMb }: BbOptions): Promise<BbProcess> {
  const binary = await bbBinary();
  const directory = await mkdtemp(path.join(tmpdir(), "parley-bb-"));
  const socketPath = path.join(directory, "bb.sock");
  const [command, ...args] = limited(memoryMb ?? defaultMemoryMb(threads), [
    binary,
    "msgpack",
    "run",
    "--input",
    socketPath,
  ]);
  const child = spawn(command, args, { stdio: "ignore", env: bbEnvironment(srsPath, threads) });
  // It need not keep the parent alive: bb ends with it by itself (prctl, kqueue) should this not run.
  child.unref();
  const onExit = () => {
    child.kill("SIGKILL");
    rmSync(directory, { recursive: true, force: true });
  };
  process.once("exit", onExit);
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  }).then(() => {
    process.off("exit", onExit);
    return rm(directory, { recursive: true, force: true });
  });
  const kill = async () => {
    child.ref();
    child.kill("SIGKILL");
    await ended;
  };

  try {
    const socket = await connectTo(socketPath, child);
    const backend = new SocketBackend(socket, kill);
    const api = new Barretenberg(backend, {});
    // The newer multi-scalar multiplication: a tenth faster.
    await within(START_TIMEOUT_MS, api.setMsmLegacy({ enabled: false }));
    return { api, pid: child.pid ?? 0, ended, kill };
  } catch (error) {
    await kill();
    throw error instanceof ProverError ? error : new ProverError("crashed", "bb did not start");
  }
}

/**
 * One step of preparing, on a bb of its own, which is gone afterwards. A bb that hangs or dies is replaced once: it
 * happens, rarely, and a program that starts must neither wait for ever nor give up.
 *
 * @throws ProverError `timeout` or `crashed` when the second bb fails as well; what `work` throws
 */
export async function withBb<T>(
  options: BbOptions,
  work: (api: Barretenberg) => Promise<T>,
  timeoutMs = STEP_TIMEOUT_MS,
): Promise<T> {
  const attempt = async () => {
    const bb = await startBb(options);
    try {
      return await within(timeoutMs, work(bb.api));
    } finally {
      await bb.kill();
    }
  };
  return await attempt().catch((error: unknown) => {
    if (error instanceof ProverError && error.retry) return attempt();
    throw error;
  });
}

/** The result of work on bb, or ProverError `timeout`; the caller then kills that bb. */
export function within<T>(timeoutMs: number, work: Promise<T>): Promise<T> {
  return pTimeout(work, {
    milliseconds: timeoutMs,
    message: new ProverError("timeout", `bb did not finish in ${timeoutMs} ms`),
  });
}

/** The command below limits that every process can set for itself and what it becomes. */
function limited(memoryMb: number, command: string[]): [string, ...string[]] {
  // Elsewhere than on Linux the shell may not know -v, or the system may not keep to it.
  const memory = process.platform === "linux" ? `ulimit -v ${Math.round(memoryMb * 1024)} && ` : "";
  return ["/bin/sh", "-c", `ulimit -c 0 && ${memory}exec "$@"`, "sh", ...command];
}

/** What bb needs of the environment, and nothing of what is secret in ours. */
export function bbEnvironment(srsPath: string, threads: number): NodeJS.ProcessEnv {
  const { PATH, HOME, NODE_ENV } = process.env;
  return { PATH, HOME, NODE_ENV, CRS_PATH: srsPath, HARDWARE_CONCURRENCY: String(threads) };
}

/** bb creates the socket a moment after it starts, and listens a moment after that. */
async function connectTo(socketPath: string, child: ChildProcess): Promise<Socket> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline && child.exitCode === null && child.signalCode === null) {
    if (existsSync(socketPath)) {
      const socket = connect(socketPath);
      const connected = await new Promise<boolean>((resolve) => {
        socket.once("connect", () => resolve(true));
        socket.once("error", () => resolve(false));
      });
      if (connected) return socket;
      socket.destroy();
    }
    await sleep(10);
  }
  throw new ProverError("crashed", "bb did not start");
}

/** bb's framing: a little-endian 32-bit length, then one msgpack message. Answers come in order. */
class SocketBackend {
  private waiting: { resolve: (answer: Uint8Array) => void; reject: (error: Error) => void }[] = [];
  private chunks: Buffer[] = [];
  private buffered = 0;
  private closed = false;

  constructor(
    private readonly socket: Socket,
    private readonly kill: () => Promise<void>,
  ) {
    socket.setNoDelay(true);
    socket.unref();
    socket.on("data", (chunk: Buffer) => this.receive(chunk));
    socket.on("error", () => this.fail());
    // The end of the process closes its sockets, so this is also how its death is noticed.
    socket.on("close", () => this.fail());
  }

  call(message: Uint8Array): Promise<Uint8Array> {
    if (this.closed) return Promise.reject(new ProverError("crashed", "bb is gone"));
    return new Promise((resolve, reject) => {
      this.waiting.push({ resolve, reject });
      // A finished program may exit while bb idles, but not while it works.
      this.socket.ref();
      const length = Buffer.alloc(4);
      length.writeUInt32LE(message.length);
      this.socket.write(length);
      this.socket.write(message);
    });
  }

  /** Rejects everything in flight; later calls fail at once. */
  fail(): void {
    this.closed = true;
    this.socket.destroy();
    for (const { reject } of this.waiting.splice(0))
      reject(new ProverError("crashed", "bb ended while it worked"));
  }

  destroy(): Promise<void> {
    return this.kill();
  }

  private receive(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.buffered += chunk.length;
    while (this.buffered >= 4) {
      const data =
        this.chunks.length === 1 ? (this.chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(this.chunks);
      const end = 4 + data.readUInt32LE(0);
      this.chunks = [data];
      if (data.length < end) return;
      this.chunks = [data.subarray(end)];
      this.buffered = data.length - end;
      this.waiting.shift()?.resolve(new Uint8Array(data.subarray(4, end)));
      if (this.waiting.length === 0) this.socket.unref();
    }
  }
}

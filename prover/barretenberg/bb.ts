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
 * A bb process behind bb.js' typed API. Unlike bb.js' own backend, it fits a service: the CRS directory is set for this
 * process alone, the socket is in a directory that no other user can enter (witnesses pass through it), and a bb that
 * hangs is sure to be killed.
 */
export interface BbProcess {
  api: Barretenberg;
  pid: number;
  /** Resolves when the process has ended, for whatever reason. */
  ended: Promise<void>;
  /** Kills bb and waits until it is gone. Pending calls fail as `crashed`. Safe to call twice. */
  kill(): Promise<void>;
}

export { EVM_SETTINGS } from "@/lib/proofs/artifact";

const START_TIMEOUT_MS = 10_000;
/** For counting gates, making a key or checking points. The slowest takes some ten seconds. */
const STEP_TIMEOUT_MS = 120_000;

export interface BbOptions {
  /** directory of the SRS; check its size first, since bb would download missing points */
  srsPath: string;
  /** cores bb may use */
  threads: number;
  /** megabytes of address space; default `defaultMemoryMb`. Enforced on Linux. */
  memoryMb?: number;
}

/** Twice what is needed: a proof of the largest circuit (2^18 rows) takes 400 MB, and each thread reserves 70 MB of addresses. */
function defaultMemoryMb(threads: number): number {
  return 1024 + 128 * threads;
}

/**
 * Returns the path of the bb binary that bb.js ships for this platform (or `BB_BINARY_PATH`), made executable.
 * @throws ProverError `crashed`, not to be retried, if there is none
 */
export async function bbBinary(): Promise<string> {
  const binary = findBbBinary();
  if (!binary) throw new ProverError("crashed", "no bb binary for this platform", false);
  // Installs that skip scripts may leave it not executable.
  await chmod(binary, 0o755).catch(() => {});
  return binary;
}

/** Returns what `bb --version` prints. Keys are cached by it: their layout may differ between builds. */
export async function bbVersion(): Promise<string> {
  const { stdout } = await promisify(execFile)(await bbBinary(), ["--version"], {
    timeout: START_TIMEOUT_MS,
    killSignal: "SIGKILL",
  });
  return stdout.trim();
}

/**
 * Starts bb with its limits and without core dumps (they would contain witnesses), and connects to it.
 * @throws ProverError `crashed` if bb does not start within 10 s
 */
export async function startBb({ srsPath, threads, memoryMb }: BbOptions): Promise<BbProcess> {
  const binary = await bbBinary();
  const directory = await mkdtemp(path.join(tmpdir(), "parley-bb-"));
  const socketPath = path.join(directory, "bb.sock");
  const run = [binary, "msgpack", "run", "--input", socketPath];
  const [command, ...args] = limited(memoryMb ?? defaultMemoryMb(threads), run);
  const child = spawn(command, args, { stdio: "ignore", env: bbEnvironment(srsPath, threads) });
  // It does not keep the parent alive: without this handler, bb still ends with the parent (prctl, kqueue).
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
    // The newer multi-scalar multiplication is a tenth faster.
    await within(START_TIMEOUT_MS, api.setMsmLegacy({ enabled: false }));
    return { api, pid: child.pid ?? 0, ended, kill };
  } catch (error) {
    await kill();
    throw error instanceof ProverError ? error : new ProverError("crashed", "bb did not start");
  }
}

/**
 * Runs a step of the start on a bb of its own. A bb that hangs or dies, which is rare, is replaced once: a starting
 * program must neither wait forever nor give up.
 * @throws ProverError `timeout` or `crashed` if the second bb fails as well; what `work` throws
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

/**
 * Adds a timeout to work on bb: ProverError `timeout`, upon which the caller kills that bb.
 * @param signal ends the wait with its reason
 */
export function within<T>(timeoutMs: number, work: Promise<T>, signal?: AbortSignal): Promise<T> {
  const message = new ProverError("timeout", `bb did not finish in ${timeoutMs} ms`);
  return pTimeout(work, { milliseconds: timeoutMs, message, signal });
}

/** Wraps a command in limits that a process sets for itself before it becomes the command. */
function limited(memoryMb: number, command: string[]): [string, ...string[]] {
  // Outside Linux, the shell may not support -v, or the system may not enforce it.
  const memory = process.platform === "linux" ? `ulimit -v ${Math.round(memoryMb * 1024)} && ` : "";
  return ["/bin/sh", "-c", `ulimit -c 0 && ${memory}exec "$@"`, "sh", ...command];
}

/** Returns the environment that bb needs, without our secrets. */
export function bbEnvironment(srsPath: string, threads: number): NodeJS.ProcessEnv {
  const { PATH, HOME, NODE_ENV } = process.env;
  return { PATH, HOME, NODE_ENV, CRS_PATH: srsPath, HARDWARE_CONCURRENCY: String(threads) };
}

/** Waits until bb has created its socket and listens on it. */
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

/** Speaks bb's framing: a little-endian 32-bit length, then one msgpack message. Answers come in order. */
class SocketBackend {
  #waiting: { resolve: (answer: Uint8Array) => void; reject: (error: Error) => void }[] = [];
  #chunks: Buffer[] = [];
  #buffered = 0;
  #closed = false;
  readonly #socket: Socket;
  readonly #kill: () => Promise<void>;

  constructor(socket: Socket, kill: () => Promise<void>) {
    this.#socket = socket;
    this.#kill = kill;
    socket.setNoDelay(true);
    socket.unref();
    socket.on("data", (chunk: Buffer) => this.#receive(chunk));
    socket.on("error", () => this.fail());
    // Also fires when the process ends, which closes its sockets.
    socket.on("close", () => this.fail());
  }

  call(message: Uint8Array): Promise<Uint8Array> {
    if (this.#closed) return Promise.reject(new ProverError("crashed", "bb is gone"));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      // A program may exit while bb idles, but not while it works.
      this.#socket.ref();
      const length = Buffer.alloc(4);
      length.writeUInt32LE(message.length);
      this.#socket.write(length);
      this.#socket.write(message);
    });
  }

  /** Rejects pending calls; later calls fail at once. */
  fail(): void {
    this.#closed = true;
    this.#socket.destroy();
    for (const { reject } of this.#waiting.splice(0))
      reject(new ProverError("crashed", "bb ended while it worked"));
  }

  destroy(): Promise<void> {
    return this.#kill();
  }

  #receive(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#buffered += chunk.length;
    while (this.#buffered >= 4) {
      const data =
        this.#chunks.length === 1 ? (this.#chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#chunks);
      const end = 4 + data.readUInt32LE(0);
      this.#chunks = [data];
      if (data.length < end) return;
      this.#chunks = [data.subarray(end)];
      this.#buffered = data.length - end;
      this.#waiting.shift()?.resolve(new Uint8Array(data.subarray(4, end)));
      if (this.#waiting.length === 0) this.#socket.unref();
    }
  }
}

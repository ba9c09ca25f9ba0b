import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, type WriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Environment } from "@/lib/settings/read";
import { type RestartPolicy, watchLoop } from "./restart";
import { ROOT } from "./settings";
import { programArgs } from "./sources";

/** How to start one program of the stack. */
export interface ChildSpec {
  name: string;
  command: string;
  args: readonly string[];
  env: Environment;
  /** Resolves true once the program accepts requests. */
  ready?: () => Promise<boolean>;
  readyTimeoutMs?: number;
  /** Resolves true while its event loop runs, whatever else is wrong. If it stays false, the program is restarted. */
  alive?: () => Promise<boolean>;
}

export interface ChildrenOptions {
  /** Restarts a program that dies after its start or whose event loop is stuck. Without it, `onDeath` reports the exit. */
  readonly restart?: RestartPolicy;
  /** Receives the output of the programs, instead of log files. */
  readonly output?: NodeJS.WritableStream;
  /** Called with a line about every restart. */
  readonly note?: (text: string) => void;
}

/** A program of the stack exited unexpectedly, or never became ready. */
export class ChildError extends Error {
  override name = "ChildError";
}

interface Running {
  name: string;
  process: ChildProcess;
  /** Target of signals: negative for a process group of its own. */
  target: number;
  log: WriteStream | null;
  /** True after its start: from now on its exit is unexpected. */
  watched: boolean;
  /** Restarts it. @returns whether it runs */
  revive?: () => Promise<boolean>;
  ended: Promise<void>;
}

const STOP_GRACE_MS = 10_000;
const POLL_MS = 150;
const LOG_TAIL_LINES = 15;
const TAIL_CHARS = 8_000;

/**
 * Supervises the child processes of one stack: starts them in order, logs their output and stops them in reverse order.
 * `onDeath` reports one unexpected exit; with a restart policy, only that of a program that keeps dying. Adopted
 * processes (chains) are never restarted.
 */
export class Children {
  readonly #running: Running[] = [];
  #stopping = false;
  #watchdog: ChildProcess | undefined;
  /** The last output of each program. */
  readonly #tails = new Map<string, string>();
  /** Times of each program's recent exits. */
  readonly #deaths = new Map<string, number[]>();
  /** Programs that `end` stopped; they are not restarted. */
  readonly #ended = new Set<string>();
  readonly #logDir: string;
  readonly #onDeath: (error: ChildError) => void;
  readonly #options: ChildrenOptions;

  constructor(logDir: string, onDeath: (error: ChildError) => void, options: ChildrenOptions = {}) {
    this.#logDir = logDir;
    this.#onDeath = onDeath;
    this.#options = options;
  }

  /**
   * Starts a program in its own process group (so that its children end with it) and waits until it is ready.
   * @throws ChildError with the last lines of its log when it exits first or is not ready in time
   */
  async start(spec: ChildSpec): Promise<void> {
    this.#ended.delete(spec.name);
    const child = await this.#spawn(spec);
    const entry = this.#track(spec.name, child.process, true, child.log);
    const exited = exitOf(spec.name, child.process).then((how) => {
      throw new ChildError(`${spec.name} ended at once (${how})`);
    });
    await this.#explained(spec.name, Promise.race([exited, waitReady(spec)]));
    entry.watched = true;
    const { restart } = this.#options;
    if (restart) this.#supervise(spec, entry, restart);
    if (child.process.exitCode !== null) void this.#died(entry, child.process.exitCode);
  }

  /**
   * Runs a program to completion, with the same log and the same behavior on Ctrl-C.
   * @throws ChildError with the last lines of its log when it fails
   */
  async run(spec: ChildSpec): Promise<void> {
    const child = await this.#spawn(spec);
    this.#track(spec.name, child.process, true, child.log);
    const completed = exitOf(spec.name, child.process).then((how) => {
      if (how !== 0) throw new ChildError(`${spec.name} failed (${how})`);
    });
    await this.#explained(spec.name, completed);
  }

  /** Watches a program that other code spawned (a chain). */
  adopt(name: string, child: ChildProcess): void {
    this.#track(name, child, false, null).watched = true;
    if (this.#stopping) child.kill("SIGTERM");
  }

  logFile(name: string): string {
    return path.join(this.#logDir, `${name}.log`);
  }

  /** Returns the last lines a program wrote, each prefixed with its name. */
  logTail(name: string): string {
    const lines = this.#tails.get(name)?.trimEnd().split("\n").slice(-LOG_TAIL_LINES) ?? [];
    const said = lines.map((line) => `  ${name} | ${line}`).join("\n");
    if (this.#options.output) return said;
    return `${said}\n  (full log: ${path.relative(process.cwd(), this.logFile(name))})`;
  }

  /** Stops every program, last started first, each with a grace period. Safe to call twice. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const child of [...this.#running].reverse()) await finish(child);
    this.#watchdog?.stdin?.end();
    this.#watchdog = undefined;
  }

  /** Stops one program, with a grace period. It stays down until it is started again. */
  async end(name: string): Promise<void> {
    this.#ended.add(name);
    for (const child of this.#running.filter((one) => one.name === name)) {
      child.watched = false;
      await finish(child);
    }
  }

  /** Kills every program at once, for the second Ctrl-C. */
  kill(): void {
    this.#stopping = true;
    for (const child of this.#running) signal(child.target, "SIGKILL");
  }

  /** Marks every further exit as expected. Call it first on a signal. */
  expectEnd(): void {
    this.#stopping = true;
  }

  async #spawn(spec: ChildSpec): Promise<{ process: ChildProcess; log: WriteStream | null }> {
    const { output } = this.#options;
    if (!output) await mkdir(this.#logDir, { recursive: true });
    if (this.#stopping) throw new ChildError(`${spec.name} was not started: the stack is stopping`);
    // Appended: the reason for a restart is in the log before it.
    const log = output ? null : createWriteStream(this.logFile(spec.name), { flags: "a" });
    log?.write(`--- ${spec.name} starts, ${new Date().toISOString()}\n`);
    this.#tails.set(spec.name, "");
    const child = spawn(spec.command, spec.args, {
      cwd: ROOT,
      // NODE_ENV is here for the types only; the value in the spec wins.
      env: { NODE_ENV: "production", ...spec.env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream.pipe(log ?? output ?? process.stdout, { end: false });
      stream.on("data", (data: Buffer) => {
        this.#tails.set(spec.name, `${this.#tails.get(spec.name) ?? ""}${data}`.slice(-TAIL_CHARS));
      });
    }
    return { process: child, log };
  }

  async #explained<T>(name: string, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new ChildError(this.#stopping ? message : `${message}\n${this.logTail(name)}`);
    }
  }

  #track(name: string, child: ChildProcess, ownGroup: boolean, log: WriteStream | null): Running {
    const pid = child.pid ?? 0;
    const entry: Running = {
      name,
      process: child,
      target: ownGroup ? -pid : pid,
      log,
      watched: false,
      ended: new Promise((resolve) => {
        const end = (how: number | string | null) => {
          this.#running.splice(this.#running.indexOf(entry), 1);
          this.#tellWatchdog();
          resolve();
          if (entry.watched) void this.#died(entry, how);
        };
        child.once("exit", (code, signalName) => end(code ?? signalName));
        child.once("error", () => pid === 0 && end(null));
        // Its last output can arrive after its exit.
        child.once("close", () => log?.end());
      }),
    };
    this.#running.push(entry);
    this.#tellWatchdog();
    return entry;
  }

  /** Restarts the program when it dies from now on, and kills it when its event loop is stuck. */
  #supervise(spec: ChildSpec, entry: Running, policy: RestartPolicy): void {
    entry.revive = () => this.#revive(spec, policy);
    if (!spec.alive) return;
    const stop = watchLoop(spec.alive, policy, () => {
      this.#options.note?.(`${spec.name} has not answered for ${policy.stuckMs / 1000} s: ending it.`);
      // A stuck event loop runs no signal handlers.
      signal(entry.target, "SIGKILL");
    });
    void entry.ended.then(stop);
  }

  async #died(entry: Running, how: number | string | null): Promise<void> {
    entry.watched = false;
    // The processes it started hold its ports and databases.
    if (entry.target < 0) signal(entry.target, "SIGKILL");
    // Ctrl-C in a terminal can end a child before our own handler has run.
    await sleep(300);
    if (this.#stopping) return;
    const { name, revive } = entry;
    const death = new ChildError(`${name} ended unexpectedly (${how}).\n${this.logTail(name)}`);
    if (revive) {
      this.#options.note?.(death.message);
      if (await revive()) return;
      if (this.#stopping) return;
    }
    this.#stopping = true;
    this.#onDeath(death);
  }

  /** @returns false when the program keeps dying, or the stack stops */
  async #revive(spec: ChildSpec, policy: RestartPolicy): Promise<boolean> {
    const deaths = (this.#deaths.get(spec.name) ?? []).filter((at) => Date.now() - at < policy.withinMs);
    this.#deaths.set(spec.name, [...deaths, Date.now()]);
    if (deaths.length >= policy.times) return false;
    await sleep(Math.min(policy.longestDelayMs, policy.firstDelayMs * 2 ** deaths.length));
    if (this.#stopping) return false;
    if (this.#ended.has(spec.name)) return true;
    try {
      await this.start(spec);
      this.#options.note?.(`${spec.name} runs again.`);
      return true;
    } catch (error) {
      if (this.#ended.has(spec.name)) return true;
      await this.#discard(spec.name);
      this.#options.note?.(error instanceof Error ? error.message : String(error));
      return this.#stopping ? false : await this.#revive(spec, policy);
    }
  }

  /** Kills a program that did not become ready. */
  async #discard(name: string): Promise<void> {
    for (const child of this.#running.filter((one) => one.name === name)) {
      signal(child.target, "SIGKILL");
      await child.ended;
    }
  }

  #tellWatchdog(): void {
    if (!this.#watchdog) {
      if (this.#running.length === 0) return;
      const stdio: StdioOptions = ["pipe", "ignore", "ignore"];
      this.#watchdog = spawn(process.execPath, programArgs("scripts/stack/watchdog.ts"), {
        cwd: ROOT,
        detached: true,
        stdio,
      });
      this.#watchdog.unref();
      this.#watchdog.stdin?.on("error", () => undefined);
    }
    const targets = this.#running.map(({ target }) => target).filter((target) => target !== 0);
    this.#watchdog.stdin?.write(`${JSON.stringify(targets)}\n`);
  }
}

/** Resolves with the exit code or the signal that ended a program. @throws ChildError when it could not start */
async function exitOf(name: string, child: ChildProcess): Promise<number | string | null> {
  try {
    const [code, signalName] = await once(child, "exit");
    return code ?? signalName;
  } catch (error) {
    throw new ChildError(`${name} could not start: ${error instanceof Error ? error.message : error}`);
  }
}

async function waitReady({ name, ready, readyTimeoutMs = 60_000 }: ChildSpec): Promise<void> {
  if (!ready) return;
  const deadline = Date.now() + readyTimeoutMs;
  while (!(await ready().catch(() => false))) {
    if (Date.now() > deadline) throw new ChildError(`${name} did not become ready`);
    await sleep(POLL_MS);
  }
}

/** Resolves true when a GET gets a success status. @throws Error when it gets no response */
export async function answersOk(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
  await response.body?.cancel();
  return response.ok;
}

/** Resolves true when a GET gets any response: the program's event loop runs. @throws Error when it gets none */
export async function answers(url: string): Promise<boolean> {
  await answersOk(url);
  return true;
}

/** Asks a program to exit, and kills it and its children after the grace period. */
async function finish({ target, ended }: Running): Promise<void> {
  signal(target, "SIGTERM");
  const timer = setTimeout(() => signal(target, "SIGKILL"), STOP_GRACE_MS);
  await ended;
  clearTimeout(timer);
  // A leader may leave group members behind (bb, workers of Next).
  if (target < 0) signal(target, "SIGKILL");
}

function signal(target: number, name: NodeJS.Signals): void {
  // 0 would be our own group: the program never got a process ID.
  if (target === 0) return;
  try {
    process.kill(target, name);
  } catch {
    // Already gone.
  }
}

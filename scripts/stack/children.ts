import { type ChildProcess, fork, spawn } from "node:child_process";
import { createWriteStream, type WriteStream } from "node:fs";
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { ROOT } from "./root";
import type { Environment } from "./settings";

/** How to start one program of the stack. */
export interface ChildSpec {
  name: string;
  command: string;
  args: readonly string[];
  env: Environment;
  /** Resolves true once the program serves. */
  ready?: () => Promise<boolean>;
  readyTimeoutMs?: number;
}

/** A program of the stack ended when nobody asked it to, or never became ready. */
export class ChildError extends Error {
  override name = "ChildError";
}

interface Running {
  name: string;
  process: ChildProcess;
  /** What signals go to: negative for a process group of its own. */
  target: number;
  log: WriteStream | null;
  /** Past its start: from now on its end is news. */
  watched: boolean;
  ended: Promise<void>;
}

const STOP_GRACE_MS = 10_000;
const POLL_MS = 150;
const LOG_TAIL_LINES = 15;

/**
 * The child processes of one stack: started in order, logged to files, stopped in reverse order. Any
 * unexpected end is reported once through `onDeath`; nothing is restarted.
 */
export class Children {
  private readonly running: Running[] = [];
  private stopping = false;
  private watchdog: ChildProcess | undefined;

  constructor(
    private readonly logDir: string,
    private readonly onDeath: (error: ChildError) => void,
  ) {}

  /**
   * Starts a program in its own process group (so that its own children end with it) and waits until it
   * is ready.
   * @throws ChildError with the last lines of its log when it ends first or is not ready in time
   */
  async start(spec: ChildSpec): Promise<void> {
    const child = await this.spawn(spec);
    const entry = this.track(spec.name, child.process, true, child.log);
    await this.explained(
      spec.name,
      Promise.race([this.endedTooEarly(spec.name, child.process), this.waitReady(spec)]),
    );
    entry.watched = true;
    if (child.process.exitCode !== null) void this.reportDeath(spec.name, child.process.exitCode);
  }

  /**
   * Runs a program to its end, with the same log and the same end on Ctrl-C.
   * @throws ChildError with the last lines of its log when it fails
   */
  async run(spec: ChildSpec): Promise<void> {
    const child = await this.spawn(spec);
    this.track(spec.name, child.process, true, child.log);
    await this.explained(
      spec.name,
      new Promise<void>((resolve, reject) => {
        child.process.once("error", (error) =>
          reject(new ChildError(`${spec.name} could not start: ${error.message}`)),
        );
        child.process.once("exit", (code, signalName) =>
          code === 0 ? resolve() : reject(new ChildError(`${spec.name} failed (${code ?? signalName})`)),
        );
      }),
    );
  }

  /** Watches a program somebody else spawned (a chain). */
  adopt(name: string, child: ChildProcess): void {
    this.track(name, child, false, null).watched = true;
    if (this.stopping) child.kill("SIGTERM");
  }

  logFile(name: string): string {
    return path.join(this.logDir, `${name}.log`);
  }

  /** The end of a program's log, each line prefixed with its name. */
  async logTail(name: string): Promise<string> {
    const text = await readFile(this.logFile(name), "utf8").catch(() => "");
    const lines = text.trimEnd().split("\n").slice(-LOG_TAIL_LINES);
    return `${lines.map((l) => `  ${name} | ${l}`).join("\n")}\n  (all of it: ${path.relative(process.cwd(), this.logFile(name))})`;
  }

  /** Ends every program, last started first, each with a grace period. Safe to call twice. */
  async stop(): Promise<void> {
    this.stopping = true;
    for (const child of [...this.running].reverse()) {
      signal(child.target, "SIGTERM");
      const timer = setTimeout(() => signal(child.target, "SIGKILL"), STOP_GRACE_MS);
      await child.ended;
      clearTimeout(timer);
      // A leader that is gone may leave group members behind (bb, workers of next).
      if (child.target < 0) signal(child.target, "SIGKILL");
    }
    this.watchdog?.disconnect();
    this.watchdog = undefined;
  }

  /** Ends every program at once; the second Ctrl-C. */
  kill(): void {
    this.stopping = true;
    for (const child of this.running) signal(child.target, "SIGKILL");
  }

  /** From now on an end of a child is no accident. Called first thing on a signal. */
  expectEnd(): void {
    this.stopping = true;
  }

  private async spawn(spec: ChildSpec): Promise<{ process: ChildProcess; log: WriteStream }> {
    await mkdir(this.logDir, { recursive: true });
    if (this.stopping) throw new ChildError(`${spec.name} was not started: the stack is stopping`);
    const log = createWriteStream(this.logFile(spec.name), { flags: "w" });
    const child = spawn(spec.command, spec.args, {
      cwd: ROOT,
      // NODE_ENV is listed for the types only: what the spec says about it wins.
      env: { NODE_ENV: "production", ...spec.env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    return { process: child, log };
  }

  private endedTooEarly(name: string, child: ChildProcess): Promise<never> {
    return new Promise((_, reject) => {
      child.once("error", (error) => reject(new ChildError(`${name} could not start: ${error.message}`)));
      child.once("exit", (code, signalName) =>
        reject(new ChildError(`${name} ended at once (${code ?? signalName})`)),
      );
    });
  }

  private async explained<T>(name: string, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new ChildError(this.stopping ? message : `${message}\n${await this.logTail(name)}`);
    }
  }

  private track(name: string, child: ChildProcess, ownGroup: boolean, log: WriteStream | null): Running {
    const pid = child.pid ?? 0;
    const entry: Running = {
      name,
      process: child,
      target: ownGroup ? -pid : pid,
      log,
      watched: false,
      ended: new Promise((resolve) => {
        const end = (how: number | string | null) => {
          this.running.splice(this.running.indexOf(entry), 1);
          this.tellWatchdog();
          log?.end();
          resolve();
          if (entry.watched) void this.reportDeath(name, how);
        };
        child.once("exit", (code, signalName) => end(code ?? signalName));
        child.once("error", () => pid === 0 && end(null));
      }),
    };
    this.running.push(entry);
    this.tellWatchdog();
    return entry;
  }

  private async reportDeath(name: string, how: number | string | null): Promise<void> {
    // A Ctrl-C in a terminal can end a child before our own handler has run.
    await sleep(300);
    if (this.stopping) return;
    this.stopping = true;
    this.onDeath(new ChildError(`${name} ended unexpectedly (${how}).\n${await this.logTail(name)}`));
  }

  private tellWatchdog(): void {
    if (!this.watchdog) {
      if (this.running.length === 0) return;
      this.watchdog = fork(path.join(import.meta.dirname, "watchdog.ts"), {
        cwd: ROOT,
        detached: true,
        stdio: ["ignore", "ignore", "ignore", "ipc"],
        execArgv: ["--import", "tsx"],
      });
      this.watchdog.unref();
      this.watchdog.channel?.unref();
    }
    if (this.watchdog.connected) this.watchdog.send(this.running.map((r) => r.target).filter((t) => t !== 0));
  }

  private async waitReady(spec: ChildSpec): Promise<void> {
    const { ready } = spec;
    if (!ready) return;
    const deadline = Date.now() + (spec.readyTimeoutMs ?? 60_000);
    while (!(await ready().catch(() => false))) {
      if (Date.now() > deadline) throw new ChildError(`${spec.name} did not become ready`);
      await sleep(POLL_MS);
    }
  }
}

/** True when a GET answers with a success status. */
export async function answersOk(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
  await response.body?.cancel();
  return response.ok;
}

function signal(target: number, name: NodeJS.Signals): void {
  // 0 would be our own group: a program that never got a process id.
  if (target === 0) return;
  try {
    process.kill(target, name);
  } catch {
    // Already gone.
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

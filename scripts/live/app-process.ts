import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import WebSocket from "ws";
import { z } from "zod";
import type { Deployment } from "@/lib/proofs/deployment";
import { createSessionTokens } from "@/lib/session/tokens";
import type { Environment } from "@/lib/settings/read";
import { testDeployment } from "@/lib/testing/deployment";
import { answersOk } from "../stack/children";
import { nextCommand } from "../stack/next-build";
import { freePort } from "../stack/ports";
import { appProgram } from "../stack/programs";
import { loadSecrets } from "../stack/secrets";
import { homePaths, ROOT, temporarySettings } from "../stack/settings";
import { cpuMs } from "./cpu";

const targets = z.array(z.object({ webSocketDebuggerUrl: z.url() })).min(1);
/** Repeats the collection: finalizers of one free memory for the next. */
const GC_ROUNDS = 3;

/**
 * Makes a Node process collect its garbage, so that its memory is what it really holds. The process must run with
 * `--inspect-port=<port>`; SIGUSR1 opens the inspector.
 * @throws Error when the inspector does not respond
 */
async function collectGarbage(pid: number, port: number): Promise<void> {
  process.kill(pid, "SIGUSR1");
  const socket = new WebSocket(await inspectorUrl(port));
  await once(socket, "open");
  for (let id = 1; id <= GC_ROUNDS; id += 1) {
    const answered = once(socket, "message");
    socket.send(JSON.stringify({ id, method: "HeapProfiler.collectGarbage" }));
    await answered;
    // V8 returns pages to the system in the background.
    await sleep(500);
  }
  socket.close();
  await once(socket, "close");
}

async function inspectorUrl(port: number): Promise<string> {
  for (let tries = 0; tries < 50; tries += 1) {
    const response = await fetch(`http://127.0.0.1:${port}/json/list`).catch(() => null);
    if (response) return targets.parse(await response.json())[0]?.webSocketDebuggerUrl ?? "";
    await sleep(100);
  }
  throw new Error(`no inspector responds on port ${port}`);
}

const START_TIMEOUT_MS = 60_000;

export type AppHome = Awaited<ReturnType<typeof appHome>>;
export type AppProcess = ReturnType<typeof processOf>;

/**
 * Creates a home for the app alone, in its production build, without chains, prover or identity provider: a folder with
 * settings, secrets and a deployment description. It needs a finished `npm run build`.
 * @param changes fields of the description that differ from `testDeployment`
 */
export async function appHome(changes: Partial<Deployment> = {}) {
  const settings = await temporarySettings({
    env: { ...process.env, DEV_LOGIN: "1", RATE_LIMITS: "off", SPAM_LIMITS: "off", LOG_LEVEL: "warn" },
  });
  const paths = homePaths(settings.home);
  await mkdir(settings.home, { recursive: true });
  const secrets = await loadSecrets(paths.secrets);
  const deployment = testDeployment(changes);
  const secret = new TextEncoder().encode(secrets.SESSION_SECRET);
  return {
    settings,
    /** Signs sessions as the app does, for rows written before it starts. */
    tokens: createSessionTokens({ secrets: [secret], audience: deployment.scope, now: () => new Date() }),
    /**
     * Starts a process of the app on its own port, behind its entry server or `next start`.
     * @param folder of the build; by default the repository
     * @param at the port; by default a free one
     */
    async start(env: Environment = {}, server: "entry" | "next start" = "entry", folder = ROOT, at?: number) {
      const port = at ?? (await freePort());
      const inspectPort = await freePort();
      const url = `http://127.0.0.1:${port}`;
      // Each process is a site of its own, unless there is something in front: only its own pages may write with a cookie.
      const appUrl = changes.services?.appUrl ?? url;
      const own = { ...deployment, services: { ...deployment.services, appUrl } };
      const deploymentFile = path.join(settings.home, `deployment-${port}.json`);
      await writeFile(deploymentFile, JSON.stringify(own));
      const program = appProgram({
        settings: {
          ...settings,
          ports: { ...settings.ports, app: port },
          env: { ...settings.env, ...env },
        },
        deployment: own,
        deploymentFile,
        secrets,
      });
      const { command, args } =
        server === "entry" ? program : nextCommand("start", "-p", String(port), "-H", "127.0.0.1");
      const isCopied = folder !== ROOT;
      const child = spawn(command, isCopied ? ["index.js", "serve"] : args, {
        cwd: folder,
        env: {
          ...program.env,
          // A copied folder sets these itself.
          ...(isCopied && { NEXTAUTH_URL: undefined }),
          NODE_ENV: isCopied ? "development" : "production",
          NODE_OPTIONS: `--inspect-port=${inspectPort} ${env.NODE_OPTIONS ?? ""}`,
        },
        stdio: ["ignore", "inherit", "inherit"],
      });
      await untilOk(child, `${url}/api/health`);
      return processOf(child, { port, inspectPort, url });
    },
  };
}

/** Waits until a program answers a GET with success. @throws Error when it ends before, or does not within a minute */
export async function untilOk(child: ChildProcess, url: string): Promise<void> {
  const until = Date.now() + START_TIMEOUT_MS;
  while (!(await answersOk(url).catch(() => false))) {
    if (child.exitCode !== null) throw new Error(`the program of ${url} ended with ${child.exitCode}`);
    if (Date.now() > until) throw new Error(`${url} did not answer in time`);
    await sleep(100);
  }
}

/** Sends a signal to a program that runs, and waits for its end. */
export async function endProgram(child: ChildProcess, signal: "SIGKILL" | "SIGTERM"): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}

function processOf(
  child: ChildProcess,
  { port, inspectPort, url }: { port: number; inspectPort: number; url: string },
) {
  const { pid = 0 } = child;
  return {
    url,
    port,
    pid,
    /** Sends a signal that does not end it. */
    signal(name: "SIGSTOP" | "SIGCONT") {
      child.kill(name);
    },
    /** Returns the resident memory of the process, in bytes, after garbage collection. */
    async heldBytes() {
      await collectGarbage(pid, inspectPort);
      const [, kib = "0"] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
      return Number(kib) * 1024;
    },
    /** Returns the CPU time used so far, in milliseconds. */
    cpuMs: () => cpuMs(pid),
    kill: (signal: "SIGKILL" | "SIGTERM") => endProgram(child, signal),
  };
}

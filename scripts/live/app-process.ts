import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import WebSocket from "ws";
import { z } from "zod";
import type { Deployment } from "@/lib/proofs/deployment";
import { createSessionTokens, type SessionTokens } from "@/lib/session/tokens";
import { testDeployment } from "@/lib/testing/deployment";
import { answersOk } from "../stack/children";
import { nextCommand } from "../stack/next-build";
import { freePort } from "../stack/ports";
import { appProgram } from "../stack/programs";
import { ROOT } from "../stack/root";
import { loadSecrets } from "../stack/secrets";
import { type Environment, homePaths, type StackSettings } from "../stack/settings";
import { temporarySettings } from "../stack/temporary";

const targets = z.array(z.object({ webSocketDebuggerUrl: z.url() })).min(1);
/** One collection leaves what finalizers of the one before it let go of. */
const rounds = 3;

/**
 * Makes a Node process collect its garbage, so that its memory is what it holds and not what it has not got round to
 * freeing. The process must have been started with `--inspect-port=<port>`; the inspector is opened by SIGUSR1.
 * @throws Error when the inspector does not answer
 */
async function collectGarbage(pid: number, port: number): Promise<void> {
  process.kill(pid, "SIGUSR1");
  const socket = new WebSocket(await inspectorUrl(port));
  await once(socket, "open");
  for (let id = 1; id <= rounds; id += 1) {
    const answered = once(socket, "message");
    socket.send(JSON.stringify({ id, method: "HeapProfiler.collectGarbage" }));
    await answered;
    // Pages go back to the system in the background.
    await sleep(500);
  }
  socket.close();
  await once(socket, "close");
}

async function inspectorUrl(port: number): Promise<string> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const response = await fetch(`http://127.0.0.1:${port}/json/list`).catch(() => null);
    if (response) return targets.parse(await response.json())[0]?.webSocketDebuggerUrl ?? "";
    await sleep(100);
  }
  throw new Error(`no inspector answers on port ${port}`);
}

const startLimitMs = 60_000;

/** The community alone, in its production build, without chains, prover or identity provider. */
export interface AppHome {
  readonly settings: StackSettings;
  /** Signs sessions as the app does: for rows that are written before it starts. */
  readonly tokens: SessionTokens;
  /**
   * Starts a process of the app on a port of its own: by its entry server, or as `next start` runs it.
   * @param folder where the build is; default the repository
   */
  start(env?: Environment, server?: "entry" | "next start", folder?: string): Promise<AppProcess>;
}

export interface AppProcess {
  readonly url: string;
  readonly port: number;
  /** Memory the system has given to the process, in bytes, after its garbage was collected. */
  heldBytes(): Promise<number>;
  /** CPU time used so far, in milliseconds. */
  cpuMs(): number;
  kill(signal: "SIGKILL" | "SIGTERM"): Promise<void>;
}

/**
 * A new folder with settings, secrets and the description of an installation. `npm run build` must have been run.
 * @param changes what the description says otherwise than `testDeployment`
 */
export async function appHome(changes: Partial<Deployment> = {}): Promise<AppHome> {
  const settings = await temporarySettings({
    env: { ...process.env, DEV_LOGIN: "1", RATE_LIMITS: "off", LOG_LEVEL: "warn" },
  });
  const paths = homePaths(settings.home);
  await mkdir(settings.home, { recursive: true });
  const secrets = await loadSecrets(paths.secrets);
  const deployment = testDeployment(changes);
  const secret = new TextEncoder().encode(secrets.SESSION_SECRET);
  return {
    settings,
    tokens: createSessionTokens({ secret, audience: deployment.scope, now: () => new Date() }),
    async start(env = {}, server = "entry", folder = ROOT) {
      const port = await freePort();
      const inspectPort = await freePort();
      const url = `http://127.0.0.1:${port}`;
      // Each process is the site of its own address: only that one's pages may write with a cookie.
      const own = { ...deployment, services: { ...deployment.services, appUrl: url } };
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
      const child = spawn(command, args, {
        cwd: folder,
        env: { NODE_ENV: "production", ...program.env, NODE_OPTIONS: `--inspect-port=${inspectPort}` },
        stdio: ["ignore", "inherit", "inherit"],
      });
      await ready(child, url);
      return processOf(child, { port, inspectPort, url });
    },
  };
}

async function ready(child: ChildProcess, url: string): Promise<void> {
  const until = Date.now() + startLimitMs;
  while (!(await answersOk(`${url}/api/health`).catch(() => false))) {
    if (child.exitCode !== null) throw new Error(`the app ended with ${child.exitCode}`);
    if (Date.now() > until) throw new Error("the app did not start in time");
    await sleep(100);
  }
}

function processOf(
  child: ChildProcess,
  { port, inspectPort, url }: { port: number; inspectPort: number; url: string },
): AppProcess {
  const { pid = 0 } = child;
  return {
    url,
    port,
    async heldBytes() {
      await collectGarbage(pid, inspectPort);
      const [, kib = "0"] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
      return Number(kib) * 1024;
    },
    cpuMs() {
      // Fields 14 and 15 of proc(5) stat, in hundredths of a second; the name before them may hold blanks.
      const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").pop()?.split(" ") ?? [];
      return (Number(fields[11]) + Number(fields[12])) * 10;
    },
    async kill(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill(signal);
      await ended;
    },
  };
}

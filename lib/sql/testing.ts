import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chown, mkdtemp, rm } from "node:fs/promises";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { neonConfig } from "@neondatabase/serverless";
import pg from "pg";
import { createWebSocketStream, WebSocketServer } from "ws";
import { portOf } from "@/lib/testing/port";

/** A PostgreSQL server of a test run. */
export interface TestPostgres {
  url: string;
  /** Makes an empty database and returns its URL. */
  createDatabase(name: string): Promise<string>;
  close(): Promise<void>;
}

const run = promisify(execFile);

/**
 * Starts Debian's PostgreSQL on a free port with its data in a temporary folder. It ends with this process.
 * @param durable whether a commit waits for the disk, as by default; tests do without
 * @returns undefined when the machine has no `postgres` program, or no user to run it as
 */
export async function startPostgres({ durable = false } = {}): Promise<TestPostgres | undefined> {
  const bin = await findPostgres();
  if (!bin) return undefined;
  const identity = await unprivileged();
  if (!identity) return undefined;
  const folder = await mkdtemp(path.join(os.tmpdir(), "parley-pg-"));
  if (identity.uid !== undefined) await chown(folder, identity.uid, identity.gid ?? identity.uid);
  const data = path.join(folder, "data");
  await run(path.join(bin, "initdb"), ["-D", data, "-U", "parley", "-A", "trust", "-N"], {
    ...identity,
    cwd: folder,
  });
  const port = await freePort();
  const args = ["-D", data, "-p", String(port), "-k", folder, "-h", "localhost", ...(durable ? [] : ["-F"])];
  const server = spawn(path.join(bin, "postgres"), args, { ...identity, cwd: folder, stdio: "ignore" });
  const stop = () => server.kill("SIGQUIT");
  process.once("exit", stop);
  const url = `postgresql://parley@localhost:${port}/postgres`;
  await untilReady(url);
  return {
    url,
    async createDatabase(name) {
      const client = new pg.Client(url);
      await client.connect();
      await client.query(`create database ${pg.escapeIdentifier(name)}`);
      await client.end();
      return `postgresql://parley@localhost:${port}/${name}`;
    },
    async close() {
      process.off("exit", stop);
      if (server.exitCode === null) {
        stop();
        await once(server, "exit");
      }
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function findPostgres(): Promise<string | undefined> {
  for (const version of [18, 17, 16, 15, 14]) {
    const bin = `/usr/lib/postgresql/${version}/bin`;
    if (existsSync(path.join(bin, "postgres"))) return bin;
  }
  const inPath = await run("which", ["postgres"]).catch(() => undefined);
  return inPath ? path.dirname(inPath.stdout.trim()) : undefined;
}

/** PostgreSQL refuses to run as root; then its own Debian user runs it. */
async function unprivileged(): Promise<{ uid?: number; gid?: number } | undefined> {
  if (process.getuid?.() !== 0) return {};
  try {
    const [uid, gid] = await Promise.all([run("id", ["-u", "postgres"]), run("id", ["-g", "postgres"])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    return undefined;
  }
}

/** A TCP port of this machine that nobody listens on now. */
export async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const port = portOf(server);
  server.close();
  await once(server, "close");
  return port;
}

async function untilReady(url: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const client = new pg.Client(url);
    try {
      await client.connect();
      return await client.end();
    } catch (error) {
      if (attempt > 100) throw error;
      await sleep(100);
    }
  }
}

/**
 * @vercel/postgres speaks PostgreSQL inside a WebSocket; this serves that in front of a plain server and
 * points the driver at it, so that its code path is tested for real.
 */
export async function startWebSocketBridge(
  postgresUrl: string,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const target = Number(new URL(postgresUrl).port);
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  server.on("connection", (socket) => {
    const web = createWebSocketStream(socket);
    const tcp = net.connect(target, "localhost");
    web.on("error", () => tcp.destroy());
    tcp.on("error", () => web.destroy());
    web.pipe(tcp).pipe(web);
  });
  await once(server, "listening");
  const port = portOf(server);
  pointAtBridge(port);
  return {
    port,
    async close() {
      for (const client of server.clients) client.terminate();
      await promisify(server.close.bind(server))();
    },
  };
}

/** Makes the driver of this process go through a bridge that runs on this port, here or in another process. */
export function pointAtBridge(port: number): void {
  neonConfig.wsProxy = () => `127.0.0.1:${port}/`;
  neonConfig.useSecureWebSocket = false;
  neonConfig.pipelineTLS = false;
  neonConfig.pipelineConnect = false;
}

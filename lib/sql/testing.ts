import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chown, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import http from "node:http";
import https from "node:https";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { neonConfig } from "@neondatabase/serverless";
import pg from "pg";
import { createWebSocketStream, WebSocketServer } from "ws";
import { selfSigned } from "@/lib/testing/certificate";
import { portOf } from "@/lib/testing/port";

/** A PostgreSQL server of a test run. */
export interface TestPostgres {
  url: string;
  /** Makes an empty database and returns its URL. */
  createDatabase(name: string): Promise<string>;
  close(): Promise<void>;
}

/** The drivers of PostgreSQL that lib/sql has. */
export const drivers = ["pg", "@vercel/postgres"] as const;
export type Driver = (typeof drivers)[number];

/** A role that must show a password, its own name: @vercel/postgres sends one before it is asked. */
const HOSTED = "hosted";

const run = promisify(execFile);

/**
 * Starts Debian's PostgreSQL on a free port with its data in a temporary folder. It ends with this process.
 * @param durable whether a commit waits for the disk, as by default; tests do without
 * @param sharedBuffers PostgreSQL's own cache; by default what PostgreSQL has by default
 * @returns undefined when the machine has no `postgres` program, or no user to run it as
 */
export async function startPostgres({
  durable = false,
  sharedBuffers = "128MB",
} = {}): Promise<TestPostgres | undefined> {
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
  // A server asks for a password only where its first matching line says so.
  const access = `host all ${HOSTED} samehost password\nhost all all samehost trust\n`;
  await writeFile(path.join(data, "pg_hba.conf"), access);
  const port = await freePort();
  const args = [
    "-D",
    data,
    "-p",
    String(port),
    "-k",
    folder,
    "-h",
    "localhost",
    `--shared_buffers=${sharedBuffers}`,
    ...(durable ? [] : ["-F"]),
  ];
  const server = spawn(path.join(bin, "postgres"), args, { ...identity, cwd: folder, stdio: "ignore" });
  const stop = () => server.kill("SIGQUIT");
  process.once("exit", stop);
  const url = `postgresql://parley@localhost:${port}/postgres`;
  await untilReady(url);
  await execute(url, `create role ${HOSTED} superuser login password '${HOSTED}'`);
  return {
    url,
    async createDatabase(name) {
      await execute(url, `create database ${pg.escapeIdentifier(name)}`);
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

async function execute(url: string, statement: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(statement);
  await client.end();
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

/** What @vercel/postgres connects to, in front of a PostgreSQL. */
export interface TestBridge {
  readonly port: number;
  /** Variables that other programs need to trust it. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

// Bridges for this process do without TLS; other programs cannot be told so, and need one with it.
neonConfig.useSecureWebSocket = false;

/**
 * Serves what @vercel/postgres speaks, PostgreSQL inside a WebSocket, in front of a server of `startPostgres`.
 * @param isSecure with TLS, for other programs, which run the driver as in production
 */
export async function startWebSocketBridge(
  postgresUrl: string,
  { isSecure = false } = {},
): Promise<TestBridge> {
  const target = Number(new URL(postgresUrl).port);
  const folder = await mkdtemp(path.join(os.tmpdir(), "parley-bridge-"));
  const files = isSecure ? await selfSigned(folder, "localhost") : undefined;
  const server = files
    ? https.createServer({ cert: await readFile(files.certificate), key: await readFile(files.key) })
    : http.createServer();
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (socket) => {
    const web = createWebSocketStream(socket);
    const tcp = net.connect(target, "localhost");
    web.on("error", () => tcp.destroy());
    tcp.on("error", () => web.destroy());
    web.pipe(tcp).pipe(web);
  });
  server.listen(0, "localhost");
  await once(server, "listening");
  return {
    port: portOf(server),
    env: files ? { NODE_EXTRA_CA_CERTS: files.certificate } : {},
    async close() {
      for (const client of sockets.clients) client.terminate();
      server.close();
      await once(server, "close");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Returns the URL of a database of `startPostgres` through a bridge. The driver opens `wss://<host>/v2`, so that a port
 * has to be part of the host, which only this parameter can be.
 */
export function hostedUrl(databaseUrl: string, bridgePort: number): string {
  const { pathname } = new URL(databaseUrl);
  return `vercel+postgresql://${HOSTED}:${HOSTED}@localhost${pathname}?host=localhost:${bridgePort}`;
}

/**
 * Starts PostgreSQL with what a driver needs in front of it. `createDatabase` returns URLs for that driver.
 * @param forPrograms whether other processes use it
 * @throws Error when the machine has no PostgreSQL
 */
export async function startPostgresFor(
  driver: Driver,
  { forPrograms = false } = {},
): Promise<TestPostgres & Pick<TestBridge, "env">> {
  const postgres = await startPostgres();
  if (!postgres) throw new Error("this machine has no PostgreSQL: apt-get install postgresql");
  if (driver === "pg") return { ...postgres, env: {} };
  const bridge = await startWebSocketBridge(postgres.url, { isSecure: forPrograms });
  return {
    ...postgres,
    env: bridge.env,
    createDatabase: async (name) => hostedUrl(await postgres.createDatabase(name), bridge.port),
    async close() {
      await bridge.close();
      await postgres.close();
    },
  };
}

import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import pg from "pg";
import { BackupError, codeOf } from "./problem";
import { countRows, type Query, type Snapshot } from "./snapshot";

/** Query parameters of a URL that libpq reads from the environment. */
const PARAMETERS = {
  sslmode: "PGSSLMODE",
  sslrootcert: "PGSSLROOTCERT",
  sslcert: "PGSSLCERT",
  sslkey: "PGSSLKEY",
  channel_binding: "PGCHANNELBINDING",
} as const;

/** Sorting for an index gets more memory, and the copy need not wait for the disk: what is interrupted starts over. */
const RESTORE_OPTIONS = "-c maintenance_work_mem=256MB -c synchronous_commit=off";

/** Returns the URL as pg takes it: the driver of vercel+postgres:// speaks to the same server. */
function plainUrl(url: string): string {
  const plain = new URL(url.replace(/^vercel\+/, ""));
  plain.searchParams.delete("prepare");
  return plain.toString();
}

/** Returns how PostgreSQL's tools find a database: by their environment, since every user can read command lines. */
function forTools(url: string) {
  const { host, port, user, password, database = "" } = new pg.Client(plainUrl(url));
  const given = new URL(plainUrl(url)).searchParams;
  const parameters = Object.entries(PARAMETERS).flatMap(([name, variable]) => {
    const value = given.get(name);
    // What pg calls no-verify is what libpq calls require.
    return value ? [[variable, value === "no-verify" ? "require" : value]] : [];
  });
  const env = {
    ...{ PATH: process.env.PATH, HOME: process.env.HOME, ...Object.fromEntries(parameters) },
    ...{ PGHOST: host, PGPORT: String(port), PGUSER: user, PGPASSWORD: password ?? undefined },
    ...{ PGDATABASE: database, PGCONNECT_TIMEOUT: "15" },
  };
  return { env, database };
}

/** Opens a read-only transaction that sees the database as it is now, and pg_dump with it. */
export async function snapshotOfPostgres(url: string): Promise<Snapshot> {
  const client = await connect(url);
  try {
    const query: Query = async (sql) => (await client.query<Record<string, unknown>>(sql)).rows;
    await query("begin isolation level repeatable read read only");
    await query("set local statement_timeout = 0");
    await query("set local idle_in_transaction_session_timeout = 0");
    const [row] = await query(
      "select pg_export_snapshot() as id, current_setting('server_version') as version",
    );
    const { id, version } = { id: String(row?.id), version: String(row?.version) };
    await assertTool("pg_dump", version);
    return {
      engine: "postgres",
      version,
      query,
      async *dump() {
        const args = ["--format=custom", "--no-password", `--snapshot=${id}`];
        const child = spawn("pg_dump", args, {
          env: forTools(url).env,
          stdio: ["ignore", "pipe", "pipe"],
        });
        const ended = endOf("pg_dump", child);
        ended.catch(() => undefined);
        try {
          yield* child.stdout;
          await ended;
        } finally {
          child.kill();
        }
      },
      close: () => client.end(),
    };
  } catch (error) {
    await client.end();
    throw error;
  }
}

/** Returns what is in the way of a restored database. */
export async function inPostgres(url: string): Promise<string | undefined> {
  const client = await connect(url);
  try {
    const query: Query = async (sql) => (await client.query<Record<string, unknown>>(sql)).rows;
    const tables = Object.keys(await countRows(query));
    const [row] = await query("select current_setting('server_version') as version");
    await assertTool("pg_restore", String(row?.version));
    const some = tables.slice(0, 3).join(", ");
    return tables.length > 0 ? `the database has ${tables.length} tables (${some}, …)` : undefined;
  } finally {
    await client.end();
  }
}

/** Restores an archive of pg_dump in one transaction: all of it or nothing. */
export async function restorePostgres(url: string, dump: AsyncIterable<Uint8Array>): Promise<void> {
  const { env, database } = forTools(url);
  const args = [
    "--exit-on-error",
    "--single-transaction",
    "--no-owner",
    "--no-acl",
    "--no-comments",
    "--no-password",
  ];
  const child = spawn("pg_restore", [...args, `--dbname=${database}`], {
    env: { ...env, PGOPTIONS: RESTORE_OPTIONS },
    stdio: ["pipe", "ignore", "pipe"],
  });
  const ended = endOf("pg_restore", child);
  ended.catch(() => undefined);
  try {
    await pipeline(Readable.from(dump, { objectMode: false }), child.stdin);
  } catch (error) {
    // Killed before its input ends: the transaction is not committed.
    if (codeOf(error) !== "EPIPE") child.kill("SIGKILL");
    // What it says itself is the reason why it reads no more.
    await (codeOf(error) === "EPIPE" ? ended : undefined);
    throw error;
  }
  await ended;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: plainUrl(url), connectionTimeoutMillis: 15_000 });
  // A broken connection fails the query that runs; without a listener it would end the process.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** @throws Error with what the program says, if it fails */
async function endOf(name: string, child: ChildProcess & { readonly stderr: Readable }): Promise<void> {
  const said = text(child.stderr);
  const [code] = await once(child, "exit");
  if (code !== 0) throw new BackupError(`${name} failed: ${(await said).trim().split("\n")[0] ?? code}`);
}

/** @throws BackupError unless the program is there and not older than the server */
async function assertTool(name: "pg_dump" | "pg_restore", server: string): Promise<void> {
  const needed = Number.parseInt(server, 10);
  const install = `install Debian's package postgresql-client-${needed}, or a newer one`;
  const said = await promisify(execFile)(name, ["--version"]).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT")
      throw new BackupError(`${name} is missing: ${install} (postgresql-client)`);
    throw error;
  });
  const found = Number(/\(PostgreSQL\) (\d+)/.exec(said.stdout)?.[1]);
  if (!(found >= needed))
    throw new BackupError(`${name} ${found} is older than the server, ${server}: ${install}`);
}

import { randomUUID } from "node:crypto";
import { access, constants } from "node:fs/promises";
import path from "node:path";
import { createClient } from "@redis/client";
import { sql } from "kysely";
import { communityRelease } from "@/db/migrations";
import { upstashCache } from "@/lib/cache/upstash";
import { appVariables } from "@/lib/settings/app";
import { generalVariables } from "@/lib/settings/general";
import { proverVariables } from "@/lib/settings/prover";
import { effectiveSettings } from "@/lib/settings/read";
import { compareMigrations, createDatabase, executedOf, type Release } from "@/lib/sql";
import { openStorage } from "@/lib/storage/open";
import { proverRelease } from "@/prover/store/migrations";
import { type Check, type Finding, fault, reasonOf, TIMEOUT_MS, warning } from "./finding";

/** Oldest PostgreSQL that its developers still mend (https://www.postgresql.org/support/versioning/). */
const POSTGRES = 14;
/** Oldest Redis with the commands that lib/cache/redis.ts uses. */
const REDIS = [6, 2] as const;
/** Seconds by which the database's clock may differ from ours. */
const CLOCK_SECONDS = 30;

interface Kept {
  readonly variable: string;
  readonly url: string;
  readonly release: Release;
  readonly extensions: readonly string[];
}

/** Checks that the databases answer, are new enough, and are migrated so that this release runs on them. */
export const checkDatabases: Check = async ({ environment, programs }) => {
  const { DATABASE_URL, PROVER_DATABASE_URL } = effectiveSettings(
    {
      DATABASE_URL: appVariables.DATABASE_URL,
      PROVER_DATABASE_URL: proverVariables.PROVER_DATABASE_URL,
    },
    environment,
  );
  const all: Kept[] = [];
  // An embedded database has one owner, the program that runs on it.
  if (programs.has("app") && DATABASE_URL && !DATABASE_URL.startsWith("pglite:")) {
    const extensions = ["pg_trgm", "btree_gin"];
    all.push({ variable: "DATABASE_URL", url: DATABASE_URL, release: communityRelease, extensions });
  }
  if (programs.has("prover") && PROVER_DATABASE_URL && !PROVER_DATABASE_URL.startsWith("pglite:")) {
    const found = { url: PROVER_DATABASE_URL, release: proverRelease, extensions: [] };
    all.push({ variable: "PROVER_DATABASE_URL", ...found });
  }
  return (await Promise.all(all.map(checkDatabase))).flat();
};

async function checkDatabase(kept: Kept): Promise<readonly Finding[]> {
  const about = kept.variable;
  const { db, close } = await createDatabase<Record<string, never>>({ url: kept.url, poolSize: 1 });
  try {
    const { rows } = await sql<{ version: string; now: Date; extensions: string[] }>`
      select current_setting('server_version_num') as version, now() as now,
        array(select name::text from pg_available_extensions) as extensions`.execute(db);
    const [found] = rows;
    if (!found) return [];
    const findings: Finding[] = [];
    const major = Math.floor(Number(found.version) / 10_000);
    if (major < POSTGRES) {
      findings.push(
        fault(about, `PostgreSQL ${major} is too old`, `Upgrade to PostgreSQL ${POSTGRES} or newer`),
      );
    }
    const missing = kept.extensions.filter((name) => !found.extensions.includes(name));
    if (missing.length > 0) {
      const mend = "Install PostgreSQL's contrib package on the database server";
      findings.push(fault(about, `the server lacks the extension ${missing.join(", ")}`, mend));
    }
    const ahead = Math.round((found.now.getTime() - Date.now()) / 1000);
    if (Math.abs(ahead) > CLOCK_SECONDS) {
      const mend = "Set both clocks by NTP";
      findings.push(fault("clock", `the database's clock (${about}) differs from ours by ${ahead} s`, mend));
    }
    return [...findings, ...migrationFindings(kept, (await executedOf(db, kept.release)) ?? [])];
  } catch (error) {
    const mend =
      "Check host, port, user, password and database name, and that the server accepts this machine";
    return [fault(about, `the database does not answer (${reasonOf(error)})`, mend)];
  } finally {
    await close();
  }
}

function migrationFindings(
  { variable, release }: Kept,
  executed: Parameters<typeof compareMigrations>[1],
): Finding[] {
  const { pending, later, refusal } = compareMigrations(release, executed);
  if (refusal !== null) {
    return [fault(variable, refusal, "Run the release that migrated the database, or restore a backup")];
  }
  const findings: Finding[] = [];
  if (later.length > 0) {
    const what = `a later release has migrated the database (${later.join(", ")}); this one runs with that`;
    findings.push(warning(variable, what, "Finish the upgrade: docs/upgrade.md"));
  }
  if (pending.length > 0) {
    const kinds = pending.map((name) => `${name} (${release.migrations[name]?.kind})`).join(", ");
    const mend = "Run npm run migrate; a start does it, too";
    findings.push(warning(variable, `migrations are not applied: ${kinds}`, mend));
  }
  return findings;
}

/** Checks that the cache answers and keeps what is written. */
export const checkCache: Check = async ({ environment, programs }) => {
  const { CACHE_URL: url } = effectiveSettings({ CACHE_URL: appVariables.CACHE_URL }, environment);
  if (!programs.has("app") || url === "embedded") return [];
  try {
    return url.startsWith("upstash+") ? await checkUpstash(url) : await checkRedis(url);
  } catch (error) {
    const mend = "Check CACHE_URL: host, port, password, and rediss:// for TLS";
    return [fault("CACHE_URL", `the cache does not answer (${reasonOf(error)})`, mend)];
  }
};

async function checkUpstash(url: string): Promise<readonly Finding[]> {
  const cache = upstashCache(url);
  const key = `doctor:${randomUUID()}`;
  await cache.set(key, "1", 10);
  if ((await cache.get(key)) === "1") return [];
  return [fault("CACHE_URL", "the cache lost a value at once", "Check that reads go to the primary")];
}

async function checkRedis(url: string): Promise<readonly Finding[]> {
  const socket = { connectTimeout: TIMEOUT_MS, reconnectStrategy: false } as const;
  const client = createClient({ url, socket });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const info = await client.info();
    const findings: Finding[] = [];
    const version = /^redis_version:(\d+)\.(\d+)/m.exec(info);
    const [major = 0, minor = 0] = (version ?? []).slice(1).map(Number);
    if (major < REDIS[0] || (major === REDIS[0] && minor < REDIS[1])) {
      const mend = `Upgrade to Redis ${REDIS.join(".")} or newer`;
      findings.push(fault("CACHE_URL", `Redis ${major}.${minor} is too old`, mend));
    }
    const policy = /^maxmemory_policy:(\S+)/m.exec(info)?.[1] ?? "";
    if (policy && policy !== "noeviction") {
      findings.push(
        warning(
          "CACHE_URL",
          `Redis forgets counters of rate limits when it is full (maxmemory-policy ${policy})`,
          "Set maxmemory-policy to noeviction",
        ),
      );
    }
    if (/^role:slave/m.test(info)) {
      findings.push(fault("CACHE_URL", "this Redis is a read-only replica", "Name the primary"));
    }
    return findings;
  } finally {
    client.destroy();
  }
}

/** Checks that uploads can be written, read by everyone, and deleted. Leaves nothing behind. */
export const checkStorage: Check = async ({ environment, programs, deployment, mode }) => {
  if (!programs.has("app")) return [];
  const { STORAGE_URL: url } = effectiveSettings({ STORAGE_URL: appVariables.STORAGE_URL }, environment);
  const { PARLEY_HOME } = effectiveSettings({ PARLEY_HOME: generalVariables.PARLEY_HOME }, environment);
  const home = path.resolve(PARLEY_HOME);
  if (url === "disk") {
    const isWritable = await access(home, constants.W_OK).then(
      () => true,
      () => false,
    );
    if (isWritable) return [];
    const mend = "Create the folder, owned by the user that runs Parley, or set PARLEY_HOME";
    return [fault("uploads", `${home} does not exist or is not writable`, mend)];
  }
  const { appUrl } = deployment.services;
  const keys = { secrets: [new Uint8Array(32)], now: () => new Date() } as const;
  const storage = openStorage({ url, folder: home, env: mode, appUrl, ...keys });
  const key = `${mode}/avatars/doctor/${randomUUID()}/probe.png`;
  const mend = "Check STORAGE_URL: key id, secret, bucket and region, and that the key may write and delete";
  try {
    await storage.put(key, new Uint8Array([137, 80, 78, 71]), "image/png");
  } catch (error) {
    const said = error instanceof Error ? error.message : "no reason given";
    return [fault("STORAGE_URL", `the bucket cannot be written (${said})`, mend)];
  }
  try {
    const response = await fetch(storage.publicUrl(key), { signal: AbortSignal.timeout(TIMEOUT_MS) });
    await response.body?.cancel();
    if (response.ok) return [];
    const allow = "Allow public reads of the bucket, or name the address that serves it as public";
    return [fault("STORAGE_URL", `browsers cannot read the bucket: it answers ${response.status}`, allow)];
  } catch (error) {
    return [fault("STORAGE_URL", `the bucket's public address does not answer (${reasonOf(error)})`, mend)];
  } finally {
    await storage.remove([key]).catch(() => 0);
  }
};

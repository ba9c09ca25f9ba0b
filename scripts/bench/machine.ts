import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { z } from "zod";
import type { Db } from "@/db/schema";
import { installed } from "../deploy/testing/proxy";
import { ROOT } from "../stack/settings";

/** Returns one sentence about this machine and the versions in use, with today's date. @param software with its version */
export function describeMachine(software: readonly string[]): string {
  const cpus = os.cpus();
  const memory = Math.round(os.totalmem() / 2 ** 30);
  const versions = [`Node ${process.versions.node}`, `Next ${nextVersion()}`, ...software];
  const date = new Date().toISOString().slice(0, 10);
  return `${date}, ${cpus.length} cores (${cpus[0]?.model.trim() ?? "unknown"}), ${memory} GiB of memory; ${versions.join(", ")}.`;
}

/** Returns the version of a PostgreSQL. */
export async function postgresVersion(db: Db): Promise<string> {
  const { rows } = await sql<{
    version: string;
  }>`select current_setting('server_version') as version`.execute(db);
  return `PostgreSQL ${rows[0]?.version.split(" ")[0] ?? "unknown"}`;
}

/** Returns the version of the Redis on this machine. */
export function redisVersion(): string {
  const { stdout } = spawnSync("redis-server", ["--version"], { encoding: "utf8" });
  return `Redis ${/v=(\S+)/.exec(stdout ?? "")?.[1] ?? "unknown"}`;
}

/** Returns the version of the nginx on this machine. */
export function nginxVersion(): string {
  const { stderr } = spawnSync(installed("nginx") ?? "nginx", ["-v"], { encoding: "utf8" });
  return `nginx ${/nginx\/(\S+)/.exec(stderr ?? "")?.[1] ?? "unknown"}`;
}

function nextVersion(): string {
  const file = path.join(ROOT, "node_modules", "next", "package.json");
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(file, "utf8"))).version;
}

import { rm } from "node:fs/promises";
import { startRedis, type TestRedis } from "@/lib/cache/testing";
import { startPostgres, type TestPostgres } from "@/lib/sql/testing";
import { type AppHome, appHome } from "../live/app-process";
import { Children } from "../stack/children";
import { ensureNextBuild } from "../stack/next-build";
import { homePaths } from "../stack/settings";
import { redisVersion } from "./machine";
import type { About } from "./report";

/** What ends a bench, called in reverse order. */
export type Closers = (() => Promise<unknown>)[];

/** Makes a home for processes of the app, and builds the app if its sources have changed. */
export async function builtHome(closers: Closers): Promise<AppHome> {
  const home = await appHome();
  closers.push(() => rm(home.settings.home, { recursive: true, force: true }));
  const children = new Children(homePaths(home.settings.home).logs, () => {});
  closers.push(() => children.stop());
  await ensureNextBuild(children);
  return home;
}

/**
 * Starts PostgreSQL, whose commits wait for the disk, and Redis.
 * @param sharedBuffers PostgreSQL's own cache; by default its default
 * @throws Error when this machine lacks one of them
 */
export async function startBackEnds(
  closers: Closers,
  about: About,
  sharedBuffers?: string,
): Promise<{ readonly postgres: TestPostgres; readonly redis: TestRedis }> {
  const postgres = await startPostgres({ durable: true, sharedBuffers });
  if (postgres) closers.push(() => postgres.close());
  const redis = await startRedis();
  if (redis) closers.push(() => redis.close());
  if (!postgres || !redis) throw new Error("this bench needs PostgreSQL and redis-server: see .ci/run");
  about.software.push(redisVersion());
  return { postgres, redis };
}

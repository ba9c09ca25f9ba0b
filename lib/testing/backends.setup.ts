import { openDatabase } from "@/db/client";
import { startRedis, startRestBridge } from "@/lib/cache/testing";
import { testSettings } from "@/lib/settings/tools";
import { startPostgres, startWebSocketBridge } from "@/lib/sql/testing";
import { type BackendSettings, runOn, templateDatabase } from "./backends";

/**
 * Starts the servers of `PARLEY_TEST_BACKEND` (embedded, postgres, vercel) once for a run of the API tests.
 * @returns what stops them
 */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  const name = testSettings().PARLEY_TEST_BACKEND;
  if (name === "embedded") return undefined;
  const postgres = await startPostgres();
  const redis = await startRedis();
  if (!postgres || !redis) {
    throw new Error(`the API tests on ${name} need PostgreSQL and redis-server: see .ci/run`);
  }
  const migrated = await openDatabase({ url: await postgres.createDatabase(templateDatabase) });
  await migrated.close();
  const closers = [() => postgres.close(), () => redis.close()];
  let settings: BackendSettings = { name: "postgres", postgresUrl: postgres.url, cacheUrl: redis.url };
  if (name === "vercel") {
    const rest = await startRestBridge(redis.url);
    const web = await startWebSocketBridge(postgres.url);
    closers.unshift(
      () => rest.close(),
      () => web.close(),
    );
    settings = { name, postgresUrl: postgres.url, cacheUrl: rest.url, bridgePort: web.port };
  }
  runOn(settings);
  return async () => {
    for (const close of closers) await close();
  };
}

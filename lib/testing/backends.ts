import { randomUUID } from "node:crypto";
import pg from "pg";
import { z } from "zod";
import { type OpenDatabase, openDatabase } from "@/db/client";
import type { Cache } from "@/lib/cache";
import { embeddedCache } from "@/lib/cache/embedded";
import { redisCache } from "@/lib/cache/redis";
import { upstashCache } from "@/lib/cache/upstash";
import { hostedUrl } from "@/lib/sql/testing";
import { memoryDatabase } from "./template";

/**
 * What the API tests run on: embedded, PostgreSQL with Redis, or @vercel/postgres with @upstash/redis. Where
 * backends.setup.ts started the servers; in the environment because test files are processes of their own.
 */
const settingsSchema = z.discriminatedUnion("name", [
  z.object({ name: z.literal("embedded") }),
  z.object({ name: z.literal("postgres"), postgresUrl: z.string(), cacheUrl: z.string() }),
  z.object({
    name: z.literal("vercel"),
    postgresUrl: z.string(),
    cacheUrl: z.string(),
    bridgePort: z.number(),
  }),
]);
export type BackendSettings = z.infer<typeof settingsSchema>;

/** The migrated database that others are copied from. */
export const templateDatabase = "parley_template";

/** Has this process, and those it starts, use these servers. */
export function runOn(settings: BackendSettings): void {
  process.env.PARLEY_TEST_BACKEND_SETTINGS = JSON.stringify(settings);
}

/** The back end of this run. */
export function backend(): BackendSettings {
  const settings = process.env.PARLEY_TEST_BACKEND_SETTINGS;
  return settings ? settingsSchema.parse(JSON.parse(settings)) : { name: "embedded" };
}

/** A new migrated database of the back end in use. */
export async function testDatabase(): Promise<OpenDatabase> {
  const settings = backend();
  if (settings.name === "embedded") return await memoryDatabase();
  const name = `api_${randomUUID().replaceAll("-", "")}`;
  const client = new pg.Client(settings.postgresUrl);
  await client.connect();
  await client.query(`create database ${name} template ${templateDatabase}`);
  await client.end();
  const url = new URL(settings.postgresUrl);
  url.pathname = name;
  return await openDatabase({
    url: settings.name === "vercel" ? hostedUrl(url.toString(), settings.bridgePort) : url.toString(),
    migrate: false,
  });
}

/** Prefixes of the caches of databases. */
const prefixes = new WeakMap<object, string>();

/** A cache of the back end in use that is shared by those who share the database, and by nobody else. */
export async function testCache(database: OpenDatabase): Promise<Cache> {
  const settings = backend();
  const prefix = prefixes.get(database.db) ?? `${randomUUID()}:`;
  prefixes.set(database.db, prefix);
  switch (settings.name) {
    case "embedded":
      return embeddedCache(database);
    case "postgres":
      return await redisCache(settings.cacheUrl, prefix);
    case "vercel":
      return upstashCache(settings.cacheUrl, prefix);
  }
}

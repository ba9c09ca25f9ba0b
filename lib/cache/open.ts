import type { OpenDatabase } from "@/db/client";
import { embeddedCache } from "./embedded";
import type { Cache } from "./index";

/**
 * Opens the cache of a URL: `embedded` (a table of the database), `redis://…` or `rediss://…`, or
 * `upstash+https://:<token>@<host>`.
 * @throws Error for an unknown kind of URL, or if Redis does not respond.
 */
export async function openCache(url: string, database: OpenDatabase): Promise<Cache> {
  if (url === "embedded") return embeddedCache(database);
  // Lazy load: an embedded installation needs neither client.
  if (/^rediss?:\/\//.test(url)) return await (await import("./redis")).redisCache(url);
  if (/^upstash\+https?:\/\//.test(url)) return (await import("./upstash")).upstashCache(url);
  throw new Error("CACHE_URL must be embedded, redis://…, rediss://… or upstash+https://…");
}

import { sql } from "kysely";
import { z } from "zod";
import type { Context } from "@/lib/context";
import type { contract, ResponseBody } from "@/lib/contract";

type Stats = ResponseBody<typeof contract.service.stats>;

const cached = z.object({ totalTopics: z.int(), totalMembers: z.int() });
const key = "stats";
const longestSeconds = 60;

/**
 * GET /api/stats: topics everybody may see (public and private), and users who did not leave. Counting reads an index
 * from end to end, so the answer is kept for a second per 20 ms that counting took, at most a minute: a small
 * community always sees exact numbers, a large one spends at most a fiftieth of its time on them.
 */
export async function getStats({ db, cache }: Context): Promise<Stats> {
  const kept = await cache.get(key);
  const read = kept === null ? undefined : cached.safeParse(JSON.parse(kept));
  if (read?.success) return read.data;
  const began = performance.now();
  const { rows } = await sql<Stats>`select
    (select count(*)::int from topics where visibility <> 'secret') as "totalTopics",
    (select count(*)::int from users where deleted_at is null) as "totalMembers"`.execute(db);
  const stats = cached.parse(rows[0]);
  const seconds = Math.min(longestSeconds, Math.floor((performance.now() - began) / 20));
  if (seconds > 0) await cache.set(key, JSON.stringify(stats), seconds);
  return stats;
}

import { CompiledQuery, Kysely } from "kysely";
import { z } from "zod";
import { communityRelease } from "@/db/migrations";
import type { Database } from "@/db/schema";
import { dialectFor, migrate } from "@/lib/sql";

/** A query as it was sent. */
interface Sent {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

export interface WatchedDatabase {
  readonly db: Kysely<Database>;
  /** The queries that reading sends while `work` runs. */
  watch(work: () => Promise<unknown>): Promise<Sent[]>;
  close(): Promise<void>;
}

/** Opens a database, migrated, whose queries can be looked at. */
export async function openWatched(url: string): Promise<WatchedDatabase> {
  const { dialect, close } = await dialectFor({ url });
  let sent: Sent[] | undefined;
  const db = new Kysely<Database>({
    dialect,
    log: ({ query: { sql, parameters } }) => {
      if (/^\s*(\(|select|with)/i.test(sql)) sent?.push({ sql, parameters });
    },
  });
  await migrate(db, communityRelease);
  return {
    db,
    close,
    async watch(work) {
      sent = [];
      await work();
      const seen = sent;
      sent = undefined;
      return seen;
    },
  };
}

interface Plan {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly "Shared Hit Blocks": number;
  readonly "Shared Read Blocks": number;
  readonly Plans?: readonly Plan[];
}
const planSchema: z.ZodType<Plan> = z.object({
  "Node Type": z.string(),
  "Relation Name": z.string().optional(),
  "Actual Rows": z.number(),
  "Actual Loops": z.number(),
  "Rows Removed by Filter": z.number().optional(),
  "Rows Removed by Index Recheck": z.number().optional(),
  "Shared Hit Blocks": z.number(),
  "Shared Read Blocks": z.number(),
  Plans: z.lazy(() => z.array(planSchema)).optional(),
});
const explained = z.tuple([
  z.object({ "QUERY PLAN": z.tuple([z.object({ Plan: planSchema, "Execution Time": z.number() })]) }),
]);

export interface Cost {
  /** Tables that were read from end to end. */
  readonly scanned: ReadonlySet<string>;
  /** Blocks of 8 KiB that were touched: the same at every run, whatever else the machine does. */
  readonly blocks: number;
  /** Inside the database, in milliseconds. */
  readonly ms: number;
  readonly queries: number;
  /** Rows that every step of the plans looked at, those it dropped included. */
  readonly rows: number;
}

/** Settings of the planner for the next query, in the same transaction. */
const SETTINGS = /^select set_config\(/;

/** What PostgreSQL does for these queries. */
export async function costOf(db: Kysely<Database>, queries: readonly Sent[]): Promise<Cost> {
  const scanned = new Set<string>();
  let blocks = 0;
  let ms = 0;
  let visited = 0;
  for (const [index, { sql, parameters }] of queries.entries()) {
    if (SETTINGS.test(sql)) continue;
    const before = queries[index - 1];
    const { rows } = await db.transaction().execute(async (trx) => {
      if (before && SETTINGS.test(before.sql))
        await trx.executeQuery(CompiledQuery.raw(before.sql, [...before.parameters]));
      return await trx.executeQuery(
        CompiledQuery.raw(`explain (analyze, buffers, format json) ${sql}`, [...parameters]),
      );
    });
    const [
      {
        "QUERY PLAN": [top],
      },
    ] = explained.parse(rows);
    blocks += top.Plan["Shared Hit Blocks"] + top.Plan["Shared Read Blocks"];
    ms += top["Execution Time"];
    visited += rowsOf(top.Plan);
    for (const table of scans(top.Plan)) scanned.add(table);
  }
  return { scanned, blocks, ms, queries: queries.length, rows: visited };
}

function rowsOf(plan: Plan): number {
  const { "Rows Removed by Filter": filtered = 0, "Rows Removed by Index Recheck": rechecked = 0 } = plan;
  const here = (plan["Actual Rows"] + filtered + rechecked) * plan["Actual Loops"];
  return (plan.Plans ?? []).reduce((sum, below) => sum + rowsOf(below), here);
}

function scans(plan: Plan): string[] {
  const below = (plan.Plans ?? []).flatMap(scans);
  return plan["Node Type"] === "Seq Scan" ? [plan["Relation Name"] ?? "?", ...below] : below;
}

/** The middle of some numbers. */
export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

import { type Kysely, sql } from "kysely";
import type { Database } from "@/db/schema";

/**
 * Runs statements that fill a migrated, empty database with rows that are consistent by construction. Indexes are dropped
 * meanwhile and built in one go; the planner's statistics are up to date after it.
 */
export async function inBulk(db: Kysely<Database>, statements: readonly string[]): Promise<void> {
  await db.connection().execute(async (one) => {
    const run = (statement: string) => sql.raw(statement).execute(one);
    const { rows: indexes } = await sql<{ name: string; definition: string }>`
      select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index i
      join pg_class c on c.oid = i.indrelid
      where c.relnamespace = 'public'::regnamespace and not i.indisunique`.execute(one);
    await run("set session_replication_role = replica");
    await run("set maintenance_work_mem = '512MB'");
    for (const { name } of indexes) await run(`drop index ${name}`);
    for (const statement of statements) await run(statement);
    for (const { definition } of indexes) await run(definition);
    await run("set session_replication_role = origin");
    await run("vacuum analyze");
  });
}

import { type RawBuilder, sql } from "kysely";
import type { Db } from "@/db/schema";

/** Up to this many rows are looked up by id and sorted. With more, a list is walked in its order. */
const FEW = 2000;

/** Rows about posts or comments, each with its topic, `is_public` and `created_at`. */
export interface Source {
  readonly table: "post_search" | "comment_search" | "post_tags";
  readonly id: "post_id" | "comment_id";
  /** SQL: the condition for rows `s`. */
  readonly where: RawBuilder<unknown>;
  /** Whether PostgreSQL's guess of how many rows match is worth nothing, as for words. */
  readonly isGuess: boolean;
}

/** The rows of one topic, or those that a user may read (null for a guest). */
export type Scope = { readonly topicId: string } | { readonly userId: string | null };

/**
 * SQL: `id` and `age` of the latest rows in a scope, at most `limit` of each part. Each part has an index of its own,
 * so that rows outside the scope are not read and neither the answer nor its time reveals them.
 */
export function latestRows(source: Source, scope: Scope, limit: number): RawBuilder<unknown> {
  const id = sql.ref(`s.${source.id}`);
  return rowsIn(source, scope, { limit, order: sql`order by s.created_at desc, ${id} desc` });
}

interface Part {
  /** Of each part. */
  readonly limit: number;
  /** SQL: the order of a part's rows. */
  readonly order: RawBuilder<unknown>;
}

function rowsIn({ table, id, where }: Source, scope: Scope, { limit, order }: Part): RawBuilder<unknown> {
  const rows = (place: RawBuilder<unknown>) => sql`(select s.${sql.ref(id)} as id, s.created_at as age
    from ${sql.table(table)} s where ${place} and ${where} ${order} limit ${limit})`;
  if ("topicId" in scope) return rows(sql`s.topic_id = ${scope.topicId}`);
  const open = rows(sql`s.is_public`);
  if (scope.userId === null) return open;
  return sql`${open} union all (select own.id, own.age
    from memberships m join topics t on t.id = m.topic_id and t.visibility <> 'public'
    cross join lateral ${rows(sql`s.topic_id = m.topic_id and not s.is_public`)} own
    where m.user_id = ${scope.userId} limit ${limit})`;
}

/** Returns the ids of all rows in a scope; null if there are many. */
export async function fewOf(db: Db, source: Source, scope: Scope): Promise<string[] | null> {
  const found = (part: Db) =>
    sql<{ id: string }>`select id from (${rowsIn(source, scope, { limit: FEW + 1, order: sql`` })}) as found
      limit ${FEW + 1}`.execute(part);
  const { rows } = source.isGuess ? await byIndex(db, found) : await found(db);
  return rows.length > FEW ? null : rows.map((row) => row.id);
}

/**
 * Reads what the indexes of words and tags find, and nothing else. PostgreSQL takes every beginning of a word for one in
 * fifty texts; from some 100,000 texts on it would read them all, one by one, until it has enough.
 */
async function byIndex<T>(db: Db, read: (trx: Db) => Promise<T>): Promise<T> {
  return await db.transaction().execute(async (trx) => {
    await sql`select set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true)`.execute(
      trx,
    );
    return await read(trx);
  });
}

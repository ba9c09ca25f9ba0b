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
}

/** The rows of one topic, or those that a user may read (null for a guest). */
export type Scope = { readonly topicId: string } | { readonly userId: string | null };

/**
 * SQL: `id` and `age` of the latest rows in a scope, at most `limit` of each part. Each part has an index of its own,
 * so that rows outside the scope are not read and neither the answer nor its time reveals them.
 */
export function latestRows({ table, id, where }: Source, scope: Scope, limit: number): RawBuilder<unknown> {
  const order = sql`order by s.created_at desc, s.${sql.ref(id)} desc limit ${limit}`;
  const rows = (place: RawBuilder<unknown>) => sql`(select s.${sql.ref(id)} as id, s.created_at as age
    from ${sql.table(table)} s where ${place} and ${where} ${order})`;
  if ("topicId" in scope) return rows(sql`s.topic_id = ${scope.topicId}`);
  const open = rows(sql`s.is_public`);
  if (scope.userId === null) return open;
  return sql`${open} union all (select own.id, own.age
    from memberships m join topics t on t.id = m.topic_id and t.visibility <> 'public'
    cross join lateral ${rows(sql`s.topic_id = m.topic_id and not s.is_public`)} own
    where m.user_id = ${scope.userId} order by own.age desc, own.id desc limit ${limit})`;
}

/** Returns the ids of all rows in a scope; null if there are many. */
export async function fewOf(db: Db, source: Source, scope: Scope): Promise<string[] | null> {
  const { rows } = await sql<{ id: string }>`
    select id from (${latestRows(source, scope, FEW + 1)}) as found limit ${FEW + 1}`.execute(db);
  return rows.length > FEW ? null : rows.map((row) => row.id);
}

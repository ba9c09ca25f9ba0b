import { type RawBuilder, sql } from "kysely";
import type { Db } from "@/db/schema";

/** Rows that are looked up by id and sorted; of more than these a list is walked in its order. */
const few = 2000;

/** Rows about posts or comments, each with the topic it stands in, `is_public` and `created_at`. */
export interface Source {
  readonly table: "post_search" | "comment_search" | "post_tags";
  readonly id: "post_id" | "comment_id";
  /** SQL: which rows `s` are wanted. */
  readonly where: RawBuilder<unknown>;
}

/** Whose rows: those of one topic, or those a user may read (a guest is null). */
export type Scope = { readonly topicId: string } | { readonly userId: string | null };

/**
 * SQL for `id` and `age` of the latest rows in a scope, at most `limit` of each part. What the scope leaves out is not
 * read at all: each part stands on an index of its own, so neither the answer nor its time tells of hidden rows.
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

/** The ids of all rows in a scope, or null when they are many. */
export async function fewOf(db: Db, source: Source, scope: Scope): Promise<string[] | null> {
  const { rows } = await sql<{ id: string }>`
    select id from (${latestRows(source, scope, few + 1)}) as found limit ${few + 1}`.execute(db);
  return rows.length > few ? null : rows.map((row) => row.id);
}

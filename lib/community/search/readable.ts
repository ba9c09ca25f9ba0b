import { type RawBuilder, sql } from "kysely";
import type { Db } from "@/db/schema";

/** Up to this many rows are looked up by id and sorted. With more, a list is walked in its order. */
const FEW = 2000;
/** The latest rows of a scope, which tell whether words are common in it. */
const SAMPLE = 500;
/** Words in at least so many of them are common: the list's own order finds them sooner than the index of words. */
const COMMON_SHARE = 0.01;

/** Rows about posts or comments, each with its topic, `is_public` and `created_at`. */
export interface Source {
  readonly table: "post_search" | "comment_search" | "post_tags";
  readonly id: "post_id" | "comment_id";
  /** SQL: the condition for rows `s`. */
  readonly where: RawBuilder<unknown>;
  /** Whether PostgreSQL can only guess how many rows match, as it does for words. */
  readonly isGuess: boolean;
}

/** Posts or comments by their words. */
export interface TextSource extends Source {
  readonly table: "post_search" | "comment_search";
}

/** The rows of one topic, or those that a user may read (null for a guest). */
export type Scope = { readonly topicId: string } | { readonly userId: string | null };

/**
 * SQL: `id` and `age` of the latest rows in a scope, at most `limit` of each part. Each part has an index of its own,
 * so that rows outside the scope are not read and neither the answer nor its time reveals them.
 */
export function latestRows(source: Source, scope: Scope, limit: number): RawBuilder<unknown> {
  return rowsIn(source, scope, { limit, isOrdered: true });
}

/** Posts, and comments, of one author that a search looks through. */
const OF_AUTHOR = 2000;

/**
 * SQL: `id` and `age` of matching rows among the latest of one author, of what a user may read (null for a guest),
 * perhaps in one topic only. Read from the author's own index: their few rows among many of a common word would take
 * long to come by.
 */
export function latestBy(
  authorId: string,
  { table, id, where }: TextSource,
  scope: { readonly userId: string | null; readonly topicId?: string },
): RawBuilder<unknown> {
  const written = table === "post_search" ? sql`posts` : sql`comments`;
  const topic = scope.topicId === undefined ? sql`` : sql`and s.topic_id = ${scope.topicId}`;
  return sql`(select a.id, s.created_at as age
    from (select id from ${written} where author_id = ${authorId} order by created_at desc, id desc
      limit ${OF_AUTHOR}) a
    join ${sql.table(table)} s on ${sql.ref(`s.${id}`)} = a.id
    where ${where} ${topic} and (s.is_public or exists (
      select from memberships m where m.topic_id = s.topic_id and m.user_id = ${scope.userId})))`;
}

interface Part {
  /** Of each part. */
  readonly limit: number;
  readonly isOrdered: boolean;
  /** Reads all rows and marks those that match in a column `hit`, instead of leaving out the others. */
  readonly marksHits?: boolean;
}

function rowsIn({ table, id, where }: Source, scope: Scope, part: Part): RawBuilder<unknown> {
  const { limit, isOrdered, marksHits = false } = part;
  const key = sql.ref(`s.${id}`);
  const order = isOrdered ? sql`order by s.created_at desc, ${key} desc` : sql``;
  const rows = (place: RawBuilder<unknown>) => sql`(select ${key} as id, s.created_at as age
    ${marksHits ? sql`, ${where} as hit` : sql``} from ${sql.table(table)} s
    where ${place} ${marksHits ? sql`` : sql`and ${where}`} ${order} limit ${limit})`;
  if ("topicId" in scope) return rows(sql`s.topic_id = ${scope.topicId}`);
  const open = rows(sql`s.is_public`);
  if (scope.userId === null) return open;
  return sql`${open} union all (select own.* from memberships m
    join topics t on t.id = m.topic_id and t.visibility <> 'public'
    cross join lateral ${rows(sql`s.topic_id = m.topic_id and not s.is_public`)} own
    where m.user_id = ${scope.userId} ${isOrdered ? sql`order by own.age desc, own.id desc` : sql``} limit ${limit})`;
}

/** Returns the ids of all rows in a scope; null if there are many. */
export async function fewOf(db: Db, source: Source, scope: Scope): Promise<string[] | null> {
  if (source.isGuess) {
    const { seen, found } = await amongLatest(db, source, scope);
    // Fewer than asked for: the scope has no more.
    if (seen < SAMPLE) return found;
    if (found.length >= seen * COMMON_SHARE) return null;
  }
  const read = async (part: Db) => {
    const rows = rowsIn(source, scope, { limit: FEW + 1, isOrdered: !source.isGuess });
    return await sql<{ id: string }>`select id from (${rows}) as found limit ${FEW + 1}`.execute(part);
  };
  const { rows } = source.isGuess ? await byIndex(db, read) : await read(db);
  return rows.length > FEW ? null : rows.map((row) => row.id);
}

/** Returns how many of the latest rows in a scope were looked at, and which of them match. */
async function amongLatest(
  db: Db,
  source: Source,
  scope: Scope,
): Promise<{ readonly seen: number; readonly found: string[] }> {
  const rows = rowsIn(source, scope, { limit: SAMPLE, isOrdered: true, marksHits: true });
  const sampled = await sql<{ seen: number; found: string[] }>`select count(*)::int as seen,
    coalesce(array_agg(id) filter (where hit), '{}')::text[] as found from (${rows}) as latest`.execute(db);
  return sampled.rows[0] ?? { seen: 0, found: [] };
}

/**
 * Reads with the indexes of words. PostgreSQL assumes that every prefix matches one text in fifty, so from about 100,000
 * texts on it would rather read them one by one until it has enough.
 */
async function byIndex<T>(db: Db, read: (trx: Db) => Promise<T>): Promise<T> {
  return await db.transaction().execute(async (trx) => {
    await sql`select set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true)`.execute(
      trx,
    );
    return await read(trx);
  });
}

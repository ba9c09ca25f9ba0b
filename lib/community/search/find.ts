import { type RawBuilder, sql } from "kysely";
import type { Db } from "../context";
import { after, type Cursor, type KeyedId } from "../paging";
import { matches, rank, type TextQuery } from "./text";

/**
 * Ids of what a search finds, best first. Each query takes at most `candidates` rows that match and that the caller
 * may see, and orders those: a word that stands in a million posts costs no more than one that stands in a thousand.
 * What the caller may not see is never among them, so it moves neither ranks nor pages.
 */
const candidates = 1000;

export interface Wanted {
  readonly query: TextQuery;
  /** Null for a guest. */
  readonly userId: string | null;
  readonly cursor: Cursor | null;
  /** Rows to read. */
  readonly rows: number;
}

/** Topics by title and description: public and private ones, and the caller's own secret ones. */
export async function findTopics(db: Db, wanted: Wanted): Promise<KeyedId[]> {
  const { query, userId } = wanted;
  const listed = sql`(select t.id, t.score as age from topics t join topic_search s on s.topic_id = t.id
    where t.visibility <> 'secret' and ${matches("s", query)}
    order by t.score desc, t.id desc limit ${candidates})`;
  const own = sql`(select t.id, t.score as age from memberships m join topics t on t.id = m.topic_id
    join topic_search s on s.topic_id = t.id
    where m.user_id = ${userId} and t.visibility = 'secret' and ${matches("s", query)}
    order by t.score desc, t.id desc limit ${candidates})`;
  return await best(db, wanted, { found: userId === null ? [listed] : [listed, own], table: "topic" });
}

/** Posts by title and text: those of public topics, and of the caller's own. */
export async function findPosts(db: Db, wanted: Wanted): Promise<KeyedId[]> {
  const { query, userId } = wanted;
  const shown = sql`p.deleted_at is null and p.hidden_at is null and ${matches("s", query)}`;
  const open = sql`(select p.id, p.created_at as age from posts p join post_search s on s.post_id = p.id
    where p.is_public and ${shown} order by p.created_at desc, p.id desc limit ${candidates})`;
  const own = sql`(select p.id, p.created_at as age from memberships m join posts p on p.topic_id = m.topic_id
    join post_search s on s.post_id = p.id
    where m.user_id = ${userId} and not p.is_public and ${shown}
    order by p.created_at desc, p.id desc limit ${candidates})`;
  return await best(db, wanted, { found: userId === null ? [open] : [open, own], table: "post" });
}

/** Comments under posts that are found. */
export async function findComments(db: Db, wanted: Wanted): Promise<KeyedId[]> {
  const { query, userId } = wanted;
  const readable =
    userId === null
      ? sql`p.is_public`
      : sql`(p.is_public or exists (
          select from memberships m where m.topic_id = p.topic_id and m.user_id = ${userId}))`;
  const found = sql`(select c.id, c.created_at as age from comments c
    join comment_search s on s.comment_id = c.id join posts p on p.id = c.post_id
    where c.deleted_at is null and c.hidden_at is null and p.deleted_at is null and p.hidden_at is null
      and ${readable} and ${matches("s", query)}
    order by c.created_at desc, c.id desc limit ${candidates})`;
  return await best(db, wanted, { found: [found], table: "comment" });
}

interface Source {
  /** Queries of id and age; the youngest, or those of the highest score, are kept. */
  readonly found: readonly RawBuilder<unknown>[];
  readonly table: "topic" | "post" | "comment";
}

async function best(db: Db, { query, cursor, rows }: Wanted, { found, table }: Source): Promise<KeyedId[]> {
  const ranked = await sql<KeyedId>`
    select id, key from (
      select f.id, ${rank("s", query)} as key from (
        select id from (${sql.join(found, sql` union all `)}) as every
        order by age desc, id desc limit ${candidates}) as f
      join ${sql.table(`${table}_search`)} s on s.${sql.ref(`${table}_id`)} = f.id) as r
    where true ${after("r", { column: "key", kind: "float" }, cursor)}
    order by key desc, id desc limit ${rows}`.execute(db);
  return ranked.rows;
}

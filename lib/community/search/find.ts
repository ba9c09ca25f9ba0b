import { type RawBuilder, sql } from "kysely";
import type { Db } from "../context";
import { after, type Cursor, type KeyedId } from "../paging";
import { fewOf, withWords } from "../posts/filter";
import { matches, rank, type TextQuery } from "./text";

/**
 * Ids of what a search finds, best first. Each query takes at most `candidates` rows that match and that the caller
 * may see, the latest, and orders those: a word that stands in a million posts costs what one costs that stands in
 * some hundred. What the caller may not see is never among them, so it moves neither ranks nor pages.
 */
const candidates = 300;

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

/**
 * Posts by title and text: those of public topics, and of the caller's own. Of few that match the visible ones are
 * chosen; of many the latest are looked for, among public posts and in each of the caller's topics. Whether the staff
 * hid one is asked of the candidates only.
 */
export async function findPosts(db: Db, wanted: Wanted): Promise<KeyedId[]> {
  const { query, userId } = wanted;
  const columns = sql`s.post_id as id, s.created_at as age`;
  const latest = sql`order by s.created_at desc, s.post_id desc limit ${candidates}`;
  const few = await fewOf(db, withWords(query));
  const chosen = sql`(select ${columns} from post_search s where s.post_id = any(${few ?? []}::uuid[])
    and (s.is_public or exists (
      select from memberships m where m.topic_id = s.topic_id and m.user_id = ${userId})) ${latest})`;
  const open = sql`(select ${columns} from post_search s where s.is_public and ${matches("s", query)} ${latest})`;
  const own = sql`(select s.id, s.age from memberships m cross join lateral (
      select ${columns} from post_search s
      where s.topic_id = m.topic_id and not s.is_public and ${matches("s", query)} ${latest}) s
    where m.user_id = ${userId})`;
  const many = userId === null ? [open] : [open, own];
  return await best(db, wanted, {
    found: few ? [chosen] : many,
    table: "post",
    shown: sql`exists (select from posts p where p.id = f.id and p.deleted_at is null and p.hidden_at is null)`,
  });
}

/** Comments under posts that are found. */
export async function findComments(db: Db, wanted: Wanted): Promise<KeyedId[]> {
  const { query, userId } = wanted;
  const readable =
    userId === null
      ? sql`p.is_public`
      : sql`(p.is_public or exists (
          select from memberships m where m.topic_id = p.topic_id and m.user_id = ${userId}))`;
  const found = sql`(select s.comment_id as id, s.created_at as age from comment_search s
    join comments c on c.id = s.comment_id join posts p on p.id = c.post_id
    where c.deleted_at is null and c.hidden_at is null and p.deleted_at is null and p.hidden_at is null
      and ${readable} and ${matches("s", query)}
    order by s.created_at desc, s.comment_id desc limit ${candidates})`;
  return await best(db, wanted, { found: [found], table: "comment" });
}

interface Source {
  /** Queries of id and age; the youngest, or those of the highest score, are kept. */
  readonly found: readonly RawBuilder<unknown>[];
  readonly table: "topic" | "post" | "comment";
  /** What candidates `f` must be besides. */
  readonly shown?: RawBuilder<unknown>;
}

async function best(
  db: Db,
  { query, cursor, rows }: Wanted,
  { found, table, shown = sql`true` }: Source,
): Promise<KeyedId[]> {
  const ranked = await sql<KeyedId>`
    select id, key from (
      select f.id, ${rank("s", query)} as key from (
        select id from (${sql.join(found, sql` union all `)}) as every
        order by age desc, id desc limit ${candidates}) as f
      join ${sql.table(`${table}_search`)} s on s.${sql.ref(`${table}_id`)} = f.id
      where ${shown}) as r
    where true ${after("r", { column: "key", kind: "float" }, cursor)}
    order by key desc, id desc limit ${rows}`.execute(db);
  return ranked.rows;
}

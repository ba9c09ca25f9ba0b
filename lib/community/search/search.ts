import { type RawBuilder, sql } from "kysely";
import type { Db } from "@/db/schema";
import type { Context, Handler } from "@/lib/context";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { postAccess } from "@/lib/policy/post";
import { topicAccess } from "@/lib/policy/topic";
import { nicknameKey } from "@/lib/session/users";
import { readComments } from "../comments/found";
import { after, type Cursor, decodeCursor, type KeyedId, pageOf } from "../paging";
import { withWords } from "../posts/filter";
import { loadPosts } from "../posts/load";
import { postView } from "../posts/view";
import { authorizeTopic, loadTopics, topicListItem } from "../topics/load";
import { viewerOf } from "../viewer";
import { fewOf, latestBy, latestRows, type TextSource } from "./readable";
import { matches, rank, type TextQuery, textQuery } from "./text";

/**
 * The most rows that a search ranks. Each query reads the latest matching rows that the caller may see and ranks those,
 * so that a word in a million posts costs no more than one in a few hundred. Rows that the caller may not see are never
 * among them, so they affect neither ranks nor pages.
 */
export const CANDIDATES = 300;

interface Wanted {
  readonly query: TextQuery;
  /** Null for a guest. */
  readonly userId: string | null;
  /** What the posts and comments are limited to. */
  readonly only: Filters;
  readonly cursor: Cursor | null;
  /** Rows to read. */
  readonly rows: number;
}

/** Finds topics by title and description: public and private ones, and the caller's own secret ones. */
async function findTopics(db: Db, wanted: Wanted): Promise<KeyedId[]> {
  const { query, userId } = wanted;
  const listed = sql`(select t.id, t.score as age from topics t join topic_search s on s.topic_id = t.id
    where t.visibility <> 'secret' and not s.is_secret and ${matches("s", query)}
    order by t.score desc, t.id desc limit ${CANDIDATES})`;
  const own = sql`(select t.id, t.score as age from memberships m join topics t on t.id = m.topic_id
    join topic_search s on s.topic_id = t.id
    where m.user_id = ${userId} and t.visibility = 'secret' and ${matches("s", query)}
    order by t.score desc, t.id desc limit ${CANDIDATES})`;
  return await best(db, wanted, { found: userId === null ? [listed] : [listed, own], table: "topic" });
}

/** Finds posts by title and text, in public topics and the caller's own. Only candidates are checked for hiding. */
async function findPosts(db: Db, wanted: Wanted): Promise<KeyedId[]> {
  return await best(db, wanted, {
    found: [await latest(db, withWords(wanted.query), wanted)],
    table: "post",
    shown: sql`exists (select from posts p where p.id = f.id and p.deleted_at is null and p.hidden_at is null)`,
  });
}

/** Finds comments in the same topics. */
async function findComments(db: Db, wanted: Wanted): Promise<KeyedId[]> {
  const source: TextSource = {
    table: "comment_search",
    id: "comment_id",
    where: matches("s", wanted.query),
    isGuess: true,
  };
  return await best(db, wanted, {
    found: [await latest(db, source, wanted)],
    table: "comment",
    shown: sql`exists (select from comments c join posts p on p.id = c.post_id where c.id = f.id
      and c.deleted_at is null and c.hidden_at is null and p.deleted_at is null and p.hidden_at is null)`,
  });
}

/** SQL: the candidates, chosen from few matching rows, or read in order if there are many. */
async function latest(db: Db, words: TextSource, { userId, only }: Wanted): Promise<RawBuilder<unknown>> {
  const source = { ...words, where: sql`${words.where} ${writtenIn(only)}` };
  if (only.authorId !== undefined) return latestBy(only.authorId, source, { userId, topicId: only.topicId });
  const scope = only.topicId === undefined ? { userId } : { topicId: only.topicId };
  const few = await fewOf(db, source, scope);
  if (few === null) return latestRows(source, scope, CANDIDATES);
  const id = sql.ref(`s.${source.id}`);
  return sql`(select ${id} as id, s.created_at as age from ${sql.table(source.table)} s
    where ${id} = any(${few}::uuid[]) order by s.created_at desc, ${id} desc limit ${CANDIDATES})`;
}

/** Limits of a search that leave out topics. */
interface Filters {
  readonly authorId?: string;
  /** A topic whose posts the caller may read. */
  readonly topicId?: string;
  readonly since?: string;
  readonly until?: string;
}

/** SQL: `and …` for rows `s` of the time asked for. */
function writtenIn({ since, until }: Filters): RawBuilder<unknown> {
  return sql`${since === undefined ? sql`` : sql`and s.created_at >= ${new Date(since)}`}
    ${until === undefined ? sql`` : sql`and s.created_at < ${new Date(until)}`}`;
}

/**
 * Resolves the filters of a search; null when nobody has the author's name.
 * @throws Refusal topic_not_found, not_a_member, reprove_required
 */
async function filtersOf({ db, caller }: Context, input: SearchInput): Promise<Filters | null> {
  const { topicId, author, since, until } = input;
  if (topicId !== undefined) await authorizeTopic(db, topicId, caller, "readContent");
  if (author === undefined) return { topicId, since, until };
  const found = await db
    .selectFrom("users")
    .select("id")
    .where("nickname_key", "=", nicknameKey(author.replace(/^@/, "")))
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return found ? { authorId: found.id, topicId, since, until } : null;
}

interface Ranked {
  /** Queries of id and age. The candidates are those with the highest age value: the latest, or the best score. */
  readonly found: readonly RawBuilder<unknown>[];
  readonly table: "topic" | "post" | "comment";
  /** SQL: a further condition for candidates `f`. */
  readonly shown?: RawBuilder<unknown>;
}

async function best(
  db: Db,
  { query, cursor, rows }: Wanted,
  { found, table, shown = sql`true` }: Ranked,
): Promise<KeyedId[]> {
  const ranked = await sql<KeyedId>`
    select id, key from (
      select f.id, ${rank("s", query)} as key from (
        select id from (${sql.join(found, sql` union all `)}) as every
        order by age desc, id desc limit ${CANDIDATES}) as f
      join ${sql.table(`${table}_search`)} s on s.${sql.ref(`${table}_id`)} = f.id
      where ${shown}) as r
    where true ${after("r", { column: "key", kind: "float" }, cursor)}
    order by key desc, id desc limit ${rows}`.execute(db);
  return ranked.rows;
}

type Found = ResponseBody<typeof contract.search.all>;
type SearchInput = HandlerInput<typeof contract.search.all>;

/** Results per kind in a search of all kinds. */
const FEW = 5;

/**
 * GET /api/search: topics, posts and comments that the caller may see, best first. Without type, the best few of each
 * kind; with type, pages of one kind.
 */
export const search: Handler<typeof contract.search.all> = async (ctx, input) => {
  const { type } = input;
  const sort = `search ${type ?? "all"}`;
  const cursor = decodeCursor(input.cursor, { sort, kind: "float" });
  const query = textQuery(input.q, input.match);
  const found: Found = { topics: [], posts: [], comments: [], nextCursor: null };
  const only = await filtersOf(ctx, input);
  if (query === null || only === null) return found;
  const findsTopics = Object.values(only).every((filter) => filter === undefined);
  const limit = type ? input.limit : Math.min(input.limit, FEW);
  const wanted: Wanted = { query, cursor, rows: limit + 1, userId: ctx.caller?.userId ?? null, only };
  const cut = (rows: readonly KeyedId[]) => {
    const page = pageOf(rows, { limit, sort, cursor: input.cursor });
    if (type) found.nextCursor = page.nextCursor;
    return page.ids;
  };
  if (findsTopics && (type === undefined || type === "topics")) {
    found.topics = await readTopics(ctx, cut(await findTopics(ctx.db, wanted)));
  }
  if (type === undefined || type === "posts") {
    found.posts = await readPosts(ctx, cut(await findPosts(ctx.db, wanted)));
  }
  if (type === undefined || type === "comments") {
    found.comments = await readComments(ctx, cut(await findComments(ctx.db, wanted)));
  }
  return found;
};

async function readTopics({ caller, db }: Context, ids: readonly string[]): Promise<Found["topics"]> {
  const rows = await loadTopics(db, ids, caller?.userId ?? null);
  return rows
    .filter((row) => topicAccess(row, viewerOf(caller, row)).see === "allowed")
    .map((row) => topicListItem(row, caller));
}

async function readPosts({ caller, db, now }: Context, ids: readonly string[]): Promise<Found["posts"]> {
  const rows = await loadPosts(db, ids, caller?.userId ?? null);
  return rows
    .filter((row) => postAccess(row, viewerOf(caller, row)).read === "allowed")
    .map((row) => postView(row, caller, now()));
}

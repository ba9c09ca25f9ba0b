import { type Expression, type RawBuilder, sql } from "kysely";
import type { Db } from "@/db/schema";
import type { Context, Handler } from "@/lib/context";
import type { contract, HandlerInput } from "@/lib/contract";
import { topicAccess } from "@/lib/policy/topic";
import { compiledQuery, type PlaceOf } from "@/lib/sql/compiled";
import { categoryFilter } from "../categories/list";
import { after, type Cursor, decodeCursor, type KeyedId, pageOf, type SortKey } from "../paging";
import { containsPattern } from "../text-search";
import { viewerOf } from "../viewer";
import { loadTopics, topicListItem } from "./load";
import { opensGateOf, storedProofs } from "./stored-proofs";

type Input = HandlerInput<typeof contract.topics.list>;

/** Sorts of GET /api/topics (design/api.md, Topics). */
const SORT_KEYS: Record<Input["sort"], SortKey> = {
  hot: { column: "score", kind: "float" },
  new: { column: "created_at", kind: "time" },
  active: { column: "last_activity_at", kind: "time" },
  top: { column: "member_count", kind: "int" },
};

interface Filters {
  readonly key: SortKey;
  readonly cursor: Cursor | null;
  readonly categoryId: string | null;
  readonly pattern: string | null;
  readonly rows: Value<number>;
}

/** A value, or SQL for one. */
type Value<T> = T | Expression<T>;

/**
 * GET /api/topics: the topics that the caller joined, latest activity first; with view=all those they may see (public,
 * private, and their own secret ones); with view=opened those that they can join with what they have proven.
 */
export const listTopics: Handler<typeof contract.topics.list> = async (ctx, input) => {
  const { caller, db } = ctx;
  const all = input.view === "all";
  const categoryId = await categoryFilter(db, input.category);
  const opened = input.view === "opened";
  const sort = all ? input.sort : opened ? "hot" : "active";
  const key = SORT_KEYS[sort];
  const filters: Filters = {
    key,
    categoryId,
    cursor: decodeCursor(input.cursor, { sort, kind: key.kind }),
    pattern: all ? containsPattern(input.q) : null,
    rows: input.limit + 1 + input.offset,
  };
  if (!all && !caller) return { topics: [], nextCursor: null };
  const found = await idsOf(ctx, input, filters);
  const page = pageOf(found, { limit: input.limit, sort, cursor: input.cursor });
  const rows = await loadTopics(db, page.ids, caller?.userId ?? null);
  const visible = rows.filter((row) => topicAccess(row, viewerOf(caller, row)).see === "allowed");
  return { topics: visible.map((row) => topicListItem(row, caller)), nextCursor: page.nextCursor };
};

async function idsOf(ctx: Context, { view, limit, offset }: Input, filters: Filters): Promise<KeyedId[]> {
  const { caller, db } = ctx;
  const all = view === "all";
  const { cursor, categoryId, pattern } = filters;
  if (view !== "opened" && !cursor && !categoryId && !pattern) {
    const values = { userId: caller?.userId ?? null, rows: limit + 1 + offset, limit: limit + 1, offset };
    return await firstIds(db, values, filters.key.column, filters.key.kind, all, caller !== null);
  }
  const branches =
    view === "opened" ? await openedTopics(ctx, filters) : branchesOf(filters, all, caller?.userId ?? null);
  if (branches.length === 0) return [];
  return (await pageOfBranches(branches, limit + 1, offset).execute(db)).rows;
}

/** The first page without filters, which most requests ask for. */
const firstIds = compiledQuery(
  (
    db: Db,
    value: PlaceOf<{ userId: string | null; rows: number; limit: number; offset: number }>,
    column: string,
    kind: SortKey["kind"],
    all: boolean,
    signedIn: boolean,
  ) => {
    const key = { column, kind };
    const filters = { key, cursor: null, categoryId: null, pattern: null, rows: value("rows") };
    const branches = branchesOf(filters, all, signedIn ? value("userId") : null);
    return pageOfBranches(branches, value("limit"), value("offset")).compile(db);
  },
);

function branchesOf(
  filters: Filters,
  all: boolean,
  userId: Value<string | null> | null,
): RawBuilder<unknown>[] {
  return [
    ...(all ? [listedTopics(filters)] : []),
    ...(userId === null ? [] : [memberTopics(filters, userId, { secretOnly: all })]),
  ];
}

function pageOfBranches(
  branches: readonly RawBuilder<unknown>[],
  limit: Value<number>,
  offset: Value<number>,
): RawBuilder<KeyedId> {
  return sql<KeyedId>`
    select id, key from (${sql.join(branches, sql` union all `)}) as found
    order by key desc, id desc limit ${limit} offset ${offset}`;
}

/** SQL: listed topics whose gate opens with what the caller has proven, without those they joined. */
async function openedTopics(ctx: Context, { key, cursor, categoryId, rows }: Filters) {
  const { caller } = ctx;
  if (!caller) return [];
  const column = sql.ref(`t.${key.column}`);
  const gates = (await storedProofs(ctx, caller.userId)).map(opensGateOf);
  if (gates.length === 0) return [];
  return [
    sql`(select t.id, ${column} as key from topics t
      where t.visibility <> 'secret' and t.proof_type <> 'none' and (${sql.join(gates, sql` or `)})
        and not exists (select from memberships m where m.topic_id = t.id and m.user_id = ${caller.userId})
        ${inCategory(categoryId)} ${after("t", key, cursor)}
      order by ${column} desc, t.id desc limit ${rows})`,
  ];
}

/** SQL: topics that everyone may see. The partial indexes topics_* and topics_category_* contain exactly these. */
function listedTopics({ key, cursor, categoryId, pattern, rows }: Filters): RawBuilder<unknown> {
  const column = sql.ref(`t.${key.column}`);
  return sql`(select t.id, ${column} as key from topics t
    where t.visibility <> 'secret' ${inCategory(categoryId)} ${matching(pattern, sql`and not s.is_secret`)} ${after("t", key, cursor)}
    order by ${column} desc, t.id desc limit ${rows})`;
}

/** SQL: topics of the caller; with `secretOnly` just those that the other branch leaves out. */
function memberTopics(
  { key, cursor, categoryId, pattern, rows }: Filters,
  userId: Value<string | null>,
  { secretOnly }: { readonly secretOnly: boolean },
): RawBuilder<unknown> {
  const column = sql.ref(`t.${key.column}`);
  return sql`(select t.id, ${column} as key from memberships m join topics t on t.id = m.topic_id
    where m.user_id = ${userId} ${secretOnly ? sql`and t.visibility = 'secret'` : sql``}
      ${inCategory(categoryId)} ${matching(pattern, sql`offset 0`)} ${after("t", key, cursor)}
    order by ${column} desc, t.id desc limit ${rows})`;
}

function inCategory(categoryId: string | null): RawBuilder<unknown> {
  return categoryId ? sql`and t.category_id = ${categoryId}` : sql``;
}

/** @param within SQL: limits the search to listed topics, or fences it off to run for the caller's topics only */
function matching(pattern: string | null, within: RawBuilder<unknown>): RawBuilder<unknown> {
  return pattern
    ? sql`and exists (select from topic_search s where s.topic_id = t.id and s.text like ${pattern} ${within})`
    : sql``;
}

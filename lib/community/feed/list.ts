import { type RawBuilder, sql } from "kysely";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { postAccess } from "@/lib/policy/post";
import { categoryFilter } from "../categories/list";
import type { Context } from "../context";
import { after, type Cursor, decodeCursor, type KeyedId, pageOf, type SortKey } from "../paging";
import { loadPosts } from "../posts/load";
import { postSortKeys } from "../posts/sorts";
import { tagIdOf } from "../posts/tags";
import { postView } from "../posts/view";
import { containsPattern } from "../text-search";
import { viewerOf } from "../viewer";

interface Filters {
  readonly key: SortKey;
  readonly cursor: Cursor | null;
  readonly categoryId: string | null;
  readonly tagId: string | null;
  readonly pattern: string | null;
  readonly rows: number;
}

/**
 * GET /api/feed: live posts of every topic the caller may read; with view=my of the topics they belong to.
 * Pins belong to their topic and mean nothing here.
 */
export async function listFeed(
  ctx: Context,
  input: HandlerInput<typeof contract.feed.list>,
): Promise<ResponseBody<typeof contract.feed.list>> {
  const { caller, db } = ctx;
  const { sort, limit, offset } = input;
  const key = postSortKeys[sort];
  const categoryId = await categoryFilter(db, input.category);
  const cursor = decodeCursor(input.cursor, { sort, kind: key.kind });
  const tagId = input.tag ? await tagIdOf(db, input.tag) : null;
  const mine = input.view === "my";
  if (tagId === undefined || (mine && !caller)) return { posts: [], nextCursor: null };

  const pattern = containsPattern(input.q);
  const filters: Filters = { key, cursor, categoryId, tagId, pattern, rows: limit + 1 + offset };
  const branches = [
    ...(mine ? [] : [publicPosts(filters)]),
    ...(caller ? [memberPosts(filters, caller.userId, { publicToo: mine })] : []),
  ];
  const ids = await sql<KeyedId>`
    select id, key from (${sql.join(branches, sql` union all `)}) as found
    order by key desc, id desc limit ${limit + 1} offset ${offset}`.execute(db);
  const page = pageOf(ids.rows, { limit, sort, cursor: input.cursor });
  const now = ctx.now();
  const rows = await loadPosts(db, page.ids, caller?.userId ?? null);
  const readable = rows.filter((row) => {
    return postAccess(row, viewerOf(caller, row)).read === "allowed";
  });
  return { posts: readable.map((row) => postView(row, caller, now)), nextCursor: page.nextCursor };
}

/** Posts everybody may read: the partial indexes posts_feed_* and posts_category_* carry exactly these. */
function publicPosts(filters: Filters): RawBuilder<unknown> {
  const { key, cursor, categoryId, rows } = filters;
  const column = sql.ref(`p.${key.column}`);
  return sql`(select p.id, ${column} as key from posts p
    where p.is_public and p.deleted_at is null and p.hidden_at is null
      ${categoryId ? sql`and p.category_id = ${categoryId}` : sql``}
      ${matching(filters)} ${after("p", key, cursor)}
    order by ${column} desc, p.id desc limit ${rows})`;
}

/**
 * Posts of the caller's topics: the first rows of each topic by its own index (once for pinned and once for other
 * posts, as that index separates them), so the cost follows the number of topics and not of posts.
 */
function memberPosts(
  filters: Filters,
  userId: string,
  { publicToo }: { readonly publicToo: boolean },
): RawBuilder<unknown> {
  const { key, cursor, categoryId, rows } = filters;
  const column = sql.ref(`p.${key.column}`);
  return sql`(select p.id, p.key from memberships m
    join topics t on t.id = m.topic_id
    cross join (values (true), (false)) as pin (value)
    cross join lateral (
      select p.id, ${column} as key from posts p
      where p.topic_id = m.topic_id and p.is_pinned = pin.value and p.deleted_at is null and p.hidden_at is null
        ${matching(filters)} ${after("p", key, cursor)}
      order by ${column} desc, p.id desc limit ${rows}) p
    where m.user_id = ${userId}
      ${publicToo ? sql`` : sql`and t.visibility <> 'public'`}
      ${categoryId ? sql`and t.category_id = ${categoryId}` : sql``}
    order by p.key desc, p.id desc limit ${rows})`;
}

function matching({ tagId, pattern }: Filters): RawBuilder<unknown> {
  return sql`${tagId ? sql`and exists (select from post_tags g where g.post_id = p.id and g.tag_id = ${tagId})` : sql``}
    ${pattern ? sql`and exists (select from post_search s where s.post_id = p.id and s.text like ${pattern})` : sql``}`;
}

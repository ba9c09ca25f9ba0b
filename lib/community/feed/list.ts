import { type RawBuilder, sql } from "kysely";
import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { postAccess } from "@/lib/policy/post";
import { categoryFilter } from "../categories/list";
import { after, type Cursor, decodeCursor, type KeyedId, pageOf, type SortKey } from "../paging";
import { POST_SORT_KEYS, type PostFilter, postFilter, postSource } from "../posts/filter";
import { loadPosts } from "../posts/load";
import { postView } from "../posts/view";
import { viewerOf } from "../viewer";

interface Filters {
  readonly key: SortKey;
  readonly cursor: Cursor | null;
  readonly categoryId: string | null;
  readonly filter: PostFilter;
  readonly rows: number;
  /** SQL: `and …` for rows of topics that the caller did not mute. @param topicId a column */
  readonly unmuted: (topicId: RawBuilder<unknown>) => RawBuilder<unknown>;
}

/**
 * GET /api/feed: visible posts of all topics the caller may read; with view=my, of the topics they belong to and the
 * people they follow. Without topics the caller muted. Pins apply only to the lists of their topics.
 */
export const listFeed: Handler<typeof contract.feed.list> = async (ctx, input) => {
  const { caller, db } = ctx;
  const { sort, limit, offset } = input;
  const key = POST_SORT_KEYS[sort];
  const categoryId = await categoryFilter(db, input.category);
  const cursor = decodeCursor(input.cursor, { sort, kind: key.kind });
  const mine = input.view === "my";
  const userId = caller?.userId ?? null;
  const filter = mine && !caller ? undefined : await postFilter(db, input, { userId });
  if (!filter) return { posts: [], nextCursor: null };

  const filters: Filters = {
    key,
    cursor,
    categoryId,
    filter,
    rows: limit + 1 + offset,
    unmuted: unmutedBy(userId),
  };
  const branches = filter.ids
    ? [fewPosts(filters, userId, mine)]
    : [
        ...(mine ? [] : [publicPosts(filters)]),
        ...(userId ? [memberPosts(filters, userId, { publicToo: mine })] : []),
        ...(userId && mine ? [followedPosts(filters, userId)] : []),
      ];
  const ids = await sql<KeyedId>`
    select id, key from (${sql.join(branches, sql` union all `)}) as found
    order by key desc, id desc limit ${limit + 1} offset ${offset}`.execute(db);
  const page = pageOf(ids.rows, { limit, sort, cursor: input.cursor });
  const now = ctx.now();
  const rows = await loadPosts(db, page.ids, userId);
  const readable = rows.filter((row) => postAccess(row, viewerOf(caller, row)).read === "allowed");
  return { posts: readable.map((row) => postView(row, caller, now)), nextCursor: page.nextCursor };
};

/** SQL: read once per query, so that the indexes of the feed stay in use. */
function unmutedBy(userId: string | null): Filters["unmuted"] {
  if (userId === null) return () => sql``;
  return (topicId) => sql`and ${topicId} <> all(array(
    select q.topic_id from topic_mutes q where q.user_id = ${userId}))`;
}

/** SQL: posts that everyone may read. The partial indexes posts_feed_* and posts_category_* contain exactly these. */
function publicPosts(filters: Filters): RawBuilder<unknown> {
  const { key, cursor, categoryId, filter, rows, unmuted } = filters;
  const column = sql.ref(`p.${key.column}`);
  return sql`(select p.id, ${column} as key from posts p
    where p.is_public and p.deleted_at is null and p.hidden_at is null ${unmuted(sql`p.topic_id`)}
      ${categoryId ? sql`and p.category_id = ${categoryId}` : sql``}
      ${filter.where} ${after("p", key, cursor)}
    order by ${column} desc, p.id desc limit ${rows})`;
}

/** SQL: those of few matching posts that the caller may read. */
function fewPosts(filters: Filters, userId: string | null, mine: boolean): RawBuilder<unknown> {
  const { key, cursor, categoryId, filter, rows, unmuted } = filters;
  const column = sql.ref(`p.${key.column}`);
  const member = sql`exists (select from memberships m where m.topic_id = p.topic_id and m.user_id = ${userId})`;
  const followed = sql`exists (select from follows f where f.followed_id = p.author_id and f.user_id = ${userId})`;
  return sql`(select p.id, ${column} as key from ${postSource(filter)}
    where p.deleted_at is null and p.hidden_at is null ${unmuted(sql`p.topic_id`)}
      and ${mine ? sql`(${member} or p.is_public and ${followed})` : sql`(p.is_public or ${member})`}
      ${categoryId ? sql`and p.category_id = ${categoryId}` : sql``}
      ${filter.where} ${after("p", key, cursor)}
    order by ${column} desc, p.id desc limit ${rows})`;
}

/**
 * SQL: posts of the caller's topics. Reads the first rows of each topic by its own index, once for pinned and once for
 * other posts since that index separates them, so that the cost grows with the number of topics and not of posts.
 */
function memberPosts(
  filters: Filters,
  userId: string,
  { publicToo }: { readonly publicToo: boolean },
): RawBuilder<unknown> {
  const { key, cursor, categoryId, filter, rows, unmuted } = filters;
  const column = sql.ref(`p.${key.column}`);
  return sql`(select p.id, p.key from memberships m
    join topics t on t.id = m.topic_id ${withTag(filter.tagId)}
    cross join (values (true), (false)) as pin (value)
    cross join lateral (
      select p.id, ${column} as key from posts p
      where p.topic_id = m.topic_id and p.is_pinned = pin.value and p.deleted_at is null and p.hidden_at is null
        ${filter.where} ${after("p", key, cursor)}
      order by ${column} desc, p.id desc limit ${rows}) p
    where m.user_id = ${userId} ${unmuted(sql`m.topic_id`)}
      ${publicToo ? sql`` : sql`and t.visibility <> 'public'`}
      ${categoryId ? sql`and t.category_id = ${categoryId}` : sql``}
    order by p.key desc, p.id desc limit ${rows})`;
}

/** Latest posts of each followed person that the caller's feed looks at, whatever its order. */
const OF_FOLLOWED = 100;

/** SQL: public posts of people the caller follows, in topics they do not belong to: those of the others are there already. */
function followedPosts(filters: Filters, userId: string): RawBuilder<unknown> {
  const { key, cursor, categoryId, filter, rows, unmuted } = filters;
  const column = sql.ref(`p.${key.column}`);
  return sql`(select p.id, ${column} as key from follows f
    cross join lateral (
      select * from posts p where p.author_id = f.followed_id order by p.created_at desc, p.id desc
      limit ${OF_FOLLOWED}) p
    where f.user_id = ${userId} and p.is_public and p.deleted_at is null and p.hidden_at is null
      and not exists (select from memberships m where m.topic_id = p.topic_id and m.user_id = ${userId})
      ${unmuted(sql`p.topic_id`)} ${categoryId ? sql`and p.category_id = ${categoryId}` : sql``}
      ${filter.where} ${after("p", key, cursor)}
    order by ${column} desc, p.id desc limit ${rows})`;
}

/** SQL: skips topics without the tag. */
function withTag(tagId: string | null): RawBuilder<unknown> {
  return tagId
    ? sql`join topic_tags k on k.topic_id = t.id and k.tag_id = ${tagId} and k.post_count > 0`
    : sql``;
}

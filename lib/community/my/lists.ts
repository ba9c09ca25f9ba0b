import { type RawBuilder, sql } from "kysely";
import type { Context, Handler, MemberContext } from "@/lib/context";
import type { contract, HandlerInput, Post } from "@/lib/contract";
import { postAccess } from "@/lib/policy/post";
import { boundKey, decodeCursor, type KeyedId, type KeyKind, pageOf } from "../paging";
import { loadPosts } from "../posts/load";
import { postView } from "../posts/view";
import { viewerOf } from "../viewer";

/** GET /api/my/posts: the caller's posts, latest first, including hidden ones but not deleted ones. */
export const listMyPosts: Handler<typeof contract.my.posts> = async (ctx, input) => {
  const from = sql`posts p where p.author_id = ${ctx.caller.userId}`;
  return await listBy(
    ctx,
    input,
    { sort: "my-posts", from, time: "p.created_at", id: "p.id" },
    (post) => post,
  );
};

/** GET /api/my/likes: posts the caller upvoted, latest upvote first. */
export const listMyUpvotes: Handler<typeof contract.my.likes> = async (ctx, input) => {
  const from = sql`votes v join posts p on p.id = v.post_id
    where v.user_id = ${ctx.caller.userId} and v.value = 1 and p.hidden_at is null`;
  const source = { sort: "my-likes", from, time: "v.created_at", id: "v.post_id" };
  return await listBy(ctx, input, source, (post) => post);
};

/** GET /api/bookmarks: posts the caller bookmarked, latest bookmark first, each with its time. */
export const listBookmarks: Handler<typeof contract.my.bookmarks> = async (ctx, input) => {
  const from = sql`bookmarks b join posts p on p.id = b.post_id
    where b.user_id = ${ctx.caller.userId} and p.hidden_at is null`;
  const source = { sort: "bookmarks", from, time: "b.created_at", id: "b.post_id" };
  return await listBy(ctx, input, source, (post, bookmarkedAt) => ({ ...post, bookmarkedAt }));
};

/** GET /api/recorded: posts the caller recorded, in topics they belong to, those with the most records first. */
export const listRecorded: Handler<typeof contract.recorded.list> = async (ctx, input) => {
  const source = {
    sort: "recorded",
    from: recordedBy(ctx),
    // At most three a day per user: few enough to sort.
    time: "p.record_count",
    id: "r.post_id",
    kind: "int",
    joinedOnly: true,
  } as const;
  return await listBy(ctx, input, source, (post) => post);
};

/** GET /api/my/recorded: posts the caller recorded, latest record first, each with its time. */
export const listMyRecorded: Handler<typeof contract.my.recorded> = async (ctx, input) => {
  const source = { sort: "my-recorded", from: recordedBy(ctx), time: "r.created_at", id: "r.post_id" };
  return await listBy(ctx, input, source, (post, recordedAt) => ({ ...post, recordedAt }));
};

/** GET /api/my/recorded-on-mine: the caller's posts that were recorded, latest record first, each with its time. */
export const listRecordedOnMine: Handler<typeof contract.my.recordedOnMine> = async (ctx, input) => {
  const from = sql`posts p where p.author_id = ${ctx.caller.userId} and p.last_recorded_at is not null`;
  const source = { sort: "recorded-on-mine", from, time: "p.last_recorded_at", id: "p.id" };
  return await listBy(ctx, input, source, (post, recordedAt) => ({ ...post, recordedAt }));
};

function recordedBy({ caller }: MemberContext) {
  return sql`records r join posts p on p.id = r.post_id
    where r.recorder_id = ${caller.userId} and r.status = 'confirmed' and p.hidden_at is null`;
}

/** A list of one user's: rows of a table with an index of user, time and post. */
export interface Source {
  /** Name in cursors. */
  readonly sort: string;
  /** Tables with the post as `p`, and the condition that makes a row the user's. */
  readonly from: RawBuilder<unknown>;
  /** Column of the time that orders the list, latest first, or of a number, highest first; ties by `id`. */
  readonly time: string;
  readonly id: string;
  readonly kind?: KeyKind;
  /** Leaves out topics the caller does not belong to, including public ones. */
  readonly joinedOnly?: boolean;
}

/**
 * Returns the ids of one page of a list. The query leaves out topics that the caller may no longer read, so that pages
 * stay full.
 */
export async function idsBy(
  { caller, db }: Context,
  input: HandlerInput<typeof contract.my.posts>,
  { sort, from, kind = "time", joinedOnly = false, ...columns }: Source,
) {
  const userId = caller?.userId ?? null;
  const cursor = decodeCursor(input.cursor, { sort, kind });
  const [time, id] = [sql.ref(columns.time), sql.ref(columns.id)];
  const found = await sql<KeyedId>`
    select ${id} as id, ${time} as key from ${from} and p.deleted_at is null
      and (${joinedOnly ? sql`` : sql`p.is_public or`} exists (
        select from memberships m where m.topic_id = p.topic_id and m.user_id = ${userId}::text))
      ${cursor ? sql`and (${time}, ${id}) < (${boundKey(cursor, kind)}, ${cursor.id})` : sql``}
    order by ${time} desc, ${id} desc limit ${input.limit + 1} offset ${input.offset}`.execute(db);
  return pageOf(found.rows, { ...input, sort });
}

/**
 * Returns one page of a list of posts.
 * @param show returns an item of the list from a post and the time it is listed by
 */
export async function listBy<Item>(
  ctx: Context,
  input: HandlerInput<typeof contract.my.posts>,
  source: Source,
  show: (post: Post, at: string) => Item,
): Promise<{ posts: Item[]; nextCursor: string | null }> {
  const { caller, db, now } = ctx;
  const page = await idsBy(ctx, input, source);
  const times = new Map(page.rows.map(({ id, key }) => [id, new Date(key).toISOString()]));
  const rows = await loadPosts(db, page.ids, caller?.userId ?? null);
  const readable = rows.filter((row) => postAccess(row, viewerOf(caller, row)).read === "allowed");
  return {
    posts: readable.map((row) => show(postView(row, caller, now()), times.get(row.id) ?? "")),
    nextCursor: page.nextCursor,
  };
}

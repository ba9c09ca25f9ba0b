import { type RawBuilder, sql } from "kysely";
import type { MemberContext } from "@/lib/context";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { postAccess } from "@/lib/policy/post";
import { boundKey, decodeCursor, type KeyedId, type KeyKind, pageOf } from "../paging";
import { loadPosts, type PostRow } from "../posts/load";
import { postView } from "../posts/view";
import { viewerOf } from "../viewer";

type Input = HandlerInput<typeof contract.my.posts>;

/** A list of one's own: rows of a table that has the user, a time and a post in one index. */
interface Source {
  /** Name in cursors. */
  readonly sort: string;
  /** Tables with the post as `p`, and the condition that makes a row the user's. */
  readonly from: (userId: string) => RawBuilder<unknown>;
  /** Column of the time the list is ordered by, latest first; ties by `id`. Or of a number, highest first. */
  readonly time: string;
  readonly id: string;
  readonly kind?: KeyKind;
  /** Leaves out topics the user does not belong to, public ones too. */
  readonly joinedOnly?: boolean;
}

const written: Source = {
  sort: "my-posts",
  from: (userId) => sql`posts p where p.author_id = ${userId}`,
  time: "p.created_at",
  id: "p.id",
};
const liked: Source = {
  sort: "my-likes",
  from: (userId) => sql`votes v join posts p on p.id = v.post_id where v.user_id = ${userId} and v.value = 1
    and p.hidden_at is null`,
  time: "v.created_at",
  id: "v.post_id",
};
const bookmarked: Source = {
  sort: "bookmarks",
  from: (userId) => sql`bookmarks b join posts p on p.id = b.post_id where b.user_id = ${userId}
    and p.hidden_at is null`,
  time: "b.created_at",
  id: "b.post_id",
};

const recordedBy = (userId: string) => sql`records r join posts p on p.id = r.post_id
    where r.recorder_id = ${userId} and r.status = 'confirmed' and p.hidden_at is null`;
const recorded: Source = {
  sort: "recorded",
  from: recordedBy,
  // At most three a day and person: few enough to be sorted.
  time: "p.record_count",
  id: "r.post_id",
  kind: "int",
  joinedOnly: true,
};
const myRecorded: Source = {
  sort: "my-recorded",
  from: recordedBy,
  time: "r.created_at",
  id: "r.post_id",
};
const recordedOnMine: Source = {
  sort: "recorded-on-mine",
  from: (userId) => sql`posts p where p.author_id = ${userId} and p.last_recorded_at is not null`,
  time: "p.last_recorded_at",
  id: "p.id",
};

/** GET /api/my/posts: what the caller wrote, latest first; posts the staff hid are among them, deleted ones are not. */
export async function listMyPosts(
  ctx: MemberContext,
  input: Input,
): Promise<ResponseBody<typeof contract.my.posts>> {
  const { rows, nextCursor } = await listOwn(ctx, input, written);
  return { posts: rows.map((row) => postView(row, ctx.caller, ctx.now())), nextCursor };
}

/** GET /api/my/likes: posts the caller voted up, latest vote first. */
export async function listMyLikes(
  ctx: MemberContext,
  input: Input,
): Promise<ResponseBody<typeof contract.my.likes>> {
  const { rows, nextCursor } = await listOwn(ctx, input, liked);
  return { posts: rows.map((row) => postView(row, ctx.caller, ctx.now())), nextCursor };
}

/** GET /api/bookmarks: posts the caller bookmarked, latest first, each with when. */
export async function listBookmarks(
  ctx: MemberContext,
  input: Input,
): Promise<ResponseBody<typeof contract.my.bookmarks>> {
  const { rows, times, nextCursor } = await listOwn(ctx, input, bookmarked);
  const posts = rows.map((row) => ({
    ...postView(row, ctx.caller, ctx.now()),
    bookmarkedAt: new Date(times.get(row.id) ?? 0).toISOString(),
  }));
  return { posts, nextCursor };
}

/** GET /api/recorded: posts the caller recorded, in topics they belong to; those with most records first. */
export async function listRecorded(
  ctx: MemberContext,
  input: Input,
): Promise<ResponseBody<typeof contract.recorded.list>> {
  const { rows, nextCursor } = await listOwn(ctx, input, recorded);
  return { posts: rows.map((row) => postView(row, ctx.caller, ctx.now())), nextCursor };
}

/** GET /api/my/recorded: posts the caller recorded, latest record first, each with when. */
export async function listMyRecorded(
  ctx: MemberContext,
  input: Input,
): Promise<ResponseBody<typeof contract.my.recorded>> {
  return withRecordTimes(ctx, await listOwn(ctx, input, myRecorded));
}

/** GET /api/my/recorded-on-mine: the caller's posts that somebody recorded, latest record first, each with when. */
export async function listRecordedOnMine(
  ctx: MemberContext,
  input: Input,
): Promise<ResponseBody<typeof contract.my.recordedOnMine>> {
  return withRecordTimes(ctx, await listOwn(ctx, input, recordedOnMine));
}

function withRecordTimes(ctx: MemberContext, { rows, times, nextCursor }: OwnPage) {
  const posts = rows.map((row) => ({
    ...postView(row, ctx.caller, ctx.now()),
    recordedAt: new Date(times.get(row.id) ?? 0).toISOString(),
  }));
  return { posts, nextCursor };
}

interface OwnPage {
  readonly rows: PostRow[];
  readonly nextCursor: string | null;
  /** Post id -> the time it is listed by, in Unix milliseconds. */
  readonly times: ReadonlyMap<string, number>;
}

/**
 * One page of a list. Posts of topics the caller may not read any more are left out where the ids are found, so that
 * pages stay full.
 */
async function listOwn(
  { caller, db }: MemberContext,
  { limit, offset, cursor: from }: Input,
  source: Source,
): Promise<OwnPage> {
  const { userId } = caller;
  const { sort, kind = "time", joinedOnly = false } = source;
  const cursor = decodeCursor(from, { sort, kind });
  const [time, id] = [sql.ref(source.time), sql.ref(source.id)];
  const ids = await sql<KeyedId>`
    select ${id} as id, ${time} as key from ${source.from(userId)} and p.deleted_at is null
      and (${joinedOnly ? sql`` : sql`p.is_public or`} exists (
        select from memberships m where m.topic_id = p.topic_id and m.user_id = ${userId}))
      ${cursor ? sql`and (${time}, ${id}) < (${boundKey(cursor, kind)}, ${cursor.id})` : sql``}
    order by ${time} desc, ${id} desc limit ${limit + 1} offset ${offset}`.execute(db);
  const page = pageOf(ids.rows, { limit, sort, cursor: from });
  const rows = await loadPosts(db, page.ids, userId);
  return {
    rows: rows.filter((row) => postAccess(row, viewerOf(caller, row)).read === "allowed"),
    nextCursor: page.nextCursor,
    times: new Map(ids.rows.map((row) => [row.id, Number(row.key)])),
  };
}

import { type RawBuilder, sql } from "kysely";
import type { Db, Trx } from "@/db/schema";
import type { Comment } from "@/lib/contract";
import { ABILITIES } from "@/lib/contract/abilities";
import type { CommentSort } from "@/lib/contract/comments";
import { isFolded } from "@/lib/policy/block";
import { allowedOf, type Viewer } from "@/lib/policy/decision";
import { commentAccess, type PostState } from "@/lib/policy/post";
import { compiledQuery, type PlaceOf } from "@/lib/sql/compiled";
import { type AnonymousRow, anonymousAuthorOf, authorOf } from "../anonymous/view";
import { type Mention, mentionsOf } from "../mentions/store";
import {
  boundKey,
  type Cursor,
  decodeCursor,
  encodeCursor,
  inOrder,
  type KeyedId,
  type KeyKind,
  pageOf,
} from "../paging";
import { domainsShownBy } from "../profile/badges";

export interface CommentRow {
  readonly id: string;
  readonly post_id: string;
  readonly parent_id: string | null;
  readonly author_id: string;
  readonly author_nickname: string;
  readonly author_image: string | null;
  readonly anonymous: AnonymousRow | null;
  readonly author_domains: readonly string[];
  readonly content: string;
  readonly automated: boolean;
  readonly mentions: readonly Mention[];
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly deleted_at: Date | null;
  readonly deleted_by: "author" | "admin" | null;
  readonly hidden_at: Date | null;
  readonly upvote_count: number;
  readonly voted: 1 | -1 | null;
  /** Whether the caller blocked the author. */
  readonly blocked: boolean;
}

/** The post of comments, and who reads them. */
export interface CommentReader {
  readonly post: PostState;
  readonly viewer: Viewer;
  readonly callerId: string | null;
}

/** How many comments a post may have, so that votes and position make one exact number. */
const POSITIONS = 2 ** 32;

interface Order {
  /** In cursors. */
  readonly name: string;
  readonly key: RawBuilder<unknown>;
  readonly kind: KeyKind;
  readonly isAscending: boolean;
}

/** SQL of each order of comments `c`. */
const orders = {
  old: { name: "oldest", key: sql`c.created_at`, kind: "time", isAscending: true },
  new: { name: "newest", key: sql`c.created_at`, kind: "time", isAscending: false },
  // The index comments_best. One without a number is the newest.
  best: {
    name: "best",
    key: sql`(c.upvote_count::float8 * ${sql.lit(POSITIONS)} - coalesce(c.position, 2147483647))`,
    kind: "float",
    isAscending: false,
  },
} as const satisfies Record<CommentSort, Order>;

export interface CommentPage {
  readonly comments: Comment[];
  readonly nextCursor: string | null;
  /** The cursor of this page; null for the first. */
  readonly pageCursor: string | null;
}

/** Returns one page of a post's comments in an order. Deleted comments keep their place in their thread. */
export async function listComments(
  db: Db,
  reader: CommentReader & { readonly post: { readonly id: string } },
  page: {
    readonly limit: number;
    readonly cursor?: string;
    readonly comment?: string;
    readonly sort: CommentSort;
  },
): Promise<CommentPage> {
  const sort = page.comment ? "old" : page.sort;
  const { name, key, kind, isAscending } = orders[sort];
  const cursor = page.comment
    ? await pageOfComment(db, reader.post.id, page.comment, page.limit)
    : decodeCursor(page.cursor, { sort: name, kind });
  const direction = sql.raw(isAscending ? "asc" : "desc");
  const ids = await sql<KeyedId>`
    select c.id, ${key} as key from comments c where c.post_id = ${reader.post.id}
      ${cursor ? sql`and (${key}, c.id) ${sql.raw(isAscending ? ">" : "<")} (${boundKey(cursor, kind)}, ${cursor.id})` : sql``}
    order by ${key} ${direction}, c.id ${direction} limit ${page.limit + 1}`.execute(db);
  const pageCursor = cursor && encodeCursor(cursor);
  const cut = pageOf(ids.rows, { limit: page.limit, sort: name, cursor: pageCursor ?? undefined });
  const rows = await loadComments(db, cut.ids, reader.callerId);
  return { comments: rows.map((row) => commentView(row, reader)), nextCursor: cut.nextCursor, pageCursor };
}

/**
 * Returns the cursor of a page with this comment: null, the first page, if that has it; otherwise half a page before
 * it, so that the comment it replies to is likely on the page too. Reads at most one page of index entries.
 * @returns null also for a comment that is not under this post
 */
async function pageOfComment(
  db: Db,
  postId: string,
  commentId: string,
  limit: number,
): Promise<Cursor | null> {
  const { rows } = await sql<{ id: string; created_at: Date }>`
    with target as (select created_at, id from comments where id = ${commentId} and post_id = ${postId})
    select c.id, c.created_at from comments c where c.post_id = ${postId}
      and (c.created_at, c.id) < ((select created_at from target), (select id from target))
    order by c.created_at desc, c.id desc limit ${limit}`.execute(db);
  const start = rows.length < limit ? undefined : rows[Math.floor(limit / 2)];
  return start ? { sort: orders.old.name, key: start.created_at.getTime(), id: start.id } : null;
}

/** Loads comments with their authors, in the order of the ids, in one query. */
export async function loadComments(
  db: Db | Trx,
  ids: readonly string[],
  callerId: string | null,
): Promise<CommentRow[]> {
  if (ids.length === 0) return [];
  const rows: CommentRow[] = await commentsById(db, { ids, callerId });
  return inOrder(ids, rows);
}

const commentsById = compiledQuery(
  (db: Db, value: PlaceOf<{ ids: readonly string[]; callerId: string | null }>) =>
    db
      .selectFrom("comments as c")
      .innerJoin("users as u", "u.id", "c.author_id")
      .leftJoin("blocks as k", (join) =>
        join.on("k.user_id", "=", value("callerId")).onRef("k.blocked_id", "=", "c.author_id"),
      )
      .leftJoin("comment_votes as v", (join) =>
        join.onRef("v.comment_id", "=", "c.id").on("v.user_id", "=", value("callerId")),
      )
      .select([
        "c.id",
        "c.post_id",
        "c.parent_id",
        "c.author_id",
        "c.content",
        "c.upvote_count",
        "c.automated",
      ])
      .select("v.value as voted")
      .select(["c.created_at", "c.updated_at", "c.deleted_at", "c.deleted_by", "c.hidden_at"])
      .select(["u.nickname as author_nickname", "u.profile_image as author_image"])
      .select(authorOf("c.author_id", sql`a.comment_id = c.id`).as("anonymous"))
      .select(mentionsOf("c.post_id", "c.id").as("mentions"))
      .select(
        domainsShownBy("c.author_id", {
          topicId: sql`(select p.topic_id from posts p where p.id = c.post_id)`,
          writtenAt: sql.ref("c.created_at"),
        }).as("author_domains"),
      )
      .select(sql<boolean>`k.blocked_id is not null`.as("blocked"))
      .where(sql<boolean>`c.id = any(${value("ids")}::uuid[])`)
      .compile(),
);

/** Returns a comment as this reader sees it. A deleted one shows only its place and who deleted it. */
export function commentView(row: CommentRow, { post, viewer, callerId }: CommentReader): Comment {
  const isDeleted = row.deleted_at !== null;
  const isHidden = row.hidden_at !== null;
  const state = { deleted: isDeleted, hidden: isHidden, mine: row.author_id === callerId };
  const access = commentAccess(state, post, viewer);
  const { readBody } = access;
  return {
    id: row.id,
    postId: row.post_id,
    parentId: row.parent_id,
    authorId: isDeleted ? null : row.author_id,
    authorNickname: isDeleted ? null : row.author_nickname,
    authorProfileImage: isDeleted ? null : row.author_image,
    anonymous: isDeleted ? null : anonymousAuthorOf(row.anonymous),
    automated: !isDeleted && row.automated,
    authorDomains: isDeleted ? [] : [...row.author_domains],
    content: readBody ? row.content : "",
    mentions: readBody ? row.mentions.map(({ userId, nickname }) => ({ userId, nickname })) : [],
    upvoteCount: isDeleted ? 0 : row.upvote_count,
    userVoted: isDeleted ? null : row.voted,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    isDeleted,
    isHidden,
    isFolded: isFolded({ blocked: row.blocked, deleted: isDeleted }, viewer.role),
    deletedBy: row.deleted_by,
    abilities: allowedOf(ABILITIES.comment, access),
  };
}

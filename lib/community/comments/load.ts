import { sql } from "kysely";
import type { Comment } from "@/lib/contract";
import { commentAccess, type PostState } from "@/lib/policy/post";
import type { Viewer } from "@/lib/policy/verdict";
import type { Db, Trx } from "../context";
import { type Mention, mentionsOf } from "../mentions/load";
import { decodeCursor, inOrder, type KeyedId, pageOf } from "../paging";
import { domainsShownBy } from "../profile/shown-domains";

export interface CommentRow {
  readonly id: string;
  readonly post_id: string;
  readonly parent_id: string | null;
  readonly author_id: string;
  readonly author_nickname: string;
  readonly author_image: string | null;
  readonly author_domains: readonly string[];
  readonly content: string;
  readonly mentions: readonly Mention[];
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly deleted_at: Date | null;
  readonly deleted_by: "author" | "admin" | null;
  readonly hidden_at: Date | null;
}

/** Where comments stand and who reads them. */
export interface CommentReader {
  readonly post: PostState;
  readonly viewer: Viewer;
  readonly callerId: string | null;
}

const sort = "oldest";

/** One page of a post's comments, oldest first; deleted ones keep their place in their thread. */
export async function listComments(
  db: Db,
  reader: CommentReader & { readonly post: { readonly id: string } },
  page: { readonly limit: number; readonly cursor?: string },
): Promise<{ comments: Comment[]; nextCursor: string | null }> {
  const cursor = decodeCursor(page.cursor, { sort, kind: "time" });
  const ids = await sql<KeyedId>`
    select c.id, c.created_at as key from comments c where c.post_id = ${reader.post.id}
      ${cursor ? sql`and (c.created_at, c.id) > (${new Date(cursor.key)}, ${cursor.id})` : sql``}
    order by c.created_at, c.id limit ${page.limit + 1}`.execute(db);
  const cut = pageOf(ids.rows, { limit: page.limit, sort, cursor: page.cursor });
  const rows = await loadComments(db, cut.ids);
  return { comments: rows.map((row) => commentView(row, reader)), nextCursor: cut.nextCursor };
}

/** Comments with their authors, in the order of the ids, in one query. */
export async function loadComments(db: Db | Trx, ids: readonly string[]): Promise<CommentRow[]> {
  if (ids.length === 0) return [];
  const rows: CommentRow[] = await db
    .selectFrom("comments as c")
    .innerJoin("users as u", "u.id", "c.author_id")
    .select(["c.id", "c.post_id", "c.parent_id", "c.author_id", "c.content"])
    .select(["c.created_at", "c.updated_at", "c.deleted_at", "c.deleted_by", "c.hidden_at"])
    .select(["u.nickname as author_nickname", "u.profile_image as author_image"])
    .select(mentionsOf("c.post_id", "c.id").as("mentions"))
    .select(domainsShownBy("c.author_id").as("author_domains"))
    .where("c.id", "in", [...ids])
    .execute();
  return inOrder(ids, rows);
}

/** A comment as this reader sees it; of a deleted one only its place and who deleted it are left. */
export function commentView(row: CommentRow, { post, viewer, callerId }: CommentReader): Comment {
  const isDeleted = row.deleted_at !== null;
  const isHidden = row.hidden_at !== null;
  const state = { deleted: isDeleted, hidden: isHidden, mine: row.author_id === callerId };
  const { readBody } = commentAccess(state, post, viewer);
  return {
    id: row.id,
    postId: row.post_id,
    parentId: row.parent_id,
    authorId: isDeleted ? null : row.author_id,
    authorNickname: isDeleted ? null : row.author_nickname,
    authorProfileImage: isDeleted ? null : row.author_image,
    authorDomains: isDeleted ? [] : [...row.author_domains],
    content: readBody ? row.content : "",
    mentions: readBody ? row.mentions.map(({ userId, nickname }) => ({ userId, nickname })) : [],
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    isDeleted,
    isHidden,
    deletedBy: row.deleted_by,
  };
}

import type { Context } from "@/lib/context";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { postAccess } from "@/lib/policy/post";
import { topicAccess } from "@/lib/policy/topic";
import { commentView, loadComments } from "../comments/load";
import { decodeCursor, type KeyedId, pageOf } from "../paging";
import { loadPosts } from "../posts/load";
import { postView } from "../posts/view";
import { loadTopics } from "../topics/load";
import { topicView } from "../topics/view";
import { viewerOf } from "../viewer";
import { findComments, findPosts, findTopics, type Wanted } from "./find";
import { textQuery } from "./text";

type Input = HandlerInput<typeof contract.search.all>;
type Found = ResponseBody<typeof contract.search.all>;

/** Of each kind, where no kind was asked for. */
const few = 5;

/**
 * GET /api/search: what the caller may see and that has the words, best first. Without type the best few of each,
 * with type one kind, page by page.
 */
export async function search(ctx: Context, input: Input): Promise<Found> {
  const { type } = input;
  const sort = `search ${type ?? "all"}`;
  const cursor = decodeCursor(input.cursor, { sort, kind: "float" });
  const query = textQuery(input.q);
  const found: Found = { topics: [], posts: [], comments: [], nextCursor: null };
  if (query === null) return found;
  const limit = type ? input.limit : Math.min(input.limit, few);
  const wanted: Wanted = { query, cursor, rows: limit + 1, userId: ctx.caller?.userId ?? null };
  const cut = (rows: readonly KeyedId[]) => {
    const page = pageOf(rows, { limit, sort, cursor: input.cursor });
    if (type) found.nextCursor = page.nextCursor;
    return page.ids;
  };
  if (type === undefined || type === "topics") {
    found.topics = await readTopics(ctx, cut(await findTopics(ctx.db, wanted)));
  }
  if (type === undefined || type === "posts") {
    found.posts = await readPosts(ctx, cut(await findPosts(ctx.db, wanted)));
  }
  if (type === undefined || type === "comments") {
    found.comments = await readComments(ctx, cut(await findComments(ctx.db, wanted)));
  }
  return found;
}

async function readTopics({ caller, db }: Context, ids: readonly string[]): Promise<Found["topics"]> {
  const rows = await loadTopics(db, ids, caller?.userId ?? null);
  return rows
    .filter((row) => topicAccess(row, viewerOf(caller, row)).see === "allowed")
    .map((row) => ({
      ...topicView(row, caller),
      isMember: row.role !== null,
      currentUserRole: row.role,
    }));
}

async function readPosts({ caller, db, now }: Context, ids: readonly string[]): Promise<Found["posts"]> {
  const rows = await loadPosts(db, ids, caller?.userId ?? null);
  return rows
    .filter((row) => postAccess(row, viewerOf(caller, row)).read === "allowed")
    .map((row) => postView(row, caller, now()));
}

async function readComments({ caller, db }: Context, ids: readonly string[]): Promise<Found["comments"]> {
  const callerId = caller?.userId ?? null;
  const rows = await loadComments(db, ids);
  const posts = await loadPosts(db, [...new Set(rows.map((row) => row.post_id))], callerId);
  const byId = new Map(posts.map((post) => [post.id, post]));
  return rows.flatMap((row) => {
    const post = byId.get(row.post_id);
    const viewer = post && viewerOf(caller, post);
    if (!post || !viewer || postAccess(post, viewer).read !== "allowed") return [];
    return { ...commentView(row, { post, viewer, callerId }), postTitle: post.title };
  });
}

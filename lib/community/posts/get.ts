import type { Context } from "@/lib/context";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { assertAllowed } from "@/lib/policy/decision";
import { postAccess } from "@/lib/policy/post";
import { listComments } from "../comments/load";
import { viewerOf } from "../viewer";
import { loadPost } from "./load";
import { postView } from "./view";
import { countView } from "./view-counts";

/**
 * GET /api/posts/{postId}: a deleted post keeps its page and comments, without title and content.
 * @param isView false for reads that are not a view, such as prefetching
 */
export async function getPost(
  ctx: Context,
  input: HandlerInput<typeof contract.posts.get>,
  isView = true,
): Promise<ResponseBody<typeof contract.posts.get>> {
  const { caller, db } = ctx;
  const callerId = caller?.userId ?? null;
  const row = await loadPost(db, input.postId, callerId);
  const viewer = viewerOf(caller, row);
  assertAllowed(postAccess(row, viewer).read);
  const page = await listComments(db, { post: row, viewer, callerId }, input);
  const viewCount = isView ? await countView(ctx, row) : row.view_count;
  return { post: { ...postView(row, caller, ctx.now()), viewCount }, ...page };
}

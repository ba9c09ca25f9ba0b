import type { Handler } from "@/lib/context";
import type { contract } from "@/lib/contract";
import { authorizePost } from "../posts/load";
import { viewerOf } from "../viewer";
import { listComments } from "./load";

/**
 * GET /api/posts/{postId}/comments: a page of a post's comments, as its page shows them, without the post.
 * @throws Refusal post_not_found, not_a_member, reprove_required
 */
export const listCommentsUnder: Handler<typeof contract.comments.list> = async (
  { caller, db },
  { postId, ...page },
) => {
  const post = await authorizePost(db, postId, caller, "read");
  const reader = { post, viewer: viewerOf(caller, post), callerId: caller?.userId ?? null };
  const { comments, nextCursor } = await listComments(db, reader, page);
  return { comments, nextCursor };
};

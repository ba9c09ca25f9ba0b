import type { MemberContext } from "@/lib/context";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { assertAllowed } from "@/lib/policy/decision";
import { postAccess } from "@/lib/policy/post";
import { loadPost } from "../posts/load";
import { viewerOf } from "../viewer";

/** GET /api/posts/{postId}/bookmark */
export async function getBookmark(
  { caller, db }: MemberContext,
  { postId }: HandlerInput<typeof contract.posts.getBookmark>,
): Promise<ResponseBody<typeof contract.posts.getBookmark>> {
  const post = await loadPost(db, postId, caller.userId);
  assertAllowed(postAccess(post, viewerOf(caller, post)).read);
  return { bookmarked: post.bookmarked };
}

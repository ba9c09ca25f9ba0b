import type { Context } from "@/lib/context";
import type { contract, HandlerInput, ResponseBody } from "@/lib/contract";
import { assertAllowed } from "@/lib/policy/decision";
import { postAccess } from "@/lib/policy/post";
import { loadPost } from "../posts/load";
import { reactionsOf } from "../posts/view";
import { viewerOf } from "../viewer";

/** GET /api/posts/{postId}/reactions: those given, in the fixed order of the six; a guest reacted with none. */
export async function listReactions(
  { caller, db }: Context,
  { postId }: HandlerInput<typeof contract.posts.reactions>,
): Promise<ResponseBody<typeof contract.posts.reactions>> {
  const post = await loadPost(db, postId, caller?.userId ?? null);
  assertAllowed(postAccess(post, viewerOf(caller, post)).read);
  return { reactions: reactionsOf(post) };
}

import type { Context } from "@/lib/context";
import type { FoundComment } from "@/lib/contract/comments";
import { postAccess } from "@/lib/policy/post";
import { loadPosts } from "../posts/load";
import { viewerOf } from "../viewer";
import { commentView, loadComments } from "./load";

/** Returns those comments that the caller may read, each with its post's title, in the order of the ids. */
export async function readComments(
  { caller, db }: Pick<Context, "caller" | "db">,
  ids: readonly string[],
): Promise<FoundComment[]> {
  const callerId = caller?.userId ?? null;
  const rows = await loadComments(db, ids, callerId);
  const posts = await loadPosts(db, [...new Set(rows.map((row) => row.post_id))], callerId);
  const byId = new Map(posts.map((post) => [post.id, post]));
  return rows.flatMap((row) => {
    const post = byId.get(row.post_id);
    const viewer = post && viewerOf(caller, post);
    if (!post || !viewer || postAccess(post, viewer).read !== "allowed") return [];
    const place = { topicId: post.topic_id, postTitle: post.title };
    return { ...commentView(row, { post, viewer, callerId }), ...place };
  });
}

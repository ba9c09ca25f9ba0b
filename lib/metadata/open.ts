import type { Db } from "@/db/schema";
import type { Visibility } from "@/db/schema/community";
import { loadPost } from "@/lib/community/posts/load";
import { postView } from "@/lib/community/posts/view";
import { loadTopic } from "@/lib/community/topics/load";
import { topicView } from "@/lib/community/topics/view";
import { viewerOf } from "@/lib/community/viewer";
import type { Context } from "@/lib/context";
import type { Post, Topic } from "@/lib/contract";
import { isRefusal } from "@/lib/errors";
import { type PostState, postAccess } from "@/lib/policy/post";
import { topicAccess } from "@/lib/policy/topic";

/**
 * What search engines, feed readers and link previews may be told: exactly what the policies let a guest read. Sitemap,
 * feeds, cards and the `robots` of pages all ask here.
 */
const guest = viewerOf(null, { role: null, muted: false });

/** Whether anybody may read this topic's posts. A private topic is listed with its title, and still is not open. */
export function isOpenTopic(topic: { readonly visibility: Visibility }): boolean {
  return topicAccess(topic, guest).readContent === "allowed";
}

/** Whether anybody may read this post: of an open topic, neither deleted nor hidden. */
export function isOpenPost(post: Omit<PostState, "mine">): boolean {
  const { read, readBody } = postAccess({ ...post, mine: false }, guest);
  return read === "allowed" && readBody;
}

/** An open topic as a guest sees it; null for any other id, whatever stands behind it. */
export async function openTopic({ db }: { readonly db: Db }, topicId: string): Promise<Topic | null> {
  const row = await found(() => loadTopic(db, topicId, null));
  return row && isOpenTopic(row) ? topicView(row, null) : null;
}

/** An open post as a guest sees it, and not counted as a view; null for any other id. */
export async function openPost(ctx: Pick<Context, "db" | "now">, postId: string): Promise<Post | null> {
  const row = await found(() => loadPost(ctx.db, postId, null));
  return row && isOpenPost(row) ? postView(row, null, ctx.now()) : null;
}

async function found<Row>(load: () => Promise<Row>): Promise<Row | null> {
  try {
    return await load();
  } catch (error) {
    if (isRefusal(error)) return null;
    throw error;
  }
}

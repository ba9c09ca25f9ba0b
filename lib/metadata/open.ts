import type { Db } from "@/db/schema";
import type { Visibility } from "@/db/schema/community";
import { loadPost } from "@/lib/community/posts/load";
import { postView } from "@/lib/community/posts/view";
import { loadTopic, topicView } from "@/lib/community/topics/load";
import { viewerOf } from "@/lib/community/viewer";
import type { Context } from "@/lib/context";
import type { Post, Topic } from "@/lib/contract";
import { isRefusal } from "@/lib/errors";
import { type PostState, postAccess } from "@/lib/policy/post";
import { topicAccess } from "@/lib/policy/topic";

/** Search engines, feeds and link previews get exactly what the policies let a guest read. */
const guest = viewerOf(null, { role: null, muted: false, reprove_by: null });

/** Returns whether anyone may read this topic's posts. A private topic is listed by title, but is not open. */
export function isOpenTopic(topic: { readonly visibility: Visibility }): boolean {
  return topicAccess(topic, guest).readContent === "allowed";
}

/** Returns whether anyone may read this post: it is in an open topic and neither deleted nor hidden. */
export function isOpenPost(post: Omit<PostState, "mine">): boolean {
  const { read, readBody } = postAccess({ ...post, mine: false }, guest);
  return read === "allowed" && readBody;
}

/** Returns an open topic as a guest sees it; null for any other id. */
export async function openTopic({ db }: { readonly db: Db }, topicId: string): Promise<Topic | null> {
  const row = await found(() => loadTopic(db, topicId, null));
  return row && isOpenTopic(row) ? topicView(row, null) : null;
}

/** Returns an open post as a guest sees it, without counting a view; null for any other id. */
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

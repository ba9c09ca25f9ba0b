import type { Visibility } from "@/db/schema/community";
import { topicAccess } from "./topic";
import type { Verdict, Viewer } from "./verdict";

export interface PostAccess {
  /** The post's page and its comments. A deleted post keeps its page, without title and content. */
  readonly read: Verdict;
  /** Comment, vote, react and whatever else changes something under the post. */
  readonly write: Verdict;
}

/** What a caller may do with a post: what its topic allows, and nothing is written under a deleted one. */
export function postAccess(
  post: { readonly visibility: Visibility; readonly deleted: boolean },
  viewer: Viewer,
): PostAccess {
  const topic = topicAccess(post, viewer);
  // The answer must be that of a post that does not exist, whichever way its topic is hidden.
  const read = topic.readContent === "topic_not_found" ? "post_not_found" : topic.readContent;
  const write = post.deleted && viewer.signedIn ? "post_not_found" : topic.write;
  return { read, write };
}

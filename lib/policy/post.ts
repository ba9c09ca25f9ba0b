import type { Visibility } from "@/db/schema/community";
import { topicAccess } from "./topic";
import { isStaff, type Verdict, type Viewer } from "./verdict";

/** What the rules ask of a post. */
export interface PostState {
  /** Of its topic. */
  readonly visibility: Visibility;
  readonly deleted: boolean;
  /** Hidden by the topic's staff. */
  readonly hidden: boolean;
  /** The viewer wrote it. */
  readonly mine: boolean;
}

export interface PostAccess {
  /** The post's page and its comments. A deleted post keeps its page, without title and content. */
  readonly read: Verdict;
  /** Title, content and media too; false leaves the page without them. */
  readonly readBody: boolean;
  /** Comment, vote, react and whatever else changes something under the post. */
  readonly write: Verdict;
  /** Record it on-chain: whoever may write under it and did not write it. */
  readonly record: Verdict;
  /** Bookmark it: for oneself, so a mute does not matter. */
  readonly keep: Verdict;
  /** Report it to the staff. */
  readonly report: Verdict;
  /** Change its text: the author while they may write, or a global admin. */
  readonly edit: Verdict;
  /** Delete it: the author wherever they are, the topic's staff, a global admin. */
  readonly remove: Verdict;
  /** Hide it and show it again: the topic's staff. */
  readonly moderate: Verdict;
  /** Pin it and take it down: the topic's staff, while the post is shown. */
  readonly pin: Verdict;
}

/** What a caller may do with a post: what its topic allows, and nothing is written under a deleted or hidden one. */
export function postAccess(post: PostState, viewer: Viewer): PostAccess {
  const topic = topicAccess(post, viewer);
  // The answer must be that of a post that does not exist, whichever way its topic is hidden.
  const read = topic.readContent === "topic_not_found" ? "post_not_found" : topic.readContent;
  const readBody = !post.deleted && (!post.hidden || post.mine || isStaff(viewer.role));
  const live = (verdict: Verdict): Verdict => (post.deleted && viewer.signedIn ? "post_not_found" : verdict);
  const shown = (verdict: Verdict): Verdict =>
    live(post.hidden && verdict === "allowed" ? "post_hidden" : verdict);
  const others = viewer.role ? "not_the_author" : topic.inside;
  return {
    read,
    readBody,
    write: shown(topic.write),
    record: post.mine && viewer.role ? live("record_own_post") : shown(topic.write),
    keep: live(topic.inside),
    report: live(topic.inside),
    edit: live(viewer.isAdmin ? "allowed" : post.mine ? shown(topic.write) : others),
    remove: live(post.mine || viewer.isAdmin ? signedIn(viewer) : topic.moderate),
    moderate: live(topic.moderate),
    pin: shown(topic.moderate),
  };
}

/** What the rules ask of a comment, besides its post. */
export interface CommentState {
  readonly deleted: boolean;
  readonly hidden: boolean;
  readonly mine: boolean;
}

export interface CommentAccess {
  readonly readBody: boolean;
  readonly report: Verdict;
  /** Change its text: the author while they may write under the post. */
  readonly edit: Verdict;
  /** Delete it: the author wherever they are, the topic's staff, a global admin. */
  readonly remove: Verdict;
  readonly moderate: Verdict;
}

/** What a caller may do with a comment of a post. A comment under a deleted post is as good as gone for writes. */
export function commentAccess(comment: CommentState, post: PostState, viewer: Viewer): CommentAccess {
  const under = postAccess(post, viewer);
  const topic = topicAccess(post, viewer);
  const live = (verdict: Verdict): Verdict => {
    if ((comment.deleted || verdict === "post_not_found") && viewer.signedIn) return "comment_not_found";
    return verdict;
  };
  const others = viewer.role ? "not_the_author" : topic.inside;
  return {
    readBody: !comment.deleted && (!comment.hidden || comment.mine || isStaff(viewer.role)),
    report: live(under.report),
    edit: live(comment.mine ? under.write : others),
    // What somebody wrote they may take back, under a deleted post too.
    remove: live(comment.mine || viewer.isAdmin ? signedIn(viewer) : topic.moderate),
    moderate: live(topic.moderate),
  };
}

function signedIn(viewer: Viewer): Verdict {
  return viewer.signedIn ? "allowed" : "not_authenticated";
}

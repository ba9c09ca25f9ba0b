import type { Visibility } from "@/db/schema/community";
import type { Decision, Viewer } from "./decision";
import { topicAccess } from "./topic";

/** What the rules need to know of a post. */
export interface PostState {
  /** Visibility of its topic. */
  readonly visibility: Visibility;
  readonly deleted: boolean;
  /** Whether the topic's staff hid it. */
  readonly hidden: boolean;
  /** Whether the viewer wrote it. */
  readonly mine: boolean;
}

export interface PostAccess {
  /** Read the post's page and its comments. A deleted post keeps its page, without title and content. */
  readonly read: Decision;
  /** Whether the page shows title, content and media. */
  readonly readBody: boolean;
  /** Comment, vote, react, or change anything else under the post. */
  readonly write: Decision;
  /** Record it on-chain: anyone who may write under it, except its author. */
  readonly record: Decision;
  /** Bookmark it, and keep how far one has read its comments. Nobody else sees that, so a mute does not matter. */
  readonly bookmark: Decision;
  /** Report it: anyone signed in who may read it. */
  readonly report: Decision;
  /** Change its text: the author while they may write, or an operator. */
  readonly edit: Decision;
  /** Delete it: the author, as a member or not, the topic's staff, or an operator. */
  readonly delete: Decision;
  /** Hide it and show it again: the topic's staff, or an operator. */
  readonly hide: Decision;
  /** Pin and unpin it: the topic's staff, unless the post is hidden. */
  readonly pin: Decision;
}

/** Decides what a caller may do with a post: what its topic allows, except writing under a deleted or hidden post. */
export function postAccess(post: PostState, viewer: Viewer): PostAccess {
  const topic = topicAccess(post, viewer);
  // Must equal the answer for a post that does not exist, however its topic is hidden.
  const read = topic.readContent === "topic_not_found" ? "post_not_found" : topic.readContent;
  const readBody = !post.deleted && (!post.hidden || post.mine || topic.moderate === "allowed");
  const live = (decision: Decision): Decision =>
    post.deleted && viewer.signedIn ? "post_not_found" : decision;
  const shown = (decision: Decision): Decision =>
    live(post.hidden && decision === "allowed" ? "post_hidden" : decision);
  const others = viewer.role ? "not_the_author" : topic.inside;
  return {
    read,
    readBody,
    write: shown(topic.write),
    record: post.mine && viewer.role ? live("record_own_post") : shown(topic.write),
    bookmark: live(topic.inside),
    report: live(viewer.signedIn ? read : "not_authenticated"),
    edit: live(viewer.isAdmin ? "allowed" : post.mine ? shown(topic.write) : others),
    delete: live(post.mine || viewer.isAdmin ? signedIn(viewer) : topic.moderate),
    hide: live(viewer.isAdmin ? signedIn(viewer) : topic.moderate),
    pin: shown(topic.moderate),
  };
}

/** What the rules need to know of a comment, besides its post. */
export interface CommentState {
  readonly deleted: boolean;
  readonly hidden: boolean;
  readonly mine: boolean;
}

export interface CommentAccess {
  readonly readBody: boolean;
  /** Vote on it: who may write under the post and reads its text. */
  readonly vote: Decision;
  readonly report: Decision;
  /** Change its text: the author while they may write under the post. */
  readonly edit: Decision;
  /** Delete it: the author, as a member or not, the topic's staff, or an operator. */
  readonly delete: Decision;
  /** Hide it and show it again: the topic's staff, or an operator. */
  readonly hide: Decision;
}

/** Decides what a caller may do with a comment. For writes, a comment under a deleted post does not exist. */
export function commentAccess(comment: CommentState, post: PostState, viewer: Viewer): CommentAccess {
  const under = postAccess(post, viewer);
  const topic = topicAccess(post, viewer);
  const live = (decision: Decision): Decision => {
    if ((comment.deleted || decision === "post_not_found") && viewer.signedIn) return "comment_not_found";
    return decision;
  };
  const others = viewer.role ? "not_the_author" : topic.inside;
  const readBody = !comment.deleted && (!comment.hidden || comment.mine || topic.moderate === "allowed");
  return {
    readBody,
    vote: live(readBody || under.write !== "allowed" ? under.write : "comment_not_found"),
    report: live(under.report),
    edit: live(comment.mine ? under.write : others),
    // Authors may delete their comments under a deleted post too.
    delete: live(comment.mine || viewer.isAdmin ? signedIn(viewer) : topic.moderate),
    hide: live(viewer.isAdmin ? signedIn(viewer) : topic.moderate),
  };
}

function signedIn(viewer: Viewer): Decision {
  return viewer.signedIn ? "allowed" : "not_authenticated";
}

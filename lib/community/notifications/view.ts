import type { Notification, NotificationKind } from "@/lib/contract";
import { shorten } from "@/lib/html";
import { readerWith } from "@/lib/policy/decision";
import { commentAccess, postAccess } from "@/lib/policy/post";
import { topicAccess } from "@/lib/policy/topic";
import type { NotificationRow } from "./load";

/** Characters of an excerpt. */
const excerptLength = 140;

/** Who did this is the topic's staff as such, or (of reports) the staff's to look up. */
const withoutActor: ReadonlySet<NotificationKind> = new Set([
  "join_approved",
  "join_rejected",
  "report_opened",
  "post_hidden",
  "post_shown",
  "post_removed",
  "comment_hidden",
  "comment_shown",
  "comment_removed",
  "member_removed",
  "member_muted",
  "member_unmuted",
  "member_banned",
  "member_unbanned",
]);

/** A notification as its reader may see it now: what was hidden, deleted or closed to them since is not in it. */
export function notificationView(row: NotificationRow): Notification {
  const seen = contentOf(row);
  // A deleted comment names its author nowhere.
  const actorKnown = row.actor_id !== null && !withoutActor.has(row.kind) && !row.comment_deleted;
  return {
    id: row.id,
    kind: row.kind,
    createdAt: row.created_at.toISOString(),
    isRead: row.read_at !== null,
    actor:
      actorKnown && row.actor_id !== null
        ? { userId: row.actor_id, nickname: row.actor_nickname, profileImage: row.actor_image }
        : null,
    topicId: row.topic_id,
    topicTitle: seen.topicTitle,
    postId: row.post_id,
    postTitle: seen.postTitle,
    commentId: row.comment_id,
    excerpt: seen.excerpt === null ? null : shorten(seen.excerpt.replace(/\s+/gu, " ").trim(), excerptLength),
    reason: row.reason,
    details: row.details,
  };
}

interface Content {
  readonly topicTitle: string | null;
  readonly postTitle: string | null;
  readonly excerpt: string | null;
}

/** Title and words, as far as the policies let this reader have them. */
function contentOf(row: NotificationRow): Content {
  if (row.topic_id === null) return { topicTitle: null, postTitle: null, excerpt: null };
  const viewer = readerWith(row.role);
  const topic = topicAccess(row, viewer);
  const topicTitle = topic.see === "allowed" ? row.topic_title : null;
  if (row.post_id === null) {
    return { topicTitle, postTitle: null, excerpt: topic.readChat === "allowed" ? row.message : null };
  }
  const post = {
    visibility: row.visibility,
    deleted: row.post_deleted,
    hidden: row.post_hidden,
    mine: row.post_mine,
  };
  const { read, readBody } = postAccess(post, viewer);
  const mayRead = read === "allowed";
  const postTitle = mayRead && readBody ? row.post_title : null;
  if (row.comment_id === null)
    return { topicTitle, postTitle, excerpt: postTitle === null ? null : row.summary };
  const comment = { deleted: row.comment_deleted, hidden: row.comment_hidden, mine: row.comment_mine };
  const commentShown = mayRead && commentAccess(comment, post, viewer).readBody;
  return { topicTitle, postTitle, excerpt: commentShown ? row.comment_text : null };
}

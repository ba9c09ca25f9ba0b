import { commentPlace } from "@/lib/client/places";
import type { Notification, NotificationKind } from "@/lib/contract";

const topic = ({ topicId, topicTitle }: Notification) =>
  topicId && topicTitle ? `/topics/${topicId}` : null;
/** A part of the topic that has a page of its own. */
const part =
  (name: "requests" | "reports") =>
  (n: Notification): string | null => {
    const home = topic(n);
    return home && `${home}/${name}`;
  };
const chat = (n: Notification) => (topic(n) ? `/topics/${n.topicId}/chat` : null);
/** The post, at the comment it is about; the topic where the reader may not have the post. */
const post = (n: Notification) =>
  n.postId && n.topicTitle !== null ? commentPlace(n.postId, n.commentId) : topic(n);

const places: Readonly<Record<NotificationKind, (n: Notification) => string | null>> = {
  reply: post,
  mention: post,
  chat_mention: chat,
  join_request: part("requests"),
  join_approved: topic,
  join_rejected: topic,
  role_changed: topic,
  ownership_received: topic,
  post_recorded: post,
  report_opened: part("reports"),
  post_hidden: post,
  post_shown: post,
  post_removed: topic,
  comment_hidden: post,
  comment_shown: post,
  comment_removed: post,
  member_removed: topic,
  member_muted: topic,
  member_unmuted: topic,
  member_banned: topic,
  member_unbanned: topic,
};

/** Where an alert leads; null where there is nothing (left) to see. */
export function placeOf(notification: Notification): string | null {
  return places[notification.kind](notification);
}

import { nameOf } from "@/components/ui/member-name";
import { commentPlace } from "@/lib/client/places";
import type { Notification, NotificationKind } from "@/lib/contract";
import type { Words } from "@/lib/i18n/words";

const topic = ({ topicId, topicTitle }: Notification) =>
  topicId && topicTitle ? `/topics/${topicId}` : null;
/** A tab of the topic. */
const part =
  (name: "requests" | "reports") =>
  (n: Notification): string | null => {
    const home = topic(n);
    return home && `${home}/${name}`;
  };
const chat = (n: Notification) => (topic(n) ? `/topics/${n.topicId}/chat` : null);
/** The post, at the comment; the topic where the reader may not see the post. */
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

/** Returns the path a notification links to; null where there is nothing to see. */
export function placeOf(notification: Notification): string | null {
  return places[notification.kind](notification);
}

/** Describes a notification in one sentence. */
export function sentenceOf({ t }: Words, notification: Notification): string {
  const { actor, postTitle, topicTitle, details } = notification;
  const titled = (title: string) => t("alerts.titled", { title });
  return t(`alerts.sentences.${notification.kind}`, {
    who: actor ? nameOf({ t }, actor.nickname) : t("alerts.someone"),
    post: postTitle ? titled(postTitle) : t("alerts.aPost"),
    yourPost: postTitle ? t("alerts.yourPostTitled", { title: postTitle }) : t("alerts.yourPost"),
    topic: topicTitle ? titled(topicTitle) : t("alerts.aTopic"),
    where: notification.commentId ? "comment" : "post",
    to: details.to ?? "",
    role: details.role ?? "",
  });
}

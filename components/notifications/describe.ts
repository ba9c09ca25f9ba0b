import {
  AtSign,
  BadgeCheck,
  BellRing,
  CalendarClock,
  DoorOpen,
  Flag,
  Inbox,
  Link2,
  type LucideIcon,
  MessageSquare,
  MessagesSquare,
  ShieldAlert,
  UserRoundCog,
} from "lucide-react";
import { nameOf } from "@/components/ui/member-name";
import { commentPlace } from "@/lib/client/places";
import type { Notification, NotificationKind } from "@/lib/contract";
import type { Words } from "@/lib/i18n/words";

const topic = ({ topicId, topicTitle }: Notification) =>
  topicId && topicTitle ? `/topics/${topicId}` : null;
/** A tab of the topic. */
const part =
  (name: "requests" | "reports" | "members") =>
  (n: Notification): string | null => {
    const home = topic(n);
    return home && `${home}/${name}`;
  };
const chat = (n: Notification) => (topic(n) ? `/topics/${n.topicId}/chat` : null);
/** The post, at the comment; the topic where the reader may not see the post. */
const post = (n: Notification) =>
  n.postId && n.topicTitle !== null ? commentPlace(n.postId, n.commentId) : topic(n);

/** The post, or the chat where it is about a message. */
const text = (n: Notification) => (n.details.messageId ? chat(n) : post(n));

const nowhere = () => null;
const joinPage = (n: Notification) => (topic(n) ? `/topics/${n.topicId}/join` : null);

/** The icon of every kind, and what a notification links to. */
const kinds: Readonly<
  Record<NotificationKind, readonly [icon: LucideIcon, place: (n: Notification) => string | null]>
> = {
  reply: [MessageSquare, post],
  mention: [AtSign, post],
  chat_mention: [MessagesSquare, chat],
  chat_reply: [MessagesSquare, chat],
  join_request: [DoorOpen, part("requests")],
  proof_due: [BadgeCheck, joinPage],
  proof_lapsed: [BadgeCheck, joinPage],
  digest: [Inbox, () => "/"],
  scheduled_refused: [CalendarClock, () => "/scheduled"],
  content_held: [ShieldAlert, text],
  review_opened: [Flag, text],
  join_approved: [DoorOpen, topic],
  join_rejected: [DoorOpen, topic],
  role_changed: [UserRoundCog, topic],
  ownership_received: [UserRoundCog, topic],
  ownership_offered: [UserRoundCog, part("members")],
  ownership_accepted: [UserRoundCog, topic],
  ownership_declined: [UserRoundCog, part("members")],
  ownership_inherited: [UserRoundCog, topic],
  post_recorded: [Link2, post],
  watched_topic: [BellRing, post],
  watched_thread: [BellRing, post],
  report_opened: [Flag, part("reports")],
  desk_report_opened: [Flag, () => "/desk"],
  files_taken_down: [ShieldAlert, nowhere],
  post_hidden: [ShieldAlert, post],
  post_shown: [ShieldAlert, post],
  post_removed: [ShieldAlert, topic],
  comment_hidden: [ShieldAlert, post],
  comment_shown: [ShieldAlert, post],
  comment_removed: [ShieldAlert, post],
  topic_removed: [ShieldAlert, nowhere],
  operator_granted: [UserRoundCog, nowhere],
  operator_taken: [UserRoundCog, nowhere],
  account_silenced: [ShieldAlert, nowhere],
  account_unsilenced: [ShieldAlert, nowhere],
  account_suspended: [ShieldAlert, nowhere],
  account_unsuspended: [ShieldAlert, nowhere],
  sessions_ended: [ShieldAlert, nowhere],
  nickname_reset: [ShieldAlert, nowhere],
  image_removed: [ShieldAlert, nowhere],
  topic_frozen: [ShieldAlert, topic],
  topic_unfrozen: [ShieldAlert, topic],
  ownership_given: [UserRoundCog, topic],
  ownership_taken: [UserRoundCog, topic],
  message_hidden: [ShieldAlert, chat],
  message_shown: [ShieldAlert, chat],
  message_removed: [ShieldAlert, chat],
  member_removed: [ShieldAlert, topic],
  member_muted: [ShieldAlert, topic],
  member_unmuted: [ShieldAlert, topic],
  member_banned: [ShieldAlert, topic],
  member_unbanned: [ShieldAlert, topic],
};

/** Returns the path a notification links to; null where there is nothing to see. */
export function placeOf(notification: Notification): string | null {
  const [, place] = kinds[notification.kind];
  return place(notification);
}

/** Returns the icon of its kind. */
export function iconOf({ kind }: Notification): LucideIcon {
  return kinds[kind][0];
}

/** Describes a notification in one sentence. */
export function sentenceOf({ t }: Words, notification: Notification): string {
  const { actor, postTitle, topicTitle, details } = notification;
  // A deleted topic is known only by what the notification says.
  const title = topicTitle ?? details.title;
  const titled = (title: string) => t("alerts.titled", { title });
  return t(`alerts.sentences.${notification.kind}`, {
    who: actor ? nameOf({ t }, actor.nickname) : t("alerts.someone"),
    post: postTitle ? titled(postTitle) : t("alerts.aPost"),
    yourPost: postTitle ? t("alerts.yourPostTitled", { title: postTitle }) : t("alerts.yourPost"),
    topic: title ? titled(title) : t("alerts.aTopic"),
    by: details.by ?? "staff",
    where: notification.commentId ? "comment" : notification.postId ? "post" : "message",
    to: details.to ?? "",
    role: details.role ?? "",
    n: Number(details.files ?? details.count ?? 1),
    hidden: Number(details.hidden ?? 0),
  });
}

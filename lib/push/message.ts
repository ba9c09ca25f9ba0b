import { createHash } from "node:crypto";
import type { NotificationKind } from "@/lib/contract";

/** What a notification is about, as far as a push says it. */
export interface Pushed {
  readonly kind: NotificationKind;
  readonly topicId: string | null;
  readonly postId: string | null;
  readonly commentId: string | null;
}

/** What the service worker shows. Anybody who sees the screen reads it: no name, no title and no word of a text. */
export interface PushPayload {
  readonly kind: NotificationKind;
  readonly title: string;
  readonly body: string;
  /** A path of this site. */
  readonly url: string;
  /** A later message with the same tag takes the place of an earlier one. */
  readonly tag: string;
}

const sentences: Record<NotificationKind, string> = {
  reply: "Somebody replied to you.",
  mention: "You were mentioned.",
  chat_mention: "You were mentioned in a chat.",
  join_request: "Somebody asks to join a topic of yours.",
  join_approved: "Your request to join was approved.",
  join_rejected: "Your request to join was answered.",
  role_changed: "Your role in a topic changed.",
  ownership_received: "You are the owner of a topic now.",
  post_recorded: "A post of yours was recorded.",
  report_opened: "Something was reported in a topic of yours.",
  post_hidden: "A topic's staff decided about a post of yours.",
  post_shown: "A topic's staff decided about a post of yours.",
  post_removed: "A topic's staff decided about a post of yours.",
  comment_hidden: "A topic's staff decided about a comment of yours.",
  comment_shown: "A topic's staff decided about a comment of yours.",
  comment_removed: "A topic's staff decided about a comment of yours.",
  member_removed: "Your membership of a topic changed.",
  member_muted: "Your membership of a topic changed.",
  member_unmuted: "Your membership of a topic changed.",
  member_banned: "Your membership of a topic changed.",
  member_unbanned: "Your membership of a topic changed.",
};

/** What is pushed of a notification. */
export function payloadOf({ kind, topicId, postId, commentId }: Pushed): PushPayload {
  return {
    kind,
    title: "Parley",
    body: sentences[kind],
    url: urlOf({ kind, topicId, postId, commentId }),
    tag: `${kind}:${postId ?? topicId ?? ""}`,
  };
}

function urlOf({ kind, topicId, postId, commentId }: Pushed): string {
  if (kind === "chat_mention" && topicId) return `/topics/${topicId}/chat`;
  if (!postId) return "/alerts";
  return commentId ? `/posts/${postId}#comment-${commentId}` : `/posts/${postId}`;
}

/** Every payload is made this long, so that its length does not tell a push service what it says. */
const paddedLength = 512;

/** The payload as it is encrypted: JSON, with spaces after it. */
export function payloadText(payload: PushPayload): string {
  return JSON.stringify(payload).padEnd(paddedLength);
}

/**
 * What a push service knows a tag by (RFC 8030, 5.4: 32 characters of base64url): of the same tag, another one for each
 * subscription, so that it links nobody.
 */
export function pushTopicOf(subscriptionId: string, tag: string): string {
  const hash = createHash("sha256").update(`${subscriptionId}\0${tag}`).digest();
  return hash.subarray(0, 24).toString("base64url");
}

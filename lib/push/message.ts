import { createHash } from "node:crypto";
import { commentPlace } from "@/lib/client/places";
import type { NotificationKind } from "@/lib/contract";
import { t } from "@/lib/i18n/english";

/** What a notification is about, as far as a push says it. */
export interface Pushed {
  readonly kind: NotificationKind;
  readonly topicId: string | null;
  readonly postId: string | null;
  readonly commentId: string | null;
}

/**
 * What the service worker shows. Anybody who sees the screen reads it: no name, no title and no word of a text. Where it
 * knows the kind, it says it in its reader's language instead.
 */
export interface PushPayload {
  readonly kind: NotificationKind;
  readonly title: string;
  readonly body: string;
  /** A path of this site. */
  readonly url: string;
  /** A later message with the same tag takes the place of an earlier one. */
  readonly tag: string;
}

/** What is pushed of a notification. */
export function payloadOf({ kind, topicId, postId, commentId }: Pushed): PushPayload {
  return {
    kind,
    title: "Parley",
    body: t(`pushed.${kind}`),
    url: urlOf({ kind, topicId, postId, commentId }),
    tag: `${kind}:${postId ?? topicId ?? ""}`,
  };
}

function urlOf({ kind, topicId, postId, commentId }: Pushed): string {
  if (kind === "chat_mention" && topicId) return `/topics/${topicId}/chat`;
  return postId ? commentPlace(postId, commentId) : "/alerts";
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

import type { Visibility } from "@/db/schema/community";
import type { Role } from "@/lib/contract/common";
import {
  conversationKinds,
  decisionKinds,
  type NotificationKind,
  type NotificationLevel,
} from "@/lib/contract/notification-kinds";
import { readerWith } from "./decision";
import type { ProofState } from "./freshness";
import { topicAccess } from "./topic";

/** What the rule needs to know of a recipient of one kind. */
export interface RecipientState {
  /** Visibility of the topic; null for what is about an account. */
  readonly visibility: Visibility | null;
  /** The recipient's role there. */
  readonly role: Role | null;
  /** Whether their membership counts, in a topic that asks members to prove again. */
  readonly proof: ProofState;
  /** Whether the recipient blocked the user who acted. */
  readonly blocked: boolean;
  /** Whether the recipient muted the topic. */
  readonly topicMuted: boolean;
  /** Whether the recipient muted the comments of the post. */
  readonly threadMuted: boolean;
  /** What of the topic the recipient wants. */
  readonly level: NotificationLevel;
  /** Whether the recipient wants this kind in the app, */
  readonly inApp: boolean;
  /** and by push. */
  readonly push: boolean;
}

/** Where a notification goes. There is no push message without a notification in the app. */
export interface Delivery {
  readonly inApp: boolean;
  readonly push: boolean;
}

/** Kinds that reach users who cannot see the topic, or no longer can. */
const FOR_NON_MEMBERS: ReadonlySet<NotificationKind> = new Set([
  "proof_due",
  "proof_lapsed",
  "join_rejected",
  "member_removed",
  "member_banned",
  "member_unbanned",
]);
/** Kinds of a topic of which only mentions are wanted; a thread in it may still be watched. */
const MENTIONS: ReadonlySet<NotificationKind> = new Set(["mention", "chat_mention", "watched_thread"]);
const conversation: ReadonlySet<NotificationKind> = new Set(conversationKinds);
const decisions: ReadonlySet<NotificationKind> = new Set(decisionKinds);

/**
 * Decides whether a notification of this kind reaches its recipient, and where. Decisions about the recipient always
 * reach them in the app, so that nobody misses why they were banned; everything else as they chose.
 */
export function deliveryOf(kind: NotificationKind, recipient: RecipientState): Delivery {
  const isWanted = !recipient.topicMuted && isInLevel(kind, recipient.level);
  const isRequired = decisions.has(kind);
  const inApp =
    mayReceive(kind, recipient) &&
    !((recipient.blocked || recipient.threadMuted) && conversation.has(kind)) &&
    (isRequired || (recipient.inApp && isWanted));
  return { inApp, push: inApp && recipient.push && isWanted };
}

function isInLevel(kind: NotificationKind, level: NotificationLevel): boolean {
  if (level === "watch" || level === "all") return true;
  return level === "mentions" && (MENTIONS.has(kind) || decisions.has(kind));
}

function mayReceive(kind: NotificationKind, { visibility, role, proof }: RecipientState): boolean {
  if (visibility === null || FOR_NON_MEMBERS.has(kind)) return true;
  return topicAccess({ visibility }, readerWith(role, proof)).readContent === "allowed";
}

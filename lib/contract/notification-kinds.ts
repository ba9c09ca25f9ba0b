import { accountActions, fileActions, roleActions, topicActions } from "./desk-actions";

/**
 * The kinds of notifications. This file imports no schemas, so a component that needs them does not load those.
 */

/** What other members do with the reader or their content. A block of the actor keeps these away. */
export const conversationKinds = [
  /** Someone commented on the reader's post or replied to their comment. */
  "reply",
  /** Someone mentioned the reader as @nickname in a post or comment. */
  "mention",
  "chat_mention",
  /** Someone answered the reader's chat message. */
  "chat_reply",
  /** Someone recorded the reader's post on-chain. */
  "post_recorded",
  /** Someone posted in a topic that the reader watches. */
  "watched_topic",
  /** Someone commented under a post that the reader watches. */
  "watched_thread",
] as const;

/** What waits for the staff of a topic or of the site, whoever caused it. */
export const staffKinds = [
  /** Someone asks to join. */
  "join_request",
  /** Someone reported a post or comment. */
  "report_opened",
  /** A post or comment waits for review. */
  "review_opened",
  /** To operators and reviewers: a report waits at their desk; `details.kind` and `details.reason` say of what. */
  "desk_report_opened",
] as const;

/** What the reader asked to be told. */
export const ownKinds = [
  /** Something is new in the reader's topics since they were there; `details.count` says how much. */
  "digest",
  /** A post of the reader's was refused at its time; `details.problem` says why, `details.title` which. */
  "scheduled_refused",
] as const;

/** What was decided about the reader or their content. These always arrive. */
export const decisionKinds = [
  /** The topic asks its members to prove again, soon or now. */
  "proof_due",
  "proof_lapsed",
  /** The reader's post or comment waits for review. */
  "content_held",
  "join_approved",
  "join_rejected",
  "role_changed",
  "ownership_received",
  /** The owner offers the topic to the reader. */
  "ownership_offered",
  /** The member to whom the reader offered a topic is its owner now, or declined. */
  "ownership_accepted",
  "ownership_declined",
  /** The reader is the owner now because the owner's account was suspended. */
  "ownership_inherited",
  "post_hidden",
  "post_shown",
  "post_removed",
  "comment_hidden",
  "comment_shown",
  "comment_removed",
  "message_hidden",
  "message_shown",
  "message_removed",
  /** An operator deleted the reader's topic; `details.title` names it. */
  "topic_removed",
  /** The reader is an operator or reviewer now (`details.role`), or no longer. */
  ...roleActions,
  /** What an operator did to the reader's account. */
  ...accountActions,
  /** To the owner: an operator froze the topic, or ended that. */
  ...topicActions,
  /** Operators took images down that the reader uploaded; `details.files` says how many. */
  ...fileActions,
  /** An operator handed a topic over, to or from the reader. */
  "ownership_given",
  "ownership_taken",
  "member_removed",
  "member_muted",
  "member_unmuted",
  "member_banned",
  "member_unbanned",
] as const;

export const notificationKinds = [
  ...conversationKinds,
  ...staffKinds,
  ...ownKinds,
  ...decisionKinds,
] as const;
export type NotificationKind = (typeof notificationKinds)[number];

/** What of a topic notifies a reader: also every new post, what concerns the reader, mentions, or nothing. */
export const notificationLevels = ["watch", "all", "mentions", "none"] as const;
export type NotificationLevel = (typeof notificationLevels)[number];

/**
 * What of a post's comments reaches a member: a notification of each; what is new is counted once they opened it; only
 * replies and mentions; nothing.
 */
export const threadLevels = ["watch", "follow", "normal", "mute"] as const;
export type ThreadLevel = (typeof threadLevels)[number];

/** How often a reader is told what is new. */
export const digestRhythms = ["never", "day", "week"] as const;
export type DigestRhythm = (typeof digestRhythms)[number];

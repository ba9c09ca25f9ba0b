import type { ErrorCode } from "./errors";

/** Refusals of writing in a topic that depend on operators. */
const stopped = ["silenced", "topic_frozen"] as const;
const topicMember = ["topic_not_found", "not_a_member", "reprove_required"] as const;
const postMember = ["post_not_found", "not_a_member", "reprove_required"] as const;
const commentMember = ["comment_not_found", "not_a_member", "reprove_required"] as const;
const messageMember = ["message_not_found", "not_a_member", "reprove_required"] as const;

/** Whom a rule lets in, and the errors by which it refuses everybody else. */
interface AccessRule {
  readonly audience: string;
  readonly errors: readonly ErrorCode[];
}

/** Access rules, which lib/policy implements. */
export const accessRules = {
  anyone: { audience: "anyone", errors: [] },
  "signed-in": { audience: "signed-in users", errors: [] },
  desk: { audience: "operators and reviewers of the installation", errors: ["operator_required"] },
  operator: { audience: "operators of the installation", errors: ["operator_required"] },
  "topic-visible": { audience: "users who may see the topic", errors: ["topic_not_found", "topic_secret"] },
  "topic-content": { audience: "users who may read the topic's posts", errors: topicMember },
  "topic-member": {
    audience: "members of the topic who are not muted",
    errors: [...topicMember, "muted", ...stopped],
  },
  "topic-insider": { audience: "members of the topic, including muted ones", errors: topicMember },
  "topic-leaver": {
    audience: "members of the topic, including muted ones and those who have to prove again",
    errors: ["topic_not_found", "not_a_member"],
  },
  "topic-chat": {
    audience: "members of the topic, including muted ones; for others the topic does not exist",
    errors: ["topic_not_found", "reprove_required"],
  },
  "topic-outsider": {
    audience: "users who are not members yet",
    errors: ["topic_not_found", "already_member", "topic_secret", "topic_frozen"],
  },
  "topic-invited": {
    audience: "users with an invite who are not members yet",
    errors: ["invite_not_found", "already_member", "topic_frozen"],
  },
  "topic-staff": { audience: "owner and admins of the topic", errors: [...topicMember, "role_required"] },
  "topic-owner": { audience: "the topic's owner", errors: [...topicMember, "role_required"] },
  "topic-owner-or-global-admin": {
    audience: "the topic's owner, or an operator",
    errors: [...topicMember, "role_required"],
  },
  "post-content": { audience: "users who may read the post", errors: postMember },
  "post-member": {
    audience: "members of the post's topic who are not muted",
    errors: [...postMember, "muted", ...stopped, "post_hidden"],
  },
  "post-insider": { audience: "members of the post's topic, including muted ones", errors: postMember },
  "post-recorder": {
    audience: "members of the post's topic who are not muted and did not write it",
    errors: [...postMember, "muted", ...stopped, "post_hidden", "record_own_post"],
  },
  "post-staff": {
    audience: "owner and admins of the post's topic",
    errors: [...postMember, "role_required"],
  },
  "post-moderator": {
    audience: "owner and admins of the post's topic, or an operator",
    errors: [...postMember, "role_required"],
  },
  "post-author": {
    audience: "the author, if a member who is not muted, or an operator",
    errors: [...postMember, "not_the_author", "muted", ...stopped, "post_hidden"],
  },
  "post-remover": {
    audience: "the author, the topic's staff, or an operator",
    errors: [...postMember, "role_required"],
  },
  "comment-content": { audience: "users who may read the comment's post", errors: commentMember },
  "comment-moderator": {
    audience: "owner and admins of the comment's topic, or an operator",
    errors: [...commentMember, "role_required"],
  },
  "comment-member": {
    audience: "members of its topic who are not muted",
    errors: [...commentMember, "muted", ...stopped, "post_hidden"],
  },
  "comment-author": {
    audience: "the author, if a member who is not muted",
    errors: [...commentMember, "not_the_author", "muted", ...stopped, "post_hidden"],
  },
  "comment-remover": {
    audience: "the author, or the topic's staff",
    errors: [...commentMember, "role_required"],
  },
  "message-member": {
    audience: "members of the message's topic who are not muted",
    errors: [...messageMember, "muted"],
  },
  "message-moderator": {
    audience: "owner and admins of the message's topic, or an operator",
    errors: [...messageMember, "role_required"],
  },
  "message-author": {
    audience: "the author, if a member who is not muted",
    errors: [...messageMember, "not_the_author", "muted"],
  },
  "message-remover": {
    audience: "the author, or the topic's staff",
    errors: [...messageMember, "role_required"],
  },
} as const satisfies Record<string, AccessRule>;
export type Access = keyof typeof accessRules;

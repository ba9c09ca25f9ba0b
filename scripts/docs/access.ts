import type { Access, OperationSpec } from "@/lib/contract";

/** Who may call an operation, in words for people. */
const words: Readonly<Record<Access, string>> = {
  anyone: "anybody",
  "signed-in": "anybody who is signed in",
  "topic-visible": "whoever may see the topic",
  "topic-content": "whoever may read the topic's posts",
  "topic-member": "members of the topic who are not muted",
  "topic-insider": "members of the topic, muted ones too",
  "topic-chat": "members of the topic, muted ones too; to anybody else there is no such topic",
  "topic-outsider": "whoever is not a member yet",
  "topic-invited": "whoever holds an invite and is not a member yet",
  "topic-staff": "owner and admins of the topic",
  "topic-owner": "the topic's owner",
  "topic-owner-or-global-admin": "the topic's owner, or a global admin",
  "post-content": "whoever may read the post",
  "post-member": "members of the post's topic who are not muted",
  "post-insider": "members of the post's topic, muted ones too",
  "post-recorder": "members of the post's topic who are not muted and did not write it",
  "post-staff": "owner and admins of the post's topic",
  "post-author": "the author while a member who is not muted, or a global admin",
  "post-remover": "the author, the topic's staff, or a global admin",
  "comment-insider": "members of the comment's topic, muted ones too",
  "comment-staff": "owner and admins of the comment's topic",
  "comment-author": "the author while a member who is not muted",
  "comment-remover": "the author, or the topic's staff",
};
const sessions: Readonly<Record<OperationSpec["auth"], string>> = {
  none: "none looked at",
  optional: "optional",
  required: "required",
};

/** Session and access of an operation, as one line. */
export function accessLine({ auth, access, nickname }: OperationSpec): string {
  const chosen = nickname ? " with a nickname" : "";
  return `Session: ${sessions[auth]}. For: ${words[access]}${chosen}.`;
}

import type { Visibility } from "@/db/schema/community";
import { type Decision, isStaff, type Viewer } from "./decision";
import { topicAccess } from "./topic";

/** What the rules need to know of a chat message. */
export interface MessageState {
  readonly deleted: boolean;
  /** Whether the topic's staff hid it. */
  readonly hidden: boolean;
  /** Whether the viewer wrote it. */
  readonly mine: boolean;
}

export interface MessageAccess {
  /** Answer it, or react to it: members who are not muted and may read its text. */
  readonly reply: Decision;
  readonly react: Decision;
  /** Change its text: the author while they may write. */
  readonly edit: Decision;
  /** Delete it: the author, as a member or not, the topic's staff, or a global admin. */
  readonly delete: Decision;
  /** Hide it and show it again: the topic's staff, or an operator. */
  readonly hide: Decision;
  /** Report it: members who may read its text, also muted ones. */
  readonly report: Decision;
}

/** Decides whether a member reads the text of a message, in the history, in the stream and in quotes. */
export function readsMessage(
  { deleted, hidden, mine }: MessageState,
  { role }: Pick<Viewer, "role">,
): boolean {
  return !deleted && (!hidden || mine || isStaff(role));
}

/** Decides what a caller may do with a message. A deleted one does not exist for them. */
export function messageAccess(
  message: MessageState & { readonly visibility: Visibility },
  viewer: Viewer,
): MessageAccess {
  const topic = topicAccess(message, viewer);
  const live = (decision: Decision): Decision =>
    message.deleted && viewer.signedIn ? "message_not_found" : decision;
  const answer: Decision =
    topic.write === "allowed" && !readsMessage(message, viewer) ? "message_not_found" : topic.write;
  const others = viewer.role ? "not_the_author" : topic.inside;
  const remove: Decision = viewer.signedIn ? "allowed" : "not_authenticated";
  return {
    reply: live(answer),
    react: live(answer),
    edit: live(message.mine ? topic.write : others),
    delete: live(message.mine || viewer.isAdmin ? remove : topic.moderate),
    hide: live(viewer.isAdmin ? remove : topic.moderate),
    report: live(
      topic.readChat === "allowed" && !readsMessage(message, viewer) ? "message_not_found" : topic.readChat,
    ),
  };
}

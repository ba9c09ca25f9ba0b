/**
 * The acts of operators. The log of the installation records them; some are also told, under the same name, to the person
 * they meet. This file imports nothing, so a component that needs them does not load the schemas.
 */

/** Told to someone who gets or loses a role. */
export const roleActions = ["operator_granted", "operator_taken"] as const;
/** Told to the user of the account. */
export const accountActions = [
  "account_silenced",
  "account_unsilenced",
  "account_suspended",
  "account_unsuspended",
  "sessions_ended",
  "nickname_reset",
  "image_removed",
] as const;
export type AccountAction = (typeof accountActions)[number];
/** Told to the owner of the topic. */
export const topicActions = ["topic_frozen", "topic_unfrozen"] as const;
/** Told to whoever uploaded one of the files. */
export const fileActions = ["files_taken_down"] as const;

/** Told to the author, as when the topic's staff do it. */
const contentActions = [
  "post_edited",
  "post_hidden",
  "post_shown",
  "post_deleted",
  "comment_hidden",
  "comment_shown",
  "comment_deleted",
  "message_hidden",
  "message_shown",
  "message_deleted",
  "topic_deleted",
  "topic_handed_over",
] as const;
/** Told to nobody. */
const quietActions = [
  "report_dismissed",
  "report_resolved",
  "tag_renamed",
  "tag_removed",
  "file_unblocked",
  "hold_placed",
  "hold_renewed",
  "hold_exported",
  "hold_released",
] as const;

/** Every act of operators that the log of the installation records. */
export const installationActions = [
  ...contentActions,
  ...quietActions,
  ...roleActions,
  ...accountActions,
  ...topicActions,
  ...fileActions,
] as const;
export type InstallationAction = (typeof installationActions)[number];

import type { CrowdNoteProps } from "./crowd-note";
import type { OwnHereProps } from "./own-here";
import type { RepliesNoteProps } from "./replies-note";
import type { SecretVoteProps } from "./secret-vote";
import type { WriteCommentProps } from "./write-comment";
import type { WritePostProps } from "./write-post";

/** The parts of the reader's anonymous self, which come in one script. */
export type SelfProps =
  | ({ readonly part: "crowd" } & CrowdNoteProps)
  | ({ readonly part: "post" } & WritePostProps)
  | ({ readonly part: "comment" } & WriteCommentProps)
  | ({ readonly part: "ballot" } & SecretVoteProps)
  | ({ readonly part: "own" } & OwnHereProps)
  | ({ readonly part: "replies" } & RepliesNoteProps)
  | { readonly part: "waiting"; readonly topicId: string; readonly postId?: string }
  | { readonly part: "switch"; readonly topicId: string; readonly onSwitch: () => void };

import type { Comment } from "@/lib/contract";
import type { CommentList } from "./use-comment-list";

/** What every comment of a post needs to know and may do. */
export interface CommentContext {
  readonly postId: string;
  readonly topicId: string;
  readonly canWrite: boolean;
  /** User id of the reader; null for a guest. */
  readonly me: string | null;
  /** Id of the comment that the address leads to. */
  readonly linked: string | null;
  /** Whether its replies are shown; null where nobody has said. */
  readonly isOpen: (commentId: string) => boolean | null;
  readonly toggle: (commentId: string, isOpen: boolean) => void;
  readonly onSent: (comment: Comment) => void;
  /** Shows what is on its way. @returns takes it back */
  readonly onSending: (content: string, parentId: string | null) => () => void;
  readonly change: CommentList["change"];
  readonly edit: CommentList["edit"];
  readonly focusSoon: (commentId: string) => void;
  readonly copy: (commentId: string) => void;
}

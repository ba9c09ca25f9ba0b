"use client";

import { useRouter } from "next/navigation";
import { useWords } from "#words";
import { useBlockItem } from "@/components/block/blocks";
import { ContentTools } from "@/components/staff/content-tools";
import { isWithdrawn } from "@/components/ui/member-name";
import type { MenuItem } from "@/components/ui/menu";
import type { Post } from "@/lib/contract";

export interface PostToolsProps {
  readonly post: Pick<
    Post,
    | "id"
    | "topicId"
    | "authorId"
    | "authorNickname"
    | "isHidden"
    | "isFolded"
    | "isPinned"
    | "recordCount"
    | "abilities"
  >;
  readonly isMine: boolean;
  /** False for guests. */
  readonly isSignedIn: boolean;
}

/** The menu of a post, with the actions of readers, staff and its author. */
export function PostTools({ post, isMine, isSignedIn }: PostToolsProps) {
  const { t } = useWords();
  const router = useRouter();
  const canBlock = isSignedIn && !isMine && !isWithdrawn(post.authorNickname);
  const block = useBlockItem(
    canBlock ? { userId: post.authorId, nickname: post.authorNickname } : null,
    post.isFolded,
  );
  const edit: MenuItem =
    post.recordCount > 0
      ? { label: t("own.edit"), hint: t("own.editRecorded"), isOff: true }
      : { label: t("own.edit"), href: `/posts/${post.id}/edit` };
  return (
    <ContentTools
      target={{ postId: post.id, commentId: null }}
      author={post.authorNickname}
      isHidden={post.isHidden}
      isPinned={post.isPinned}
      abilities={post.abilities}
      isMine={isMine}
      more={post.abilities.includes("edit") ? [edit, ...block] : block}
      // Nothing is left on the post's page for its author, so go to the topic.
      onRemoved={isMine ? () => router.replace(`/topics/${post.topicId}`) : undefined}
      removed={isMine ? t("own.deleted") : undefined}
    />
  );
}

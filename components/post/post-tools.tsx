"use client";

import { useRouter } from "next/navigation";
import { useWords } from "#words";
import { useBlockItem } from "@/components/block/blocks";
import { useUnreadItem } from "@/components/reading/use-unread-item";
import type { RecordOffer } from "@/components/record/record";
import { useRecordItem } from "@/components/record/use-record";
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
    | "anonymous"
    | "isHidden"
    | "isFolded"
    | "isPinned"
    | "recordCount"
    | "abilities"
  >;
  readonly isMine: boolean;
  /** False for guests. */
  readonly isSignedIn: boolean;
  /** For those who may record the post; null for others, and once they have. */
  readonly record: RecordOffer | null;
}

/** The menu of a post, with the actions of readers, staff and its author. */
export function PostTools({ post, isMine, isSignedIn, record }: PostToolsProps) {
  const { t } = useWords();
  const router = useRouter();
  const canBlock = isSignedIn && !isMine && !post.anonymous && !isWithdrawn(post.authorNickname);
  const block = useBlockItem(
    canBlock ? { userId: post.authorId, nickname: post.authorNickname } : null,
    post.isFolded,
  );
  const isInside = isSignedIn && post.abilities.includes("bookmark");
  const unread = useUnreadItem(isInside ? { topicId: post.topicId, postId: post.id } : null);
  const recording = useRecordItem(post.id, record);
  const edit: MenuItem =
    post.recordCount > 0
      ? { label: t("own.edit"), hint: t("own.editRecorded"), isOff: true }
      : { label: t("own.edit"), href: `/posts/${post.id}/edit` };
  const more = [...recording.items, ...unread, ...block];
  return (
    <>
      <ContentTools
        target={{ postId: post.id, commentId: null }}
        author={post.authorNickname}
        isHidden={post.isHidden}
        isPinned={post.isPinned}
        abilities={post.abilities}
        isMine={isMine}
        isAnonymous={post.anonymous !== null}
        more={post.abilities.includes("edit") ? [edit, ...more] : more}
        // Nothing is left on the post's page for its author, so go to the topic.
        onRemoved={isMine ? () => router.replace(`/topics/${post.topicId}`) : undefined}
        removed={isMine ? t("own.deleted") : undefined}
      />
      {recording.dialog}
    </>
  );
}

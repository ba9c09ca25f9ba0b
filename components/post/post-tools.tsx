"use client";

import { useRouter } from "next/navigation";
import { useWords } from "#words";
import type { ContentAct } from "@/components/staff/content-acts";
import { ContentTools } from "@/components/staff/content-tools";
import type { MenuItem } from "@/components/ui/menu";

export interface PostToolsProps {
  readonly postId: string;
  readonly topicId: string;
  readonly author: string;
  readonly isHidden: boolean;
  readonly isPinned: boolean;
  readonly acts: readonly ContentAct[];
  readonly isMine: boolean;
  /** Whether the reader may change its text: only its author while they write there, and not once it is recorded. */
  readonly edit: "open" | "recorded" | "none";
}

/** The menu beside a post: what staff and readers do, and for its author to change or delete it. */
export function PostTools({ postId, topicId, isMine, edit, ...rest }: PostToolsProps) {
  const { t } = useWords();
  const router = useRouter();
  const more: Readonly<Record<PostToolsProps["edit"], readonly MenuItem[]>> = {
    open: [{ label: t("own.edit"), href: `/posts/${postId}/edit` }],
    recorded: [{ label: t("own.edit"), hint: t("own.editRecorded"), isOff: true }],
    none: [],
  };
  return (
    <ContentTools
      target={{ postId, commentId: null }}
      more={more[edit]}
      // Its page has nothing left for its author; the topic is where they go on.
      onRemoved={isMine ? () => router.replace(`/topics/${topicId}`) : undefined}
      removed={isMine ? t("own.deleted") : undefined}
      {...rest}
    />
  );
}

"use client";

import { useWords } from "#words";
import { BanDialog } from "@/components/anonymous/ban-dialog";
import { ReportDialog } from "@/components/report/report-dialog";
import { ContentDialog, type ContentDialogProps } from "./content-dialog";

export type ContentDialogKind = "report" | "hide" | "remove" | "ban";

export interface ContentDialogsProps extends Pick<ContentDialogProps, "target" | "onDone" | "onClose"> {
  readonly kind: ContentDialogKind;
  /** Toast after the deletion. */
  readonly removed?: string;
}

/** The dialogs of the menu of a post or comment, which load when one opens. */
export function ContentDialogs({ kind, target, removed, onDone, onClose }: ContentDialogsProps) {
  const { t } = useWords();
  if (kind === "report") {
    const { postId, commentId } = target;
    const reported = commentId ? { kind: "comment" as const, commentId } : { kind: "post" as const, postId };
    return <ReportDialog target={reported} onClose={onClose} />;
  }
  if (kind === "ban") return <BanDialog {...target} onDone={onDone} onClose={onClose} />;
  const what = target.commentId ? "Comment" : "Post";
  return (
    <ContentDialog
      act={kind}
      target={target}
      title={t(`moderate.${kind}${what}Title`)}
      text={t(`moderate.${kind}${what}Text`)}
      confirm={t(kind === "hide" ? "common.hide" : "common.delete")}
      done={kind === "hide" ? t("moderate.hidden") : (removed ?? t("moderate.removed"))}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

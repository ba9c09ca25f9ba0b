"use client";

import { useWords } from "#words";
import type { Target } from "./content-calls";
import { ContentDialog } from "./content-dialog";
import { ReportDialog } from "./report-dialog";

export type ContentQuestion = "report" | "hide" | "remove";

export interface ContentAsksProps {
  readonly asked: ContentQuestion;
  readonly target: Target;
  /** Said once it is deleted. */
  readonly removed?: string;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** The dialogs of the menu beside a post or comment; they are fetched when one is opened. */
export function ContentAsks({ asked, target, removed, onDone, onClose }: ContentAsksProps) {
  const { t } = useWords();
  if (asked === "report") return <ReportDialog target={target} onClose={onClose} />;
  const kind = target.commentId ? "Comment" : "Post";
  return (
    <ContentDialog
      act={asked}
      target={target}
      title={t(`moderate.${asked}${kind}Title`)}
      text={t(`moderate.${asked}${kind}Text`)}
      confirm={t(`moderate.${asked}Confirm`)}
      done={asked === "hide" ? t("moderate.hidden") : (removed ?? t("moderate.removed"))}
      onDone={onDone}
      onClose={onClose}
    />
  );
}

"use client";

import { useState } from "react";
import { useWords } from "#words";
import { TextAreaField } from "@/components/ui/field";
import { RadioCards } from "@/components/ui/radio-cards";
import { LIMITS } from "@/lib/contract/limits";
import { ConfirmDialog } from "./confirm-dialog";
import { ContentDialog, type ContentDialogProps } from "./content-dialog";

const REASONS = ["spam", "abuse", "off_topic", "private_data", "illegal", "owner", "other"] as const;

type ReportDialogProps = Pick<ContentDialogProps, "target" | "onClose">;

/** Reports a post or comment to the topic's staff. */
function ReportDialog({ target: { postId, commentId }, onClose }: ReportDialogProps) {
  const { t } = useWords();
  const [reason, setReason] = useState<(typeof REASONS)[number]>("spam");
  const [details, setDetails] = useState("");
  return (
    <ConfirmDialog
      title={t("report.title")}
      text={t("report.text")}
      confirm={t("report.send")}
      tone="primary"
      work={({ api, contract }) => {
        const body = { reason, details: details.trim() || undefined };
        return commentId
          ? api.call(contract.moderation.reportComment, { commentId, ...body })
          : api.call(contract.moderation.reportPost, { postId, ...body });
      }}
      done={t(reason === "owner" ? "report.sentToOperators" : "report.sent")}
      onDone={onClose}
      onClose={onClose}
    >
      <RadioCards
        legend={t("report.why")}
        name="reason"
        value={reason}
        onChange={setReason}
        options={REASONS.map((value) => ({ value, title: t(`report.reasons.${value}`) }))}
      />
      <TextAreaField
        label={t("report.details")}
        hint={t("report.detailsHint", { max: LIMITS.moderation.reportDetails })}
        dir="auto"
        rows={3}
        maxLength={LIMITS.moderation.reportDetails}
        value={details}
        onValue={setDetails}
      />
    </ConfirmDialog>
  );
}

export type ContentDialogKind = "report" | "hide" | "remove";

export interface ContentDialogsProps extends Pick<ContentDialogProps, "target" | "onDone" | "onClose"> {
  readonly kind: ContentDialogKind;
  /** Toast after the deletion. */
  readonly removed?: string;
}

/** The dialogs of the menu of a post or comment, which load when one opens. */
export function ContentDialogs({ kind, target, removed, onDone, onClose }: ContentDialogsProps) {
  const { t } = useWords();
  if (kind === "report") return <ReportDialog target={target} onClose={onClose} />;
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

"use client";

import { useState } from "react";
import { useWords } from "#words";
import { Field, Textarea } from "@/components/ui/field";
import { RadioCards } from "@/components/ui/radio-cards";
import { LIMITS } from "@/lib/contract/limits";
import { ActDialog } from "./act-dialog";
import type { Target } from "./content-calls";

const reasons = ["spam", "abuse", "off_topic", "private_data", "illegal", "other"] as const;

export interface ReportDialogProps {
  readonly target: Target;
  readonly onClose: () => void;
}

/** Tells the topic's staff what is wrong with a post or a comment. */
export function ReportDialog({ target: { postId, commentId }, onClose }: ReportDialogProps) {
  const { t } = useWords();
  const [reason, setReason] = useState<(typeof reasons)[number]>("spam");
  const [details, setDetails] = useState("");
  return (
    <ActDialog
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
      done={t("report.sent")}
      onDone={onClose}
      onClose={onClose}
    >
      <RadioCards
        legend={t("report.why")}
        name="reason"
        value={reason}
        onChange={setReason}
        options={reasons.map((value) => ({ value, title: t(`report.reasons.${value}`) }))}
      />
      <Field
        label={t("report.details")}
        hint={t("report.detailsHint", { max: LIMITS.moderation.reportDetails })}
      >
        {(control) => (
          <Textarea
            {...control}
            dir="auto"
            rows={3}
            maxLength={LIMITS.moderation.reportDetails}
            value={details}
            onChange={(event) => setDetails(event.target.value)}
          />
        )}
      </Field>
    </ActDialog>
  );
}

"use client";

import { useState } from "react";
import { useWords } from "#words";
import { ConfirmDialog } from "@/components/staff/confirm-dialog";
import { TextAreaField } from "@/components/ui/field";
import { RadioCards } from "@/components/ui/radio-cards";
import { LIMITS } from "@/lib/contract/limits";
import type { ReportedKind, ReportReason } from "@/lib/contract/moderation";
import type { Words } from "@/lib/i18n/words";
import { reportReaders } from "@/lib/policy/report";
import { type ReportTarget, sendReport } from "./target";

const REASONS = [
  "spam",
  "abuse",
  "off_topic",
  "private_data",
  "illegal",
  "owner",
  "other",
] as const satisfies readonly ReportReason[];

/** Reasons that make no sense for a kind. */
const NOT_FOR: Readonly<Partial<Record<ReportedKind, readonly ReportReason[]>>> = {
  topic: ["off_topic"],
  profile: ["off_topic", "owner"],
  tag: ["off_topic", "owner"],
};

/** Who reads a report, as the dialog says it. */
type Readers = "staff" | "both" | "operators" | "onlyOperators" | "ownerUnknown";

/** Returns who will read a report. The reader's device does not know whether the topic's owner wrote the content. */
function readersOf(kind: ReportedKind, reason: ReportReason): Readers {
  const { staff, operators } = reportReaders({ kind, reason, byOwner: false });
  if (!staff) return kind === "topic" ? "onlyOperators" : "operators";
  if (!operators) return "staff";
  return reportReaders({ kind, reason, byOwner: true }).staff ? "both" : "ownerUnknown";
}

const SAID: Readonly<Record<Readers, "sent" | "sentToBoth" | "sentToOperators">> = {
  staff: "sent",
  both: "sentToBoth",
  operators: "sentToOperators",
  onlyOperators: "sentToOperators",
  ownerUnknown: "sentToOperators",
};

function titleOf({ t }: Words, target: ReportTarget): string {
  if (target.kind === "profile") return t("report.profile", { name: target.nickname });
  if (target.kind === "tag") return t("report.tag", { name: target.tag });
  return t(`report.${target.kind}`);
}

export interface ReportDialogProps {
  readonly target: ReportTarget;
  readonly onClose: () => void;
}

/** Reports anything that can be reported. It says who will read the report before it is sent. */
export function ReportDialog({ target, onClose }: ReportDialogProps) {
  const words = useWords();
  const { t } = words;
  const [reason, setReason] = useState<ReportReason>("spam");
  const [details, setDetails] = useState("");
  const { kind } = target;
  const readers = readersOf(kind, reason);
  return (
    <ConfirmDialog
      title={titleOf(words, target)}
      text={kind === "profile" || kind === "topic" || kind === "tag" ? t(`report.about.${kind}`) : undefined}
      confirm={t("report.send")}
      tone="primary"
      work={(client) => sendReport(client, target, { reason, details: details.trim() || undefined })}
      done={t(`report.${SAID[readers]}`)}
      onDone={onClose}
      onClose={onClose}
    >
      <RadioCards
        legend={t("report.why")}
        name="reason"
        value={reason}
        onChange={setReason}
        options={REASONS.filter((value) => !NOT_FOR[kind]?.includes(value)).map((value) => ({
          value,
          title: t(`report.reasons.${value}`),
        }))}
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
      {/* A choice of reason may change it, which is read out. */}
      <p role="status" className="rounded-control bg-wash px-3 py-2 text-sm" data-readers={readers}>
        {t(`report.readers.${readers}`)} {t("report.onlyThey")}
      </p>
    </ConfirmDialog>
  );
}

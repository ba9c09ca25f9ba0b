import type { ReportedKind, ReportReason } from "@/lib/contract/moderation";

/** What the rules need to know of a report. */
export interface ReportState {
  readonly kind: ReportedKind;
  readonly reason: ReportReason;
  /** Whether the owner of its topic wrote what is reported. */
  readonly byOwner: boolean;
}

/** Who reads a report. */
export interface ReportReaders {
  /** Owner and admins of the topic. */
  readonly staff: boolean;
  readonly operators: boolean;
}

/**
 * Decides who reads a report. The staff read reports of what is written in their topic. Those of the topic itself go to
 * the operators, since the staff would judge themselves, and so does "the owner is the problem" about what the owner
 * wrote: the owner would read who accuses them.
 */
export function reportReaders({ kind, reason, byOwner }: ReportState): ReportReaders {
  const isContent = kind === "post" || kind === "comment" || kind === "message";
  if (!isContent) return { staff: false, operators: true };
  return {
    staff: !(reason === "owner" && byOwner),
    operators: reason === "owner" || reason === "illegal",
  };
}

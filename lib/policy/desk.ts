import type { OperatorRole } from "@/lib/contract/desk";
import type { Decision } from "./decision";

export interface DeskAccess {
  /** Read the reports to the operators, claim and answer them, and read the history of accounts. */
  readonly review: Decision;
  /** Change or delete anyone's content, accounts, tags and topics. */
  readonly act: Decision;
  /** Grant and take roles. */
  readonly appoint: Decision;
}

/** Decides what a role on the installation allows. Operators do everything, reviewers answer reports. */
export function deskAccess(role: OperatorRole | null): DeskAccess {
  const operator: Decision = role === "operator" ? "allowed" : "operator_required";
  return { review: role ? "allowed" : "operator_required", act: operator, appoint: operator };
}

/** What the rules need to know of a claim of a report. */
export interface ClaimState {
  readonly claimedBy: string | null;
  readonly claimedAt: Date | null;
  readonly now: Date;
}

/** How long a claim keeps others away. */
const CLAIM_MS = 2 * 60 * 60 * 1000;

/** Returns who is working on a report; null for nobody, also when their claim lapsed. */
export function claimantOf({ claimedBy, claimedAt, now }: ClaimState): string | null {
  const lapsed = !claimedAt || now.getTime() - claimedAt.getTime() >= CLAIM_MS;
  return lapsed ? null : claimedBy;
}

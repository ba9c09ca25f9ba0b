import type { DeskAct, OperatorRole } from "@/lib/contract/desk";
import type { ReportedKind } from "@/lib/contract/moderation";
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

const content = ["hide", "delete", "take_files_down"] as const;
const actsOnKind: Readonly<Record<ReportedKind, readonly DeskAct[]>> = {
  post: content,
  comment: content,
  message: content,
  topic: ["freeze", "take_files_down"],
  profile: ["reset_nickname", "remove_image", "take_files_down"],
  tag: ["remove_tag"],
};

/** Returns what a role can do to what is reported, together with the decision. */
export function deskActsOn(kind: ReportedKind, role: OperatorRole | null): readonly DeskAct[] {
  return role === "operator" ? actsOnKind[kind] : [];
}

/** Decides whether a role may do this to what is reported. */
export function mayActOn(kind: ReportedKind, act: DeskAct, role: OperatorRole | null): Decision {
  if (role !== "operator") return "operator_required";
  return actsOnKind[kind].includes(act) ? "allowed" : "act_not_possible";
}

/** What the rules need to know of a post, comment or message that someone wants to show again. */
export interface ShowState {
  readonly hiddenByOperators: boolean;
  /** Whether the viewer wrote it. */
  readonly mine: boolean;
}

/** Decides whether someone who may hide a text may show it again: what operators hid, only operators can, not the author. */
export function mayShowAgain({ hiddenByOperators, mine }: ShowState, role: OperatorRole | null): Decision {
  if (!hiddenByOperators) return "allowed";
  if (role !== "operator") return "hidden_by_operators";
  return mine ? "own_case" : "allowed";
}

/** Decides whether an operator may undo what operators did to someone: not where that is themselves. */
export function mayUndoFor(subjectId: string | null, userId: string): Decision {
  return subjectId === userId ? "own_case" : "allowed";
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

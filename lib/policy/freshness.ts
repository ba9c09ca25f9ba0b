import { LIMITS } from "@/lib/contract/limits";

/** Whether a membership's proof is fresh enough, has to be made again soon, or is too old. */
export type ProofState = "current" | "due" | "lapsed";

const DAY_MS = 24 * 60 * 60 * 1000;
/** How long before its date a member may prove again and is notified; also the grace after a change of the rule. */
export const NOTICE_MS = LIMITS.topic.reproveNoticeDays * DAY_MS;

/** Returns when a membership lapses without a new proof; null for never. */
export function reproveBy(provenAt: Date, days: number | null): Date | null {
  return days === null ? null : new Date(provenAt.getTime() + days * DAY_MS);
}

/** Returns the state of a membership. @param by when it lapses, or null */
export function proofState(by: Date | null, now: Date): ProofState {
  if (by === null || by.getTime() - now.getTime() > NOTICE_MS) return "current";
  return by > now ? "due" : "lapsed";
}

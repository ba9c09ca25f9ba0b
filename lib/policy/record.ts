import type { ErrorCode } from "@/lib/contract/errors";
import { LIMITS } from "@/lib/contract/limits";

/** What the rules ask of a post that somebody wants to record, beyond what its policy says (post.ts). */
export interface RecordState {
  readonly createdAt: Date;
  readonly now: Date;
  /** The person's record of the post, confirmed or under way. */
  readonly recorded: boolean;
  /** Records of the person today that did not fail. */
  readonly today: number;
}

/** Why the post cannot be recorded now, by the first rule it breaks; null when it can. */
export function recordRefusal(
  state: RecordState,
): Extract<ErrorCode, "record_too_new" | "record_already" | "record_limit"> | null {
  if (minutesUntilRecordable(state) > 0) return "record_too_new";
  if (state.recorded) return "record_already";
  return state.today >= LIMITS.record.perDay ? "record_limit" : null;
}

/** Whole minutes, rounded up, until a post is old enough; 0 when it is. */
export function minutesUntilRecordable({ createdAt, now }: Pick<RecordState, "createdAt" | "now">): number {
  return Math.max(
    0,
    Math.ceil((createdAt.getTime() + LIMITS.record.minAgeMinutes * 60_000 - now.getTime()) / 60_000),
  );
}

/** The UTC date that a record counts for, as `2026-11-22`. */
export function recordDay(now: Date): string {
  return now.toISOString().slice(0, 10);
}

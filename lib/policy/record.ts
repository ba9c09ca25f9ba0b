import type { ErrorCode } from "@/lib/contract/errors";
import { LIMITS } from "@/lib/contract/limits";

/** What the rules need to know before a post is recorded, besides `postAccess`. */
export interface RecordState {
  readonly createdAt: Date;
  readonly now: Date;
  /** Whether this person's record of the post is confirmed or pending. */
  readonly recorded: boolean;
  /** This person's records today, without failed ones. */
  readonly today: number;
}

/** Returns the first rule that keeps the post from being recorded now; null if none does. */
export function recordRefusal(
  state: RecordState,
): Extract<ErrorCode, "record_too_new" | "record_already" | "record_limit"> | null {
  if (minutesUntilRecordable(state) > 0) return "record_too_new";
  if (state.recorded) return "record_already";
  return state.today >= LIMITS.record.perDay ? "record_limit" : null;
}

/** Returns the whole minutes, rounded up, until a post is old enough; 0 if it is. */
export function minutesUntilRecordable({ createdAt, now }: Pick<RecordState, "createdAt" | "now">): number {
  return Math.max(
    0,
    Math.ceil((createdAt.getTime() + LIMITS.record.minAgeMinutes * 60_000 - now.getTime()) / 60_000),
  );
}

/** Returns the UTC date that a record counts for, as `2026-11-22`. */
export function recordDay(now: Date): string {
  return now.toISOString().slice(0, 10);
}

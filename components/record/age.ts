import { LIMITS } from "@/lib/contract/limits";

/** Whole minutes until a post can be recorded; 0 when it can. @param now Unix time in milliseconds */
export function minutesUntilRecordable(createdAt: string, now: number): number {
  return Math.max(0, Math.ceil((Date.parse(createdAt) - now) / 60_000) + LIMITS.record.minAgeMinutes);
}

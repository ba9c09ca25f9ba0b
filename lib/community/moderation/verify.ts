import type { LogEntry } from "@/lib/contract/moderation";
import { entryHash } from "./log";

/** Where a log does not hold: the number of the entry that should stand there, and what is wrong with it. */
export interface LogFault {
  readonly seq: number;
  readonly problem: "missing or out of order" | "not chained to the one before" | "changed";
}

/** The last entry somebody saw, written down elsewhere. */
export type RememberedHead = Pick<LogEntry, "seq" | "hash">;

const nothingBefore = "0".repeat(64);

/**
 * Checks a topic's log: numbered from 1 without gaps, each entry chained to the one before, each hash that of its
 * entry. So an entry that was changed, removed, moved or put in later shows, except that the newest ones may be
 * missing: what somebody remembered of an earlier reading shows that too, and that the whole log was written anew.
 *
 * @param entries of GET /api/topics/{topicId}/log, all of them, oldest first
 * @returns the first fault, or null when the log holds
 */
export function verifyLog(
  topicId: string,
  entries: readonly LogEntry[],
  remembered?: RememberedHead,
): LogFault | null {
  let previousHash = nothingBefore;
  for (const [index, entry] of entries.entries()) {
    const seq = index + 1;
    if (entry.seq !== seq) return { seq, problem: "missing or out of order" };
    if (entry.previousHash !== previousHash) return { seq, problem: "not chained to the one before" };
    if (entryHash({ ...entry, topicId, at: new Date(entry.at) }) !== entry.hash) {
      return { seq, problem: "changed" };
    }
    if (remembered?.seq === seq && remembered.hash !== entry.hash) return { seq, problem: "changed" };
    previousHash = entry.hash;
  }
  const isShort = remembered !== undefined && remembered.seq > entries.length;
  return isShort ? { seq: entries.length + 1, problem: "missing or out of order" } : null;
}

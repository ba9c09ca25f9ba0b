import type { ChatMessage } from "@/lib/contract";

/** Most entries a page keeps; what is further away is dropped and loaded again when it is scrolled to. */
export const keptEntries = 500;

/** A stretch of a chat without gaps, oldest first. */
export interface ChatLog {
  readonly entries: readonly ChatMessage[];
  /** There is more before the first entry. */
  readonly hasOlder: boolean;
  /** There is more after the last entry. */
  readonly hasNewer: boolean;
}

/** The end of the chat, from a page of its history. @param page newest first @param limit how many were asked for */
export function latestLog(page: readonly ChatMessage[], limit: number): ChatLog {
  return { entries: page.toReversed(), hasOlder: page.length >= limit, hasNewer: false };
}

/** With entries from before the first. @param page newest first */
export function withOlder(log: ChatLog, page: readonly ChatMessage[], limit: number): ChatLog {
  const entries = [...unknownOf(log, page).toReversed(), ...log.entries];
  const kept = entries.slice(0, keptEntries);
  return {
    entries: kept,
    hasOlder: page.length >= limit,
    hasNewer: log.hasNewer || kept.length < entries.length,
  };
}

/** With entries from after the last. @param page oldest first */
export function withNewer(log: ChatLog, page: readonly ChatMessage[], limit: number): ChatLog {
  const entries = [...log.entries, ...unknownOf(log, page)];
  const kept = entries.slice(-keptEntries);
  return {
    entries: kept,
    hasOlder: log.hasOlder || kept.length < entries.length,
    hasNewer: page.length >= limit,
  };
}

/**
 * With an entry that was just made. One that is known changes nothing, and neither does one that lies beyond what the
 * log reaches to. While somebody reads further up, what they read stays and the new end is dropped instead.
 */
export function withEntry(log: ChatLog, entry: ChatMessage, isAtEnd: boolean): ChatLog {
  if (log.hasNewer || log.entries.some(({ id }) => id === entry.id)) return log;
  const at = log.entries.findLastIndex(({ createdAt }) => time(createdAt) <= time(entry.createdAt)) + 1;
  const entries = log.entries.toSpliced(at, 0, entry);
  if (entries.length <= keptEntries) return { ...log, entries };
  return isAtEnd
    ? { ...log, entries: entries.slice(-keptEntries), hasOlder: true }
    : { ...log, entries: entries.slice(0, keptEntries), hasNewer: true };
}

function unknownOf(log: ChatLog, page: readonly ChatMessage[]): readonly ChatMessage[] {
  const known = new Set(log.entries.map(({ id }) => id));
  return page.filter(({ id }) => !known.has(id));
}

function time(moment: string): number {
  return Date.parse(moment);
}

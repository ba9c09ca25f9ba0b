import type { ChatMessage } from "@/lib/contract";

/** Entries that a page keeps; it drops the ones further away and loads them again on scroll. */
export const MAX_ENTRIES = 500;

/** Entries per request. */
export const PAGE_SIZE = 50;

/** A stretch of a chat without gaps, oldest first. */
export interface ChatLog {
  readonly entries: readonly ChatMessage[];
  readonly hasOlder: boolean;
  readonly hasNewer: boolean;
}

/** Returns the end of the chat. @param page latest page of the history, newest first @param limit number requested */
export function latestLog(page: readonly ChatMessage[], limit: number): ChatLog {
  return { entries: page.toReversed(), hasOlder: page.length >= limit, hasNewer: false };
}

/** Adds entries before the first. @param page newest first */
export function withOlder(log: ChatLog, page: readonly ChatMessage[], limit: number): ChatLog {
  const entries = [...unknownOf(log, page).toReversed(), ...log.entries];
  const kept = entries.slice(0, MAX_ENTRIES);
  return {
    entries: kept,
    hasOlder: page.length >= limit,
    hasNewer: log.hasNewer || kept.length < entries.length,
  };
}

/** Adds entries after the last. @param page oldest first */
export function withNewer(log: ChatLog, page: readonly ChatMessage[], limit: number): ChatLog {
  const entries = [...log.entries, ...unknownOf(log, page)];
  const kept = entries.slice(-MAX_ENTRIES);
  return {
    entries: kept,
    hasOlder: log.hasOlder || kept.length < entries.length,
    hasNewer: page.length >= limit,
  };
}

/**
 * Adds a new entry. A known entry changes nothing, and neither does a new one while the log does not reach the end. While
 * the reader is further up, the log drops its end instead of what they read.
 */
export function withEntry(log: ChatLog, entry: ChatMessage, isAtEnd: boolean): ChatLog {
  if (log.hasNewer || log.entries.some(({ id }) => id === entry.id)) return log;
  const sentAt = Date.parse(entry.createdAt);
  const at = log.entries.findLastIndex(({ createdAt }) => Date.parse(createdAt) <= sentAt) + 1;
  const entries = log.entries.toSpliced(at, 0, entry);
  if (entries.length <= MAX_ENTRIES) return { ...log, entries };
  return isAtEnd
    ? { ...log, entries: entries.slice(-MAX_ENTRIES), hasOlder: true }
    : { ...log, entries: entries.slice(0, MAX_ENTRIES), hasNewer: true };
}

/** Changes a message of the log, also where replies quote it. */
export function withMessage(
  log: ChatLog,
  id: string,
  change: (message: ChatMessage) => ChatMessage,
): ChatLog {
  const known = log.entries.find((entry) => entry.id === id);
  if (!known) return log;
  const changed = change(known);
  const excerpt = changed.message.slice(0, EXCERPT_LENGTH);
  const entries = log.entries.map((entry) => {
    if (entry === known) return changed;
    return entry.replyTo?.id === id ? { ...entry, replyTo: { ...entry.replyTo, excerpt } } : entry;
  });
  return { ...log, entries };
}

/** As many characters as the API shows of a message in its replies. */
const EXCERPT_LENGTH = 140;

/** Replaces a message of the log by another copy, unless that is older. */
export function withCopy(log: ChatLog, copy: ChatMessage, isReadable: boolean): ChatLog {
  return withMessage(log, copy.id, (known) => newerOf(known, copy, isReadable));
}

/**
 * Returns the newer of two copies of a message. One of the stream, which is the same for everybody, keeps what only this
 * reader gets: their own reactions, and the text of a hidden message.
 * @param isReadable whether they read it also while it is hidden
 */
export function newerOf(known: ChatMessage, copy: ChatMessage, isReadable: boolean): ChatMessage {
  if (known.revision > copy.revision) return known;
  const given = new Set(known.reactions.filter(({ userReacted }) => userReacted).map(({ emoji }) => emoji));
  const reactions = copy.reactions.map((reaction) => ({
    ...reaction,
    userReacted: reaction.userReacted ?? given.has(reaction.emoji),
  }));
  const isWithheld = copy.isHidden && !copy.isDeleted && copy.message === "";
  if (!isWithheld) return { ...copy, reactions };
  // It may be shown again.
  const kept = { ...copy, reactions: known.reactions };
  return isReadable ? { ...kept, message: known.message, replyTo: known.replyTo } : kept;
}

function unknownOf(log: ChatLog, page: readonly ChatMessage[]): readonly ChatMessage[] {
  const known = new Set(log.entries.map(({ id }) => id));
  return page.filter(({ id }) => !known.has(id));
}

/** A message of the reader that the server has not confirmed. */
export interface Outgoing {
  /** Idempotency-Key of every request that sends it. */
  readonly key: string;
  readonly text: string;
  /** The message it answers. */
  readonly replyTo: ChatMessage | null;
  readonly state: "sending" | "failed";
  /** Why it failed, as a sentence for the reader. */
  readonly error: string | null;
  /** Whether it failed because of the network, so that it is sent again once there is one. */
  readonly whenBack: boolean;
  /** Whether the stream delivered it before the response, so that it does not show twice. */
  readonly hasArrived: boolean;
}
export type Outbox = readonly Outgoing[];

export function added(outbox: Outbox, key: string, text: string, replyTo: ChatMessage | null = null): Outbox {
  const sending = { state: "sending", error: null, whenBack: false, hasArrived: false } as const;
  return [...outbox, { key, text, replyTo, ...sending }];
}

export function without(outbox: Outbox, key: string): Outbox {
  return outbox.filter((one) => one.key !== key);
}

export function sendingAgain(outbox: Outbox, key: string): Outbox {
  return outbox.map((one) =>
    one.key === key ? { ...one, state: "sending", error: null, whenBack: false } : one,
  );
}

/** Marks a message as failed, unless the stream delivered it. */
export function failed(outbox: Outbox, key: string, error: string, whenBack: boolean): Outbox {
  return outbox.flatMap((one) => {
    if (one.key !== key) return [one];
    return one.hasArrived ? [] : [{ ...one, state: "failed" as const, error, whenBack }];
  });
}

/** Records that the stream delivered a message of the reader. */
export function arrived(outbox: Outbox, message: ChatMessage): Outbox {
  const at = outbox.findIndex(({ text, hasArrived }) => !hasArrived && text === message.message);
  const found = outbox[at];
  if (!found) return outbox;
  // The response was lost, but not the message.
  if (found.state === "failed") return without(outbox, found.key);
  return outbox.with(at, { ...found, hasArrived: true });
}

/** The reader's view of reactions; those of a new message from the stream are not theirs. */
export function ownReactions(reactions: ChatMessage["reactions"]) {
  return reactions.map(({ emoji, count, userReacted = false }) => ({ emoji, count, userReacted }));
}

/** A time after which this entry is the first: no two have the same millisecond. */
export function justBefore(createdAt: string): string {
  return new Date(Date.parse(createdAt) - 1).toISOString();
}

import type { Db, Trx } from "@/db/schema";

/** Something changed; told after the change is committed. */
export type Signal =
  /** A topic's chat has entries up to this position. */
  | { readonly kind: "chat"; readonly topicId: string; readonly position: number }
  /** Somebody connected to a topic's chat or left it. */
  | { readonly kind: "presence"; readonly topicId: string }
  /** These people's notifications, or their unread counts, changed. */
  | { readonly kind: "inbox"; readonly userIds: readonly string[] }
  /**
   * Rights were taken away: streams of this user (of everybody, without one) in this topic (in all, without one) are
   * looked at again and closed where they are not allowed any more.
   */
  | { readonly kind: "access"; readonly topicId?: string; readonly userId?: string };

/** An entry of a log, ready to be sent: its frame is made once and shared by everybody who follows. */
export interface LogEntry {
  /** Larger than that of the entry before it; entries become visible in this order. */
  readonly position: number;
  /** An event of the stream with the entry's id as the event's id (`eventFrame`). */
  readonly frame: Uint8Array;
}

/** Where a log stands. */
export interface Look {
  /** Position of the newest entry; 0 where there is none. */
  readonly position: number;
  /** Changes whenever what `state` returns may have changed. */
  readonly version: string;
}

/**
 * What an event stream is made of: a log of entries per key, and a state per key that is sent first and whenever it
 * changes (who is there; how much is unread). A constant of its module: each process keeps one room per feed and key
 * that somebody follows, reads what is new once, and gives it to all.
 *
 * Everything is learned from the database: signals say when to look, and everything followed is looked at every few
 * seconds anyway.
 */
export interface Feed {
  /**
   * What keys are. `topic`: of signals `chat` (the log has more) and `presence` (the state changed) with this topicId.
   * `user`: of signals `inbox` that name this user (both are looked at).
   */
  readonly keyedBy: "topic" | "user";
  /** Where the logs of many keys stand, in one query. Keys that have nothing yet may be left out. */
  look(db: Db, keys: readonly string[]): Promise<ReadonlyMap<string, Look>>;
  /** The entries after a position, oldest first, at most `limit`. */
  after(db: Db, key: string, position: number, limit: number): Promise<readonly LogEntry[]>;
  /** Position of the entry with this id (Last-Event-ID, a uuid by its form); null when it is not known any more. */
  positionOf(db: Db, key: string, id: string): Promise<number | null>;
  /** The event that says how it is now. */
  state(db: Db, key: string): Promise<Uint8Array>;
  /**
   * Which of these may still follow, in one query. That the session goes on is looked at elsewhere. Without it everybody
   * may whose session does.
   */
  allowed?(db: Db, followers: readonly Follower[]): Promise<readonly Follower[]>;
  /** For feeds that know who is connected. */
  readonly connections?: Connections;
}

/** Somebody who follows a key. */
interface Follower {
  readonly key: string;
  readonly userId: string;
}

export interface Connection extends Follower {
  readonly id: string;
}

/** What a feed keeps of connections; each call is for all that came together. What they publish follows them. */
export interface Connections {
  opened(process: FeedProcess, connections: readonly Connection[]): Promise<readonly Signal[]>;
  closed(process: FeedProcess, connections: readonly Connection[]): Promise<readonly Signal[]>;
  /** These processes died; their rows go in the same transaction. */
  abandoned(trx: Trx, processIds: readonly string[], now: Date): Promise<readonly Signal[]>;
}

/** The process that asks. */
export interface FeedProcess {
  readonly db: Db;
  /** Its row in live_processes. */
  readonly processId: string;
  readonly now: () => Date;
}

const encoder = new TextEncoder();

/** An event of an event stream (HTML, "Server-sent events"). @param data becomes JSON, which has no line breaks */
export function eventFrame(event: string, data: unknown, id?: string): Uint8Array {
  const head = id === undefined ? "" : `id: ${id}\n`;
  return encoder.encode(`${head}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

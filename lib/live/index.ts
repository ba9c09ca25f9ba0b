import { z } from "zod";
import type { Db, Trx } from "@/db/schema";
import type { EventStream } from "@/lib/contract";

/**
 * Live updates for the clients that follow something in this process. The database is the truth: a signal is only a
 * hint to read it, so a lost one only delays delivery.
 */
export interface Live {
  /** Notifies every process. Never throws and is not awaited: call it once the change is committed. */
  publish(signal: Signal): void;
  /**
   * Opens a stream of one key of a feed: the state, then the entries after `lastEventId`, then new ones. An unknown
   * id gives `reset` after the state.
   * @throws Refusal too_many_streams, not_authenticated, and whatever `authorize` throws
   */
  follow(feed: Feed, key: string, subscription: Subscription): Promise<EventStream>;
  /** Ends every stream and sends no more signals. */
  close(): Promise<void>;
}

/** Who wants to follow, and from where. */
export interface Subscription {
  readonly caller: { readonly userId: string; readonly session: { readonly id: string } };
  /** Id of the last event the client received before it reconnected. */
  readonly lastEventId: string | null;
  /** Checks the caller's rights. Called when every later change already ends the stream, so that none is missed. */
  readonly authorize?: () => Promise<void>;
}

/** A change, published after it is committed. */
export const signalSchema = z.discriminatedUnion("kind", [
  /** A topic's chat has entries up to this position. A calm signal can wait for others like it: many react at once. */
  z.object({
    kind: z.literal("chat"),
    topicId: z.uuid(),
    position: z.int(),
    calm: z.boolean().optional(),
  }),
  z.object({ kind: z.literal("presence"), topicId: z.uuid() }),
  /** Somebody commented on a post. */
  z.object({ kind: z.literal("thread"), postId: z.uuid() }),
  /** The notifications or unread counts of these users changed. */
  z.object({ kind: z.literal("inbox"), userIds: z.array(z.string()).readonly() }),
  /**
   * Rights were removed: streams of this user (without one, of everyone) in this topic (without one, in all) are
   * checked again and closed where they are no longer allowed.
   */
  z.object({ kind: z.literal("access"), topicId: z.uuid().optional(), userId: z.string().optional() }),
]);
export type Signal = Readonly<z.infer<typeof signalSchema>>;

/** An entry of a log. Its frame is encoded once and shared by all followers. */
export interface LogEntry {
  /** Larger than that of the entry before; entries become visible in this order. */
  readonly position: number;
  /** An event with the entry's id as event id (`eventFrame`). */
  readonly frame: Uint8Array;
  /** Whether it replaces what earlier entries said: they are read from the database again, not sent from memory. */
  readonly rewrites?: boolean;
}

/** The current end of a log. */
export interface Look {
  /** Position of the newest entry; 0 for an empty log. */
  readonly position: number;
  /** Changes whenever the result of `state` may have changed. */
  readonly version: string;
}

/**
 * The source of an event stream: a log of entries per key, and a state per key that is sent first and whenever it
 * changes (who is present, how much is unread). A feed is a constant of its module: each process keeps one room per
 * feed and followed key, reads new entries once, and sends them to all.
 *
 * All data comes from the database: signals say when to read it, and everything followed is polled every few seconds
 * anyway.
 */
export interface Feed {
  /**
   * What keys are. `topic`: follows the signals `chat` (new entries) and `presence` (new state) of this topicId.
   * `user`: follows the signals `inbox` that name this user (both may be new).
   * `post`: follows the signals `thread` (new state) of this postId.
   */
  readonly keyedBy: "topic" | "user" | "post";
  /** Reads the ends of many logs in one query. May leave out keys without entries. */
  look(db: Db, keys: readonly string[]): Promise<ReadonlyMap<string, Look>>;
  /** Reads the entries after a position, oldest first, at most `limit`. */
  after(db: Db, key: string, position: number, limit: number): Promise<readonly LogEntry[]>;
  /** Returns the position of the entry with this id (Last-Event-ID, any text); null when it is unknown. */
  positionOf(db: Db, key: string, id: string): Promise<number | null>;
  /** Returns the event with the current state. */
  state(db: Db, key: string): Promise<Uint8Array>;
  /**
   * Returns which of these may still follow, in one query. Sessions are checked elsewhere; without this method an
   * active session is enough.
   */
  allowed?(db: Db, followers: readonly Follower[]): Promise<readonly Follower[]>;
  readonly connections?: Connections;
}

interface Follower {
  readonly key: string;
  readonly userId: string;
}

export interface Connection extends Follower {
  readonly id: string;
}

/**
 * How a feed records connections; each call is for all that changed together. Returns the signals to publish
 * afterwards.
 */
export interface Connections {
  opened(process: FeedProcess, connections: readonly Connection[]): Promise<readonly Signal[]>;
  closed(process: FeedProcess, connections: readonly Connection[]): Promise<readonly Signal[]>;
  /** Handles dead processes, whose rows are deleted in the same transaction. */
  abandoned(trx: Trx, processIds: readonly string[], now: Date): Promise<readonly Signal[]>;
}

export interface FeedProcess {
  readonly db: Db;
  readonly processId: string;
  readonly now: () => Date;
}

const encoder = new TextEncoder();

/**
 * Encodes an event of an event stream (HTML, "Server-sent events"). @param data becomes JSON, which has no line
 * breaks
 */
export function eventFrame(event: string, data: unknown, id?: string): Uint8Array {
  const head = id === undefined ? "" : `id: ${id}\n`;
  return encoder.encode(`${head}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

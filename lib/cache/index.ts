/**
 * Short-lived shared state: challenges, revocations, counters. One small interface; back ends stand beside it
 * (embedded: a table in the database; Redis; Upstash).
 */
export interface Cache {
  get(key: string): Promise<string | null>;
  /** Stores for `seconds`; with `onlyIfAbsent` returns false when the key exists. */
  set(key: string, value: string, seconds: number, onlyIfAbsent?: boolean): Promise<boolean>;
  /** Adds one and returns the new value; the expiry is set when the counter starts. */
  increment(key: string, seconds: number): Promise<{ value: number; expiresInSeconds: number }>;
  delete(key: string): Promise<void>;
  /**
   * Tells whoever is subscribed to the channel, in every process. Messages are hints: one may be lost, and whoever
   * follows them looks at the database now and then by himself. Never await it inside a transaction.
   * @param message at most 7,000 bytes, without line breaks (JSON)
   */
  publish(channel: string, message: string): Promise<void>;
  /**
   * Calls `onMessage` with whatever is published from now on; resolves when that is in force. While the back end is
   * away it resolves too: that is made up for when it is back, and `onRestored` says that messages may have been lost.
   * @param channel at most 50 of A-Z, a-z, 0-9, `:`, `-`, `_`
   */
  subscribe(
    channel: string,
    onMessage: (message: string) => void,
    onRestored?: () => void,
  ): Promise<Unsubscribe>;
  close(): Promise<void>;
}

/** Ends one subscription; never throws. */
export type Unsubscribe = () => Promise<void>;

/** Short-lived state that processes share, in a database table (embedded), Redis or Upstash. */
export interface Cache {
  get(key: string): Promise<string | null>;
  /** Stores a value for `seconds`. With `onlyIfAbsent`, returns false if the key exists. */
  set(key: string, value: string, seconds: number, onlyIfAbsent?: boolean): Promise<boolean>;
  /** Adds to a counter (default 1) and returns the new value. The first increment sets the expiry. */
  increment(key: string, seconds: number, by?: number): Promise<{ value: number; expiresInSeconds: number }>;
  delete(key: string): Promise<void>;
  /**
   * Sends a message to the channel's subscribers in every process. Messages are hints that may be lost, so subscribers
   * must also poll the database. Never await it inside a transaction.
   * @param message at most 7,000 bytes, without line breaks (JSON)
   */
  publish(channel: string, message: string): Promise<void>;
  /**
   * Calls `onMessage` for every message from now on. Resolves when subscribed. Resolves also while the back end is away,
   * and subscribes when it is back; `onRestored` then reports that messages may have been lost.
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

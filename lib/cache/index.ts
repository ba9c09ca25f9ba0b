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
  /** Reads and deletes atomically: two callers never both receive the value. */
  take(key: string): Promise<string | null>;
  close(): Promise<void>;
}

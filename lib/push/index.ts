/** Notifications sent to browsers that are not open (Web Push, RFC 8030). */
export interface Push {
  /** The key browsers subscribe with; null where this installation sends none. */
  readonly publicKey: string | null;
  /** Sends what is due, soon; not waited for. Call it when something may be waiting. */
  wake(): void;
}

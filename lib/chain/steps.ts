/**
 * Steps of a transaction, in their order: it is signed, and not yet committed; it is written down; it was given to
 * the node; it was mined; what follows from it is written, and not yet committed.
 */
export const senderSteps = ["signed", "journaled", "broadcast", "mined", "settling"] as const;
export type SenderStep = (typeof senderSteps)[number];

export interface SenderOptions {
  /** How long the price of one call is reused for the next; default 0. */
  readonly quoteMs?: number;
  /** How long a transaction may wait for its block before its fee is looked at; default 30 s. */
  readonly replaceAfterMs?: number;
  /** How long a transaction may be missing, its number used up, until it counts as lost; default 2 minutes. */
  readonly lostAfterMs?: number;
  /** Told of every step, and awaited; for tests that stop the process there. */
  readonly checkpoint?: (step: SenderStep) => Promise<void>;
}

/** What is to be paid back: a credit, or a transfer that no payment answers. */
export interface Owed {
  id: string;
  chainId: number;
  asset: string;
  payee: string;
  /** Atomic units, decimal. */
  amount: string;
}

/** There is nothing to pay back under this name; the message says why. */
export class NothingOwedError extends Error {
  override name = "NothingOwedError";
}

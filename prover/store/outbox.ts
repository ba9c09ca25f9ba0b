import type { Kysely, Selectable } from "kysely";
import type { Address, Hex } from "viem";
import type { OutboxTable, ProverSchema } from "./schema";

export type OutboxRow = Selectable<OutboxTable>;

/** A signed settlement transaction, before it leaves. */
export interface Signed {
  raw: Hex;
  hash: Hex;
}

/**
 * Settlement transactions of our own keys. What is not written here is never broadcast, and a transaction number is
 * given out here, so that several processes with one key never take the same.
 */
export class Outbox {
  constructor(readonly db: Kysely<ProverSchema>) {}

  /**
   * Takes the account's next transaction number, has it signed and writes it down, as one step of all processes.
   * @param mined the chain's count of the account's transactions, pending ones included
   * @param sign makes the transaction with this number; must not use the database, nor wait for the chain
   */
  append(
    _entry: { paymentId: Hex; chainId: number; account: Address; mined: number },
    _sign: (nonce: number) => Promise<Signed>,
  ): Promise<Signed> {
    throw new Error("not written yet");
  }
}

import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import type { Address, Hex } from "viem";
import { addressSchema, hex32Schema, hexSchema } from "@/lib/proofs/hex";
import type { OutboxTable, ProverSchema } from "./schema";

export type OutboxRow = Selectable<OutboxTable>;

/** A signed settlement transaction, before it leaves. */
export interface Signed {
  raw: Hex;
  hash: Hex;
}

/** One of our accounts on one chain: what transaction numbers are counted for. */
export interface Sender {
  chainId: number;
  account: Address;
}

/**
 * Settlement transactions of our own keys. What is not written here is never broadcast, and a transaction number is
 * given out here, so that several processes with one key never take the same.
 */
export class Outbox {
  constructor(readonly db: Kysely<ProverSchema>) {}

  /**
   * Takes the account's next transaction number, has it signed and writes it down, as one step of all processes. A
   * payment that has an open transaction gets none beside it: that one is returned.
   * @param mined the chain's count of the account's transactions, pending ones included
   * @param sign makes the transaction with this number; must not use the database, nor wait for the chain
   */
  async append(
    { paymentId, mined, ...sender }: { paymentId: Hex; mined: number } & Sender,
    sign: (nonce: number) => Promise<Signed>,
  ): Promise<Signed> {
    return await this.#locked(sender, async (trx) => {
      const own = trx.selectFrom("outbox").where("chain_id", "=", sender.chainId);
      const open = await own
        .selectAll()
        .where("payment_id", "=", paymentId)
        .where("closed_at", "is", null)
        .orderBy("created_at", "desc")
        .executeTakeFirst();
      if (open) return signedOf(open);
      // Closed rows count too: `mined` was read before the lock, and a node may be behind.
      const highest = await own
        .select(({ fn }) => fn.max("tx_nonce").as("nonce"))
        .where("account", "=", sender.account)
        .executeTakeFirst();
      const nonce = Math.max(mined, (highest?.nonce ?? -1) + 1);
      const signed = await sign(nonce);
      await insert(trx, { ...sender, paymentId, nonce }, signed);
      return signed;
    });
  }

  /**
   * Writes down another transaction with the number of `row`, unless somebody else did since `row` was read.
   * @param sign as for `append`
   * @returns undefined when `row` is not its number's newest any more
   */
  async replace(row: OutboxRow, sign: () => Promise<Signed>): Promise<Signed | undefined> {
    const sender = { chainId: row.chain_id, account: addressSchema.parse(row.account) };
    return await this.#locked(sender, async (trx) => {
      const newest = await trx
        .selectFrom("outbox")
        .select("hash")
        .where("chain_id", "=", sender.chainId)
        .where("account", "=", sender.account)
        .where("tx_nonce", "=", row.tx_nonce)
        .where("closed_at", "is", null)
        .orderBy("created_at", "desc")
        .executeTakeFirst();
      if (newest?.hash !== row.hash) return undefined;
      const signed = await sign();
      const paymentId = hex32Schema.parse(row.payment_id);
      await insert(trx, { ...sender, paymentId, nonce: row.tx_nonce }, signed);
      return signed;
    });
  }

  /** What may still have to be mined, in the order of its numbers; of one number the oldest first. */
  async open(sender: Sender): Promise<OutboxRow[]> {
    return await this.db
      .selectFrom("outbox")
      .selectAll()
      .where("chain_id", "=", sender.chainId)
      .where("account", "=", sender.account)
      .where("closed_at", "is", null)
      .orderBy("tx_nonce")
      .orderBy("created_at")
      .execute();
  }

  /** Remembers that a transaction failed on chain. */
  async reverted(hash: string): Promise<void> {
    await this.db
      .updateTable("outbox")
      .set({ reverted_at: new Date() })
      .where("hash", "=", hash)
      .where("reverted_at", "is", null)
      .execute();
  }

  /** Whether a settlement of this payer failed on chain since a moment. */
  async hasReverted(payer: Address, since: Date): Promise<boolean> {
    const found = await this.db
      .selectFrom("outbox")
      .innerJoin("payment", "payment.id", "outbox.payment_id")
      .select("outbox.hash")
      .where("payment.payer", "=", payer)
      .where("outbox.reverted_at", ">", since)
      .executeTakeFirst();
    return found !== undefined;
  }

  /** Everything ever signed for a payment, the newest first. */
  async ofPayment(paymentId: Hex): Promise<OutboxRow[]> {
    return await this.db
      .selectFrom("outbox")
      .selectAll()
      .where("payment_id", "=", paymentId)
      .orderBy("created_at", "desc")
      .execute();
  }

  /**
   * Sets what is open to what the chain says: numbers below its count of mined transactions are used up, and those
   * at or above it are not, not even such as were before a reorganisation.
   */
  async close(sender: Sender, mined: number): Promise<void> {
    const rows = this.db
      .updateTable("outbox")
      .where("chain_id", "=", sender.chainId)
      .where("account", "=", sender.account);
    await rows
      .set({ closed_at: new Date() })
      .where("tx_nonce", "<", mined)
      .where("closed_at", "is", null)
      .execute();
    await rows
      .set({ closed_at: null })
      .where("tx_nonce", ">=", mined)
      .where("closed_at", "is not", null)
      .execute();
  }

  /** Runs a transaction no other one of this account runs beside, in this process or another. */
  async #locked<T>(sender: Sender, work: (trx: Transaction<ProverSchema>) => Promise<T>): Promise<T> {
    const name = `outbox:${sender.chainId}:${sender.account}`;
    return await this.db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(trx);
      return await work(trx);
    });
  }
}

async function insert(
  trx: Transaction<ProverSchema>,
  entry: { paymentId: Hex; nonce: number } & Sender,
  signed: Signed,
): Promise<void> {
  await trx
    .insertInto("outbox")
    .values({
      hash: signed.hash,
      payment_id: entry.paymentId,
      chain_id: entry.chainId,
      account: entry.account,
      tx_nonce: entry.nonce,
      raw: signed.raw,
      created_at: new Date(),
      closed_at: null,
      reverted_at: null,
    })
    .execute();
}

/** @throws Error when the row was not written by us */
export function signedOf(row: OutboxRow): Signed {
  return { raw: hexSchema.parse(row.raw), hash: hex32Schema.parse(row.hash) };
}

import { type Kysely, sql } from "kysely";
import type { Address, Hex } from "viem";
import type { ProverSchema } from "./schema";

export interface Recipient {
  chainId: number;
  asset: Address;
  payTo: Address;
}

/** One Transfer log. */
export interface FoundTransfer {
  transaction: Hex;
  /** Among the logs of its transaction: a block's log index changes with a reorganization. */
  position: number;
  payer: Address;
  /** Atomic units. */
  amount: bigint;
  block: bigint;
  at: Date;
}

/**
 * What became of a transfer. `unmatched`: no payment names it, and it was not refunded. `open`: its payment is still in
 * progress.
 */
export type TransferEnd = "proof" | "credit" | "refunded" | "open" | "unmatched";

/** A line of the books. */
export type IncomeLine = Awaited<ReturnType<Transfers["lines"]>>[number];

/** Id of a transfer without a payment, in SQL and in `prover -- refund`: `<chain>:<transaction>:<log index>`. */
const transferIdOf = sql<string>`transfer.chain_id || ':' || transfer.tx_hash || ':' || transfer.log_index`;

/** Joins the payment that a transfer settled; by payer and amount if it settled before log indexes were stored. */
const paidBy = sql<boolean>`payment.state <> 'void' and payment.chain_id = transfer.chain_id and payment.tx_hash = transfer.tx_hash and (
  payment.log_index = transfer.log_index or
  (payment.log_index is null and payment.payer = transfer.payer and payment.amount = transfer.amount))`;

const endOf = sql<TransferEnd>`case
  when refund.id is not null then 'refunded'
  when payment.id is null then 'unmatched'
  when payment.state = 'proven' then 'proof'
  when payment.state = 'credited' then 'credit'
  else 'open' end`;

/** Every transfer to our recipients, copied from the chains: what came in, whatever our payments say. */
export class Transfers {
  constructor(readonly db: Kysely<ProverSchema>) {}

  /** Returns where the next search begins: after the last one; at first at the recipient's oldest payment, else at the head. */
  async nextBlock({ chainId, asset, payTo }: Recipient, head: bigint): Promise<bigint> {
    const cursor = await this.db
      .selectFrom("transfer_cursor")
      .select("next_block")
      .where("chain_id", "=", chainId)
      .where("asset", "=", asset)
      .where("pay_to", "=", payTo)
      .executeTakeFirst();
    if (cursor) return BigInt(cursor.next_block);
    const { oldest } = await this.db
      .selectFrom("payment")
      .select(({ fn }) => fn.min("from_block").as("oldest"))
      .where("chain_id", "=", chainId)
      .where("asset", "=", asset)
      .where("pay_to", "=", payTo)
      .where("settlement", "!=", "gateway")
      .executeTakeFirstOrThrow();
    return oldest === null ? head : BigInt(oldest);
  }

  /**
   * Replaces the copied transfers of a range of blocks with the chain's current ones. A transfer that a reorganization
   * removed goes, and comes back with the block that includes it again.
   */
  async replace(
    { chainId, asset, payTo }: Recipient,
    { from, to }: { from: bigint; to: bigint },
    found: readonly FoundTransfer[],
  ): Promise<void> {
    await this.db.transaction().execute(async (trx) => {
      await trx
        .deleteFrom("transfer")
        .where("chain_id", "=", chainId)
        .where("asset", "=", asset)
        .where("pay_to", "=", payTo)
        .where("block", ">=", Number(from))
        .where("block", "<=", Number(to))
        // A refunded transfer stays listed, whatever became of its block.
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom("refund").select("refund.id").where("refund.id", "=", transferIdOf))),
        )
        .execute();
      if (found.length > 0) {
        await trx
          .insertInto("transfer")
          .values(
            found.map(({ transaction, position, amount, block, payer, at }) => ({
              ...{ chain_id: chainId, tx_hash: transaction, log_index: position },
              ...{ asset, payer, pay_to: payTo, amount: amount.toString(), block: Number(block), at },
            })),
          )
          .onConflict((oc) =>
            oc.columns(["chain_id", "tx_hash", "log_index"]).doUpdateSet((eb) => ({
              block: eb.ref("excluded.block"),
              at: eb.ref("excluded.at"),
            })),
          )
          .execute();
      }
      const next_block = Number(to) + 1;
      await trx
        .insertInto("transfer_cursor")
        .values({ chain_id: chainId, asset, pay_to: payTo, next_block })
        .onConflict((oc) =>
          oc
            .columns(["chain_id", "asset", "pay_to"])
            .doUpdateSet({ next_block: sql`greatest(transfer_cursor.next_block, ${next_block})` }),
        )
        .execute();
    });
  }

  /** Returns the books: a line per transfer in a span of time, oldest first. */
  async lines({ from, until, end }: { from?: Date; until?: Date; end?: TransferEnd } = {}) {
    let query = this.#joined()
      .select([
        "transfer.chain_id",
        "transfer.tx_hash",
        "transfer.log_index",
        "transfer.asset",
        "transfer.payer",
        "transfer.pay_to",
        "transfer.amount",
        "transfer.at",
        "payment.id as payment_id",
        "payment.circuit",
        "refund.tx_hash as refund",
      ])
      .select(endOf.as("end"))
      .orderBy("transfer.at")
      .orderBy("transfer.chain_id")
      .orderBy("transfer.tx_hash")
      .orderBy("transfer.log_index");
    if (from) query = query.where("transfer.at", ">=", from);
    if (until) query = query.where("transfer.at", "<", until);
    if (end) query = query.where(endOf, "=", end);
    const rows = await query.execute();
    return rows.map((row) => ({
      ...{ chainId: Number(row.chain_id), transaction: row.tx_hash, logIndex: row.log_index },
      ...{ asset: row.asset, payer: row.payer, payTo: row.pay_to, amount: row.amount, at: row.at },
      ...{ end: row.end, paymentId: row.payment_id, circuit: row.circuit, refund: row.refund },
    }));
  }

  /** Counts unmatched transfers by chain and token; recent ones are left out, since their payment may still come. */
  async unmatched(before: Date) {
    const rows = await this.#joined()
      .select(["transfer.chain_id", "transfer.asset", ({ fn }) => fn.countAll().as("count")])
      .select(sql<string>`sum(transfer.amount::numeric)`.as("amount"))
      .where("transfer.at", "<", before)
      .where(endOf, "=", "unmatched")
      .groupBy(["transfer.chain_id", "transfer.asset"])
      .execute();
    return rows.map(({ chain_id, asset, count, amount }) => ({
      ...{ chainId: Number(chain_id), asset, count: Number(count), amount: Number(amount) },
    }));
  }

  #joined() {
    return this.db
      .selectFrom("transfer")
      .leftJoin("payment", (join) => join.on(paidBy))
      .leftJoin("refund", (join) =>
        join.on(({ or, eb }) =>
          or([eb("refund.id", "=", transferIdOf), eb("refund.id", "=", eb.ref("payment.id"))]),
        ),
      );
  }
}

/**
 * Returns what a transfer without a payment is worth, and keeps it from changing until `db`, if a transaction, ends.
 * @param id `<chain>:<transaction>:<position>`
 * @throws NothingOwedError
 */
export async function transferWithoutPayment(db: Kysely<ProverSchema>, id: string): Promise<Owed> {
  const row = await db
    .selectFrom("transfer")
    .selectAll()
    .where(transferIdOf, "=", id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new NothingOwedError("there is no such transfer");
  const payment = await db
    .selectFrom("payment")
    .innerJoin("transfer", (join) => join.on(paidBy))
    .select(["payment.id", "payment.state"])
    .where(transferIdOf, "=", id)
    .executeTakeFirst();
  if (payment)
    throw new NothingOwedError(`that transfer settled payment ${payment.id}, which is ${payment.state}`);
  return { id, chainId: Number(row.chain_id), asset: row.asset, payee: row.payer, amount: row.amount };
}

/** What can be refunded: a credit, or an unmatched transfer. */
export interface Owed {
  id: string;
  chainId: number;
  asset: string;
  payee: string;
  /** Atomic units, decimal. */
  amount: string;
}

/** There is nothing to refund under this id; the message says why. */
export class NothingOwedError extends Error {
  override name = "NothingOwedError";
}

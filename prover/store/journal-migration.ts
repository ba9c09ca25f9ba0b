import { type Kysely, sql } from "kysely";
import { type Hex, parseTransaction, recoverTransactionAddress } from "viem";
import { hexSchema } from "@/lib/proofs/hex";
import type { Migration } from "@/lib/sql/index";

/** Replaces the outbox with the journal of lib/chain, and a table of the payments that its transactions settle. */
export const chainJournal: Migration = {
  kind: "contract",
  async up(db: Kysely<unknown>) {
    for (const statement of tables) await sql.raw(statement).execute(db);
    await copyOutbox(db);
    await db.schema.dropTable("outbox").execute();
  },
};

/** Moves signed refunds into the journal, which sends them from now on. */
export const refundJournal: Migration = {
  kind: "contract",
  async up(db: Kysely<unknown>) {
    await sql`alter table refund add column transaction_id uuid unique
      references prover_chain.chain_transactions (id)`.execute(db);
    const { rows } = await sql<RefundRow>`select id, chain_id, raw, tx_hash as hash, created_at from refund
      where raw is not null and confirmed_at is null`.execute(db);
    for (const { id, chain_id, ...signature } of rows) {
      const raw = hexSchema.parse(signature.raw);
      const account = await recoverTransactionAddress({ serializedTransaction: eip1559(raw) });
      const { nonce = 0 } = parseTransaction(raw);
      await sql`insert into prover_chain.chain_wallets as wallet (chain_id, address, next_nonce)
        values (${chain_id}, ${account}, ${nonce + 1})
        on conflict (chain_id, address)
          do update set next_nonce = greatest(wallet.next_nonce, excluded.next_nonce)`.execute(db);
      const transaction = { chain_id, account, tx_nonce: nonce, state: "open", mined: null };
      const journaled = await insertTransaction(db, transaction, [signature]);
      await sql`update refund set transaction_id = ${journaled} where id = ${id}`.execute(db);
    }
    await sql`alter table refund drop column raw`.execute(db);
  },
};

function eip1559(raw: Hex): `0x02${string}` {
  return `0x02${raw.slice(4)}`;
}

/** A refund that was signed and whose outcome is not known. */
interface RefundRow extends Signature {
  id: string;
  chain_id: number;
}

const tables = [
  "create schema if not exists prover_chain",
  `create table prover_chain.chain_wallets (
    chain_id int not null,
    address text not null,
    next_nonce bigint not null check (next_nonce >= 0),
    primary key (chain_id, address)
  )`,
  `create table prover_chain.chain_transactions (
    id uuid primary key default gen_random_uuid(),
    chain_id int not null,
    wallet text not null,
    nonce bigint not null,
    recipient text not null,
    data text not null,
    gas bigint not null,
    state text not null default 'open' check (state in ('open', 'succeeded', 'failed', 'lost')),
    created_at timestamptz not null,
    missing_since timestamptz,
    mined_hash text,
    block_number bigint,
    foreign key (chain_id, wallet) references prover_chain.chain_wallets (chain_id, address),
    unique (chain_id, wallet, nonce)
  )`,
  `create index chain_transactions_open on prover_chain.chain_transactions (chain_id, wallet, nonce)
    where state = 'open'`,
  `create table prover_chain.chain_signatures (
    hash text primary key,
    transaction_id uuid not null references prover_chain.chain_transactions (id),
    raw text not null,
    max_fee_per_gas text not null,
    max_priority_fee_per_gas text not null,
    created_at timestamptz not null
  )`,
  `create index chain_signatures_transaction on prover_chain.chain_signatures (transaction_id, created_at)`,
  `create table settlement_transaction (
    transaction_id uuid primary key references prover_chain.chain_transactions (id),
    payment_id text not null references payment (id),
    reverted_at timestamptz
  )`,
  "create index settlement_transaction_payment on settlement_transaction (payment_id)",
  `create index settlement_transaction_reverted on settlement_transaction (reverted_at)
    where reverted_at is not null`,
];

/** One signed form of a transaction. */
interface Signature {
  hash: string;
  raw: string;
  created_at: Date;
}

/** A row of the outbox. */
interface OutboxRow extends Signature {
  payment_id: string;
  chain_id: number;
  account: string;
  tx_nonce: number;
  closed_at: Date | null;
  reverted_at: Date | null;
  /** The payment's settlement. */
  settled_by: string | null;
}

async function copyOutbox(db: Kysely<unknown>): Promise<void> {
  await sql`insert into prover_chain.chain_wallets (chain_id, address, next_nonce)
    select chain_id, account, max(tx_nonce) + 1 from outbox group by chain_id, account`.execute(db);
  const { rows } = await sql<OutboxRow>`select outbox.*, payment.tx_hash as settled_by
    from outbox join payment on payment.id = outbox.payment_id order by outbox.created_at`.execute(db);
  // A replacement was another row with the same nonce.
  const transactions = new Map<string, [OutboxRow, ...OutboxRow[]]>();
  for (const row of rows) {
    const key = `${row.chain_id} ${row.account} ${row.tx_nonce}`;
    const known = transactions.get(key);
    if (known) known.push(row);
    else transactions.set(key, [row]);
  }
  for (const signatures of transactions.values()) await copyTransaction(db, signatures);
}

async function copyTransaction(db: Kysely<unknown>, signatures: [OutboxRow, ...OutboxRow[]]): Promise<void> {
  const [first] = signatures;
  const settled = signatures.find(({ hash, settled_by }) => hash === settled_by);
  const failed = signatures.find(({ reverted_at }) => reverted_at !== null);
  const mined = first.closed_at === null ? undefined : (settled ?? failed);
  // The outbox did not store outcomes. If no other row has it, the next sweep asks the chain.
  const state = mined === undefined ? "open" : mined === settled ? "succeeded" : "failed";
  const id = await insertTransaction(db, { ...first, state, mined: mined?.hash ?? null }, signatures);
  await sql`insert into settlement_transaction (transaction_id, payment_id, reverted_at)
    values (${id}, ${first.payment_id}, ${failed?.reverted_at ?? null})`.execute(db);
}

/** Returns the id of the stored transaction, whose call and gas are those of its first signature. */
async function insertTransaction(
  db: Kysely<unknown>,
  {
    chain_id,
    account,
    tx_nonce,
    state,
    mined,
  }: Pick<OutboxRow, "chain_id" | "account" | "tx_nonce"> & { state: string; mined: string | null },
  signatures: readonly [Signature, ...Signature[]],
): Promise<string | undefined> {
  const [first] = signatures;
  const { to, data = "0x", gas = 0n } = parseTransaction(hexSchema.parse(first.raw));
  const { rows } = await sql<{ id: string }>`insert into prover_chain.chain_transactions
      (chain_id, wallet, nonce, recipient, data, gas, state, created_at, mined_hash)
    values (${chain_id}, ${account}, ${tx_nonce}, ${to}, ${data}, ${Number(gas)}, ${state},
      ${first.created_at}, ${mined})
    returning id`.execute(db);
  const id = rows[0]?.id;
  for (const { hash, raw, created_at } of signatures) {
    const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = parseTransaction(hexSchema.parse(raw));
    await sql`insert into prover_chain.chain_signatures
        (hash, transaction_id, raw, max_fee_per_gas, max_priority_fee_per_gas, created_at)
      values (${hash}, ${id}, ${raw}, ${maxFeePerGas.toString()}, ${maxPriorityFeePerGas.toString()},
        ${created_at})`.execute(db);
  }
  return id;
}

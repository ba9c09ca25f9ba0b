import { sql } from "kysely";
import { type Hex, keccak256 } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createDatabase, type Database, migrate } from "@/lib/sql/index";
import { emptyTemplate } from "@/lib/testing/empty";
import { Credits } from "./credits";
import { migrations, proverRelease } from "./migrations";
import { Refunds } from "./refunds";
import type { ProverSchema } from "./schema";
import { Settlements } from "./settlements";

const account = privateKeyToAccount(`0x${"11".repeat(32)}`);
const wallet = { chainId: 8453, address: account.address };
const call = { to: `0x${"22".repeat(20)}`, data: "0xabcd" } as const;
const idOf = (payment: number): Hex => `0x${String(payment).padStart(64, "0")}`;

async function signed(nonce: number, maxFeePerGas: bigint) {
  const raw = await account.signTransaction({
    ...{ type: "eip1559", chainId: 8453, ...call, gas: 60_000n, nonce },
    ...{ maxFeePerGas, maxPriorityFeePerGas: 1n },
  });
  return { nonce, raw, hash: keccak256(raw) };
}

describe("refunds that an earlier release had signed", () => {
  let database: Database<ProverSchema>;
  beforeAll(async () => {
    database = await createDatabase<ProverSchema>({ url: "pglite:memory", template: await emptyTemplate() });
  });
  afterAll(async () => await database.close());

  it("are in the journal while their outcome is not known, with the wallet's next nonce after them", async () => {
    const { db } = database;
    const earlier = Object.entries(migrations).filter(([name]) => name < "009");
    await migrate(db, { ...proverRelease, migrations: Object.fromEntries(earlier) });
    const [confirmed, open] = [await signed(3, 10n), await signed(4, 10n)];
    const rows = [
      { id: idOf(1), hash: confirmed.hash, raw: confirmed.raw, confirmed: new Date() },
      { id: idOf(2), hash: open.hash, raw: open.raw, confirmed: null },
      { id: idOf(3), hash: idOf(9), raw: null, confirmed: new Date() },
    ];
    for (const { id, hash, raw, confirmed: at } of rows) {
      await sql`insert into refund (id, chain_id, asset, payee, amount, tx_hash, raw, created_at, confirmed_at)
        values (${id}, 8453, '0x', '0x', '100000', ${hash}, ${raw}, now(), ${at})`.execute(db);
    }
    await migrate(db, proverRelease);

    const { journal } = new Settlements(db);
    const refunds = new Refunds(db, new Credits(db), journal);
    expect(await refunds.open()).toMatchObject([
      { id: idOf(2), chainId: 8453, wallet: account.address, nonce: 4, state: "open", hashes: [open.hash] },
    ]);
    expect(await journal.open(wallet)).toMatchObject([
      { nonce: 4, ...call, signatures: [{ raw: open.raw }] },
    ]);
    const wallets = await db.selectFrom("prover_chain.chain_wallets").select("next_nonce").execute();
    expect(wallets).toEqual([{ next_nonce: 5 }]);
  });
});

describe("settlement transactions that an earlier release had signed", () => {
  let database: Database<ProverSchema>;
  let sent: Awaited<ReturnType<typeof signed>>[];

  beforeAll(async () => {
    database = await createDatabase<ProverSchema>({ url: "pglite:memory", template: await emptyTemplate() });
    const { db } = database;
    const earlier = Object.entries(migrations).filter(([name]) => name < "008");
    await migrate(db, { ...proverRelease, migrations: Object.fromEntries(earlier) });
    sent = [await signed(5, 10n), await signed(6, 10n), await signed(7, 10n), await signed(8, 10n)];
    sent.push(await signed(8, 20n));
    const [settled, reverted, closed] = sent;
    for (const payment of [5, 6, 7, 8]) {
      await sql`insert into payment (id, network, chain_id, asset, payer, pay_to, amount, settlement, circuit,
          input_hash, state, from_block, job_token_hash, created_at, tx_hash)
        values (${idOf(payment)}, 'eip155:8453', 8453, '0x', ${idOf(payment)}, '0x', '100000', 'payee', 'c', '0x',
          'settling', 1, ${idOf(payment)}, now(), ${payment === 5 ? settled?.hash : null})`.execute(db);
    }
    for (const [i, { nonce, raw, hash }] of sent.entries()) {
      await sql`insert into outbox (hash, payment_id, chain_id, account, tx_nonce, raw, created_at, closed_at, reverted_at)
        values (${hash}, ${idOf(nonce)}, 8453, ${account.address}, ${nonce}, ${raw}, ${new Date(1000 * i)},
          ${[settled?.hash, reverted?.hash, closed?.hash].includes(hash) ? new Date() : null},
          ${hash === reverted?.hash ? new Date() : null})`.execute(db);
    }
    await migrate(db, proverRelease);
  });
  afterAll(async () => await database.close());

  it("are in the journal, each with all its signatures, and belong to their payments", async () => {
    const settlements = new Settlements(database.db);
    const hashes = await Promise.all([5, 6, 7, 8].map((payment) => settlements.hashes(idOf(payment))));
    const [settled, reverted, closed, cheap, dear] = sent.map(({ hash }) => hash);
    expect(hashes).toEqual([[settled], [reverted], [closed], [dear, cheap]]);
    const rows = await database.db
      .selectFrom("prover_chain.chain_transactions")
      .select(["nonce", "state", "mined_hash"])
      .orderBy("nonce")
      .execute();
    expect(rows).toEqual([
      { nonce: 5, state: "succeeded", mined_hash: settled },
      { nonce: 6, state: "failed", mined_hash: reverted },
      // The outbox did not say what became of it.
      { nonce: 7, state: "open", mined_hash: null },
      { nonce: 8, state: "open", mined_hash: null },
    ]);
    const since = new Date(Date.now() - 60_000);
    const paused = [5, 6].map((payment) => settlements.hasReverted(idOf(payment), since));
    expect(await Promise.all(paused)).toEqual([false, true]);
  });

  it("are sent on as they were signed, and the next one has the next number", async () => {
    const settlements = new Settlements(database.db);
    const { journal } = settlements;
    const open = await journal.open(wallet);
    expect(open).toMatchObject([
      { nonce: 7, gas: 60_000, ...call },
      { nonce: 8, signatures: [{ raw: sent[4]?.raw, maxFeePerGas: 20n }, { raw: sent[3]?.raw }] },
    ]);
    const entry = { wallet, call, gas: 1n, floor: 0 };
    const numbers: number[] = [];
    await settlements.begin(idOf(5), (trx) =>
      journal.append(trx, entry, async (nonce) => {
        numbers.push(nonce);
        return { ...(await signed(nonce, 1n)), maxFeePerGas: 1n, maxPriorityFeePerGas: 1n, at: new Date() };
      }),
    );
    expect(numbers).toEqual([9]);
  });
});

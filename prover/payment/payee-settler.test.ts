import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { SenderStep } from "@/lib/chain/sender";
import { createDatabase, type Database, migrate } from "@/lib/sql/index";
import { startPostgres, type TestPostgres } from "@/lib/sql/testing";
import { emptyTemplate } from "@/lib/testing/empty";
import { proverRelease } from "../store/migrations";
import type { ProverSchema } from "../store/schema";
import { Settlements } from "../store/settlements";
import { submitTogether } from "../testing/batch";
import { type OwnKeyWorld, startOwnKeyWorld } from "../testing/own-key";
import { createPayer } from "../testing/payer";
import { twoFacedWallet } from "../testing/wallets";
import { gasBudget } from "./gas";
import { SettlementUnavailableError } from "./settler";

const price = 100_000n;

let world: OwnKeyWorld;
let embedded: Database<ProverSchema>;
const postgres: TestPostgres | undefined = await startPostgres();

beforeAll(async () => {
  [world, embedded] = await Promise.all([
    startOwnKeyWorld(),
    emptyTemplate().then((template) => createDatabase<ProverSchema>({ url: "pglite:memory", template })),
  ]);
  await migrate(embedded.db, proverRelease);
});
afterAll(async () => {
  await Promise.all([world.stop(), embedded.close(), postgres?.close()]);
});

/** The numbers given out, in order. */
async function numbers(database: Database<ProverSchema>): Promise<number[]> {
  return (await world.written(database.db)).map((row) => row.nonce);
}

describe.each(["PGlite", postgres ? "PostgreSQL" : "PostgreSQL (skipped: no `postgres` program)"])(
  "two settlers with one key on %s",
  (engine) => {
    let databases: Database<ProverSchema>[] = [];
    beforeAll(async () => {
      if (engine === "PGlite") databases = [embedded];
      else if (postgres) {
        const url = await postgres.createDatabase("settlers");
        databases = [await createDatabase({ url }), await createDatabase({ url })];
        for (const { db } of databases.slice(0, 1)) await migrate(db, proverRelease);
      }
    });
    afterAll(async () => {
      for (const each of databases) if (each !== embedded) await each.close();
    });

    it.skipIf(engine.includes("skipped"))("settle twenty payments at once, each once", async () => {
      const [one = embedded, two = one] = databases;
      const settlers = [world.settler(one.db), world.settler(two.db)];
      const paid = [];
      for (let i = 0; i < 20; i += 1) paid.push(await world.payment(one.db));
      const before = await world.received();
      const first = await world.chain.client.getTransactionCount({ address: world.account });
      const results = await Promise.all(
        paid.map(({ payment, row }, i) => settlers[i % 2]?.settle(payment, row)),
      );
      expect(results.map((result) => result?.status)).toEqual(Array(20).fill("settled"));
      expect(await world.received()).toBe(before + price * 20n);
      expect(await numbers(one)).toEqual(Array.from({ length: 20 }, (_, i) => first + i));
    });

    it.skipIf(engine.includes("skipped"))("send one transaction for a payment both settle", async () => {
      const [one = embedded, two = one] = databases;
      const { payment, row } = await world.payment(one.db);
      const [before, known] = [await world.received(), (await numbers(one)).length];
      const results = await Promise.all(
        [one, two, one, two].map(({ db }) => world.settler(db).settle(payment, row)),
      );
      expect(new Set(results.map((result) => JSON.stringify(result))).size).toBe(1);
      expect(results[0]?.status).toBe("settled");
      expect(await world.received()).toBe(before + price);
      expect((await numbers(one)).length).toBe(known + 1);
    });
  },
);

describe("a settlement that is cut off", () => {
  it.each(["signed", "journaled", "broadcast", "mined"] as const)(
    "after %s: the next start settles it, once, with no number lost",
    async (at) => {
      const { db } = embedded;
      const { payment, row } = await world.payment(db);
      const before = await world.received();
      // The chain's count is the next number: the other databases use the same account.
      const free = await world.chain.client.getTransactionCount({ address: world.account });
      const cut = world.settler(db, {
        confirmMs: 500,
        checkpoint: async (step: SenderStep) => {
          if (step !== at) return;
          // A node answers before it mines; what this process would have learned it learns below.
          if (at === "broadcast")
            await vi.waitFor(async () => expect(await world.received()).toBe(before + price));
          throw new Error("the process ended");
        },
      });
      const first = await cut.settle(payment, row);
      const reached = at === "broadcast" || at === "mined";
      expect(first.status).toBe(reached ? "settled" : "unconfirmed");
      expect(await world.received()).toBe(before + (reached ? price : 0n));

      const next = world.settler(db);
      await next.recover();
      expect(await next.settle(payment, row)).toMatchObject({ status: "settled" });
      expect(await world.received()).toBe(before + price);
      expect((await numbers(embedded)).filter((number) => number >= free)).toEqual([free]);
    },
  );
});

describe("a settlement that is not mined", () => {
  let mining = true;
  const stopMining = async () => {
    mining = false;
    await world.control.setAutomine(false);
  };
  const mine = async () => {
    await world.control.mine({ blocks: 1 });
    mining = true;
    await world.control.setAutomine(true);
  };
  beforeEach(async () => {
    if (!mining) await mine();
  });

  it("because the node lost it: the sweep sends it again", async () => {
    const { db } = embedded;
    const settler = world.settler(db, { confirmMs: 300 });
    const { payment, row } = await world.payment(db);
    await stopMining();
    expect(await settler.settle(payment, row)).toEqual({ status: "unconfirmed" });
    const sent = (await world.written(db)).at(-1);
    if (sent) await world.control.dropTransaction({ hash: `0x${sent.hash.slice(2)}` });
    await mine();
    expect(await settler.learn(row)).toEqual({ status: "unconfirmed" });
    await settler.sweep();
    expect(await settler.settle(payment, row)).toMatchObject({ status: "settled", transaction: sent?.hash });
  });

  it("because its fee is too low: one with the same number and a higher fee takes its place", async () => {
    const { db } = embedded;
    const settler = world.settler(db, { confirmMs: 300, replaceAfterMs: 0 });
    const { payment, row } = await world.payment(db);
    await stopMining();
    expect(await settler.settle(payment, row)).toEqual({ status: "unconfirmed" });
    const [cheap] = (await world.written(db)).slice(-1);
    const dear = 100n * 10n ** 9n;
    await world.control.setNextBlockBaseFeePerGas({ baseFeePerGas: dear });
    await world.control.mine({ blocks: 1 });
    expect(await settler.learn(row)).toEqual({ status: "unconfirmed" });

    const { journal } = new Settlements(db);
    const wallet = { chainId: 1, address: world.account };
    const [seen = expect.fail()] = await journal.open(wallet);
    // Two processes sweep at once: one replacement.
    await Promise.all([settler.sweep(), world.settler(db, { replaceAfterMs: 0 }).sweep()]);
    await mine();
    // Nor does a third one, which still believes that the cheap one is the newest.
    const late = await journal.replace(wallet, seen, () => expect.fail("a second replacement"));
    expect(late).toBeUndefined();
    const [before, after] = (await world.written(db)).slice(-2);
    expect([before?.hash, after?.nonce]).toEqual([cheap?.hash, cheap?.nonce]);
    expect(await settler.settle(payment, row)).toMatchObject({ status: "settled", transaction: after?.hash });
    // The number is used up and the next one follows.
    const next = await world.payment(db);
    expect(await settler.settle(next.payment, next.row)).toMatchObject({ status: "settled" });
    expect((await world.written(db)).at(-1)?.nonce).toBe((cheap?.nonce ?? 0) + 1);
    await world.control.setNextBlockBaseFeePerGas({ baseFeePerGas: 1n });
  });

  it("before the authorization expired: void, and its number is used up all the same", async () => {
    const { db } = embedded;
    const settler = world.settler(db, { confirmMs: 300 });
    const now = Number((await world.chain.client.getBlock()).timestamp);
    const { payment, row } = await world.payment(db, { validBefore: now + 100 });
    await stopMining();
    expect(await settler.settle(payment, row)).toEqual({ status: "unconfirmed" });
    await world.control.increaseTime({ seconds: 200 });
    await mine();
    expect(await settler.settle(payment, row)).toEqual({ status: "void", reason: "expired" });
    await settler.sweep();
    const next = await world.payment(db, { validBefore: now + 1000 });
    expect(await settler.settle(next.payment, next.row)).toMatchObject({ status: "settled" });
    const [dead, alive] = (await world.written(db)).slice(-2);
    expect(alive?.nonce).toBe((dead?.nonce ?? 0) + 1);
  });

  it("any more, since its block was reorganized away: the sweep brings it back", async () => {
    const { db } = embedded;
    const settler = world.settler(db);
    const now = Number((await world.chain.client.getBlock()).timestamp);
    const { payment, row } = await world.payment(db, { validBefore: now + 1000 });
    const snapshot = await world.control.snapshot();
    const settled = await settler.settle(payment, row);
    await settler.sweep();
    expect((await world.written(db)).at(-1)?.state).toBe("succeeded");
    await world.control.revert({ id: snapshot });
    expect(await settler.learn(row)).toEqual({ status: "unconfirmed" });
    await settler.sweep();
    // The node mines it a moment after it took it; who asks within that moment is told "unconfirmed", as always.
    if (settled.status !== "settled") expect.fail(settled.status);
    const hash = `0x${settled.transaction.slice(2)}` as const;
    await world.chain.client.waitForTransactionReceipt({ hash, pollingInterval: 20 });
    await world.control.mine({ blocks: 1 });
    expect(await settler.settle(payment, row)).toEqual(settled);
  });
});

describe("the gas of our own settlements", () => {
  const settled = { status: "settled" };

  it("payments F5: is spent once on a wallet that says yes to us and no to its token, however often it asks", async () => {
    const { db } = embedded;
    const payer = createPayer();
    const { payment, row } = await world.payment(db, { payer });
    await world.control.setCode({ address: payer.address, bytecode: twoFacedWallet });
    const settler = world.settler(db, { confirmMs: 300 });
    expect(await settler.verify(payment)).toMatchObject({ ok: true });
    const before = (await world.written(db)).length;
    for (let i = 0; i < 4; i += 1)
      expect(await settler.settle(payment, row)).toEqual({ status: "unconfirmed" });
    const [failed, ...more] = (await world.written(db)).slice(before);
    expect([more, failed?.reverted_at]).toEqual([[], expect.any(Date)]);
    // Nor another payment of the same wallet, within the hour.
    const second = await world.payment(db, { payer });
    expect(await settler.verify(second.payment)).toEqual({ ok: false, reason: "settlement_reverted" });
    await db
      .updateTable("settlement_transaction")
      .set({ reverted_at: new Date(Date.now() - 3_600_001) })
      .execute();
    expect(await settler.verify(second.payment)).toMatchObject({ ok: true });
    await db.updateTable("settlement_transaction").set({ reverted_at: null }).execute();
  });

  it("payments F5: is not blamed on a payer whose payment somebody else submitted", async () => {
    const { db } = embedded;
    const { payment, row } = await world.payment(db);
    const settler = world.settler(db, { confirmMs: 300 });
    await world.control.setAutomine(false);
    try {
      expect(await settler.settle(payment, row)).toEqual({ status: "unconfirmed" });
      const { authorization, signature } = payment.payload.payload;
      const ahead = 50n * 10n ** 9n;
      await submitTogether(world.chain, [{ authorization, signature }], {
        ...{ maxFeePerGas: ahead, maxPriorityFeePerGas: ahead },
      });
    } finally {
      await world.control.mine({ blocks: 1 });
      await world.control.setAutomine(true);
    }
    const outcome = await settler.settle(payment, row);
    expect(outcome).toMatchObject({ status: "settled", sender: world.chain.client.account.address });
    expect((await world.written(db)).at(-1)?.reverted_at).toBeNull();
  });

  it("payments F5: is not spent where it is more than its share of the price", async () => {
    const { db } = embedded;
    const { payment, row } = await world.payment(db);
    const before = (await world.written(db)).length;
    const dear = world.settler(db, { maxCost: 1_000n });
    await expect(dear.verify(payment)).rejects.toThrow(SettlementUnavailableError);
    expect(await dear.settle(payment, row)).toEqual({ status: "unconfirmed" });
    expect((await world.written(db)).length).toBe(before);
    expect(await world.settler(db, { maxCost: 10n ** 16n }).settle(payment, row)).toMatchObject(settled);
    // 0.05 USD at 4,000 USD a token.
    const deployment = {
      chains: world.deployment.chains.map((each) => ({ ...each, nativeTokenUsd: 4_000 })),
    };
    expect(gasBudget(payment.offer, deployment, 0.5)).toBe(12_500_000_000_000n);
    expect(gasBudget(payment.offer, world.deployment, 0.5)).toBeUndefined();
  });

  it("payments F10: runs out before anything is signed that it cannot pay, and is told as settlements left", async () => {
    const { db } = embedded;
    const settler = world.settler(db);
    const { payment, row } = await world.payment(db);
    const before = (await world.written(db)).length;
    const [full] = await settler.gas();
    expect([full?.network, await settler.isReachable()]).toEqual(["eip155:1", true]);
    expect(full?.settlements).toBeGreaterThan(100);
    const one = (full?.wei ?? 0n) / BigInt(full?.settlements ?? 1);
    try {
      await world.control.setBalance({ address: world.account, value: 1n });
      expect(await settler.isReachable()).toBe(false);
      await expect(settler.verify(payment)).rejects.toThrow(SettlementUnavailableError);
      expect(await settler.settle(payment, row)).toEqual({ status: "unconfirmed" });
      expect((await world.written(db)).length).toBe(before);
      await world.control.setBalance({ address: world.account, value: one * 5n });
      expect([(await settler.gas())[0]?.settlements, await settler.isReachable()]).toEqual([
        expect.toSatisfy((left: number) => left > 2 && left < 10),
        false,
      ]);
    } finally {
      await world.control.setBalance({ address: world.account, value: 10n ** 18n });
    }
    expect(await settler.settle(payment, row)).toMatchObject(settled);
  });
});

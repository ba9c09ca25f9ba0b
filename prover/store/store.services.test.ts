import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { type Hex, toHex } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hex32Schema } from "@/lib/proofs/hex";
import { drivers, startPostgresFor, type TestPostgres } from "@/lib/sql/testing";
import { emptyTemplate } from "@/lib/testing/empty";
import { openStore, type Store } from "./index";
import { Instances } from "./instances";
import { migrations, renamedMigrations } from "./migrations";
import { Nonces } from "./nonces";
import { type Claim, mostOpenPayments } from "./open-payments";
import type { NewPayment, StoredProof } from "./payments";

let store: Store;

const day = 24 * 3_600_000;
const proof: StoredProof = {
  proof: "0xabcd",
  publicInputs: [],
  timing: { totalMs: 1, paymentMs: 1, witnessMs: 1, proveMs: 1 },
};
let count = 0;

/** A payment that was verified just now. */
function fresh(changes: Partial<NewPayment & Claim> = {}): NewPayment & Claim & { id: Hex } {
  count += 1;
  const id = toHex(count, { size: 32 });
  return {
    network: "eip155:1",
    chain_id: 1,
    asset: "0x",
    payer: "0xpayer",
    pay_to: "0x",
    authorization_nonce: id,
    amount: "100000",
    valid_before: "9",
    settlement: "payee",
    circuit: "oidc_domain_attestation",
    input_hash: "0x",
    from_block: 1,
    balance: 100_000_000n,
    ...changes,
    id,
  };
}

/** A payment of this process in a state. */
async function payment(until: "accepted" | "settled" | "proven" = "accepted", owner = "me") {
  const row = fresh();
  const { id } = row;
  await store.payments.accept(row, owner);
  if (until !== "accepted") await store.payments.apply(id, { type: "settled", transaction: "0xaa" });
  if (until === "proven") await store.payments.deliver(id, proof);
  return { id, read: async () => (await store.payments.find(id))?.row };
}
const creditOf = async (id: string) =>
  await store.payments.db.selectFrom("credit").selectAll().where("payment_id", "=", id).executeTakeFirst();

describe.each(["PGlite", ...drivers] as const)("the prover's database, through %s", (driver) => {
  let postgres: TestPostgres | undefined;
  const opened: Store[] = [];
  /** Another process on the same database; PGlite has but one. */
  let another: () => Promise<Store>;
  beforeAll(async () => {
    if (driver === "PGlite") {
      store = await openStore({ url: "pglite:memory", template: await emptyTemplate() });
      opened.push(store);
      another = async () => store;
    } else {
      postgres = await startPostgresFor(driver);
      const url = await postgres.createDatabase("store");
      another = async () => {
        const other = await openStore({ url });
        opened.push(other);
        return other;
      };
      store = await another();
    }
  });
  afterAll(async () => {
    await Promise.all(opened.map((each) => each.close()));
    await postgres?.close();
  });

  describe("a proof whose day is over", () => {
    it("is removed when somebody has it; the payment stays", async () => {
      const { id, read } = await payment("proven");
      expect(await store.payments.markDelivered(id)).toBe(true);
      expect(await store.payments.removeProofs(new Date(Date.now() - day))).toBe(0);
      expect(await store.payments.removeProofs(new Date(Date.now() + 1))).toBe(1);
      expect(await read()).toMatchObject({
        state: "proven",
        proof: null,
        public_inputs: null,
        tx_hash: "0xaa",
      });
      expect(await creditOf(id)).toBeUndefined();
    });

    it("is owed to its payer when nobody ever fetched it, until it is made again", async () => {
      const { id, read } = await payment("proven");
      await store.payments.removeProofs(new Date(Date.now() + 1));
      expect(await read()).toMatchObject({ state: "credited", proof: null });
      // What is owed is not given as well.
      expect(await store.payments.markDelivered(id)).toBe(false);
      expect(await creditOf(id)).toMatchObject({ payer: "0xpayer", amount: "100000", redeemed_at: null });
      await store.payments.deliver(id, proof);
      expect((await creditOf(id))?.redeemed_at).toBeInstanceOf(Date);
      // A second time, should nobody fetch it again.
      await store.payments.removeProofs(new Date(Date.now() + 1));
      expect(await creditOf(id)).toMatchObject({ redeemed_at: null });
    });
  });

  describe("the owner of a payment", () => {
    it("is one process; another takes over only when it is silent", async () => {
      const { db } = store.payments;
      const other = new Instances(db, false, new Uint8Array(32), 60_000);
      await other.enter("key", 1);
      const { id } = await payment("settled", other.me);
      expect((await store.payments.find(id))?.owned).toBe(true);
      expect(await store.payments.claim(id, "me")).toBeUndefined();
      // Its minute is over.
      await db.updateTable("instance").set({ alive_until: new Date() }).where("id", "=", other.me).execute();
      expect((await store.payments.find(id))?.owned).toBe(false);
      expect(await store.payments.claim(id, "me")).toMatchObject({ owner: "me" });
      // What the old one writes now is not about its payment any more.
      await store.payments.note(id, other.me, { owner: null });
      expect((await store.payments.find(id))?.row.owner).toBe("me");
      expect(await store.payments.enqueue(id, other.me, randomUUID(), () => expect.fail())).toBe(false);
    });

    it("of ten that claim a free payment at once is one", async () => {
      const { id } = await payment("settled", "dead");
      const claimants = await Promise.all(
        Array.from({ length: 10 }, async () => {
          const instance = new Instances(store.payments.db, false, new Uint8Array(32), 60_000);
          await instance.enter("key", 1);
          return instance;
        }),
      );
      const rows = await Promise.all(claimants.map(({ me }) => store.payments.claim(id, me)));
      expect(rows.filter(Boolean)).toHaveLength(1);
      await Promise.all(claimants.map((each) => each.leave()));
    });

    it("stays the same when the queue does not take its job", async () => {
      const { id, read } = await payment("settled");
      const failing = store.payments.enqueue(id, "me", randomUUID(), () =>
        Promise.reject(new Error("no queue")),
      );
      await expect(failing).rejects.toThrow("no queue");
      expect(await read()).toMatchObject({ owner: "me", queued_at: null });
    });

    it("is nobody once the proof is made, and a second proof changes nothing", async () => {
      const { id, read } = await payment("proven");
      expect(await read()).toMatchObject({ owner: null, queued_at: null, progress: null });
      await store.payments.deliver(id, { ...proof, proof: "0xffff" });
      expect(await read()).toMatchObject({ state: "proven", proof: "0xabcd" });
    });
  });

  describe("a nonce", () => {
    const circuit = "oidc_domain_attestation";
    const [one, two] = [toHex(1_000_001, { size: 32 }), toHex(1_000_002, { size: 32 })];
    const daysAgo = (days: number) => Date.now() - days * day;

    it("payments F7: is good for a payment six days after its price was asked, and not for one after eight", async () => {
      const { nonces } = store;
      expect(await nonces.bind(nonces.issue(circuit, 0, daysAgo(6)), circuit, one)).toBeUndefined();
      expect(await nonces.bind(nonces.issue(circuit, 0, daysAgo(8)), circuit, two)).toBe("expired");
    });

    it("belongs to one payment", async () => {
      const { nonces } = store;
      const nonce = nonces.issue(circuit);
      expect(await nonces.bind(nonce, circuit, one)).toBeUndefined();
      expect(await nonces.bind(nonce, circuit, one)).toBeUndefined();
      expect(await nonces.bind(nonce, circuit, two)).toBe("used");
      await nonces.prune();
      expect(await nonces.check(nonce, circuit, two)).toBe("used");
    });

    it("is for one circuit and carries its price list", async () => {
      const { nonces } = store;
      const nonce = nonces.issue(circuit, 7);
      expect(await nonces.bind(nonce, "network_eligibility", one)).toBe("other-circuit");
      expect(nonces.asked(nonce)?.priceList).toBe(7);
    });

    it("is not ours with any bit changed, nor from another secret; asking for a price writes nothing", async () => {
      const { nonces } = store;
      const nonce = nonces.issue(circuit);
      for (let bit = 0; bit < 256; bit += 1) {
        const changed = toHex(BigInt(nonce) ^ (1n << BigInt(bit)), { size: 32 });
        expect(await nonces.check(changed, circuit, one)).toBe("unknown");
      }
      const other = new Nonces(nonces.db, Buffer.alloc(32, 1));
      expect(await nonces.check(other.issue(circuit), circuit, one)).toBe("unknown");
      const rows = await nonces.db.selectFrom("nonce").select("nonce").where("nonce", "=", nonce).execute();
      expect(rows).toEqual([]);
    });

    it("given to a hundred payments at once goes to one", async () => {
      const nonce = store.nonces.issue(circuit);
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, i) =>
          store.nonces.bind(nonce, circuit, toHex(2_000_000 + i, { size: 32 })),
        ),
      );
      expect(answers.filter((answer) => answer === undefined)).toHaveLength(1);
    });
  });

  describe("the queue", () => {
    it("counts those ahead, at any process", async () => {
      await store.payments.db.updateTable("payment").set({ queued_at: null }).execute();
      const all = [await payment("settled"), await payment("settled"), await payment("settled", "elsewhere")];
      const ahead: number[] = [];
      for (const [microseconds, { id }] of all.entries()) {
        const row = (await store.payments.find(id))?.row;
        await store.payments.enqueue(id, row?.owner ?? "", randomUUID(), async () => undefined);
        // All within one millisecond, the resolution of a Date.
        const queued_at = sql<Date>`timestamptz '2026-11-24 08:00:00.0001Z' + ${microseconds} * interval '1 microsecond'`;
        await store.payments.db.updateTable("payment").set({ queued_at }).where("id", "=", id).execute();
      }
      for (const { id } of all) ahead.push(await store.payments.ahead({ id }));
      expect(ahead).toEqual([0, 1, 2]);
    });
  });

  describe("payments F1: the transfer of a settlement", () => {
    it("settles one payment, whichever kind names it: a second one becomes void", async () => {
      const [first, second, third] = [await payment(), await payment(), await payment()];
      const settled = { status: "settled", transaction: "0xf1", logIndex: 4 } as const;
      await store.payments.settle(first.id, settled);
      expect(await first.read()).toMatchObject({ state: "settled", tx_hash: "0xf1", log_index: 4 });
      expect(await store.payments.settle(second.id, settled)).toMatchObject({ state: "void", tx_hash: null });
      // Another transfer of the same transaction is another payment.
      await store.payments.settle(third.id, { ...settled, logIndex: 6 });
      expect(await third.read()).toMatchObject({ state: "settled", log_index: 6 });
      // Told again, nothing changes.
      expect(await store.payments.settle(first.id, settled)).toMatchObject({ state: "settled" });
    });
  });

  describe("payments of one payer on their way", () => {
    const valid = { valid_before: "99999999999" };
    let processes: readonly Store[] = [];
    beforeAll(async () => {
      processes = [store, await another(), await another()];
    });
    /** Each process takes as many at once. */
    const takeAtOnce = async (each: number, changes: Partial<NewPayment & Claim>) => {
      const rows = await Promise.all(
        processes.flatMap(({ payments }) =>
          Array.from({ length: each }, () => payments.accept(fresh({ ...valid, ...changes }), "me")),
        ),
      );
      return rows.flatMap((row) => row ?? []);
    };

    it("payments F3: are four, however many processes are asked at once", async () => {
      expect(await takeAtOnce(8, { payer: "0xmany" })).toHaveLength(mostOpenPayments);
      expect(await takeAtOnce(1, { payer: "0xmany", network: "eip155:8453" })).toEqual([]);
      expect(await takeAtOnce(1, { payer: "0xsomebody else" })).toHaveLength(3);
    });

    it("payments F3: never exceed its balance; what has settled or can settle no more is not counted", async () => {
      const [store] = processes;
      const poor = { payer: "0xpoor", balance: 250_000n };
      const taken = await takeAtOnce(8, poor);
      expect(taken).toHaveLength(2);
      // A deposit with a gateway is another balance, and so is another token's.
      const more = async (changes: Partial<NewPayment & Claim>) =>
        (await store?.payments.accept(fresh({ ...valid, ...poor, ...changes }), "me")) !== undefined;
      expect([await more({ settlement: "gateway" }), await more({ asset: "0xother" })]).toEqual([true, true]);
      await store?.payments.db.deleteFrom("payment").where("asset", "=", "0xother").execute();
      expect(await more({})).toBe(false);
      await store?.payments.apply(hex32Schema.parse(taken[0]?.id), { type: "settled", transaction: "0xaa" });
      expect(await more({})).toBe(true);
      expect(await more({})).toBe(false);
      const past = String(Math.floor(Date.now() / 1000) - 61);
      await store?.payments.db
        .updateTable("payment")
        .set({ valid_before: past })
        .where("payer", "=", poor.payer)
        .execute();
      expect(await more({})).toBe(true);
    });

    it("payments F3: of money that has moved already are not limited", async () => {
      const moved = {
        payer: "0xmoved",
        settlement: "transaction",
        balance: null,
        valid_before: null,
      } as const;
      expect(await takeAtOnce(3, moved)).toHaveLength(9);
    });

    it("payments F3: keep the first row when one payment is taken by many at once", async () => {
      const same = fresh({ ...valid, payer: "0xsame" });
      const rows = await Promise.all(
        processes.map(({ payments, instances }) => payments.accept(same, instances.me)),
      );
      expect(new Set(rows.map((row) => row?.owner)).size).toBe(1);
    });
  });
});

it("renamed migrations in the order in which they had run", () => {
  const renamed = Object.entries(renamedMigrations).sort(([a], [b]) => (a < b ? -1 : 1));
  expect(renamed.map(([, name]) => name)).toEqual(Object.keys(migrations).slice(0, renamed.length));
});

import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { type Hex, toHex } from "viem";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createSealingKey } from "@/lib/proofs/sealing";
import { drivers, startPostgresFor, type TestPostgres } from "@/lib/sql/testing";
import { refusals } from "../refusal";
import { openStore, type Store } from "../store/index";
import { type Finished, Job } from "./job";
import { ProofQueue } from "./queue";
import type { Work } from "./run";
import { sealWork, unsealWork } from "./sealed-work";

const circuit = "oidc_domain_attestation";
const secret = "canary-5f0c2d81@example.com";
const done = { status: "failed", refusal: refusals.proveFailed(false) } as const;
const interrupted = { status: "failed", refusal: refusals.interrupted() } as const;

let url: string;
const stores: Store[] = [];

/** A prover process as far as the queue goes; `received` are the jobs it took from others. */
async function process(make: () => Promise<Finished> = async () => done) {
  // No heartbeats here: nobody counts as dead before they leave.
  const store = await openStore({ url, silenceMs: 600_000, secret: Buffer.alloc(32, 7) });
  stores.push(store);
  const { instances, payments } = store;
  const { publicKey, privateKey } = await createSealingKey();
  await instances.enter(publicKey, 1);
  const received: { id: Hex; inputs: unknown }[] = [];
  const queue = new ProofQueue({
    ...{ queue: store.queue, instances, payments, parallel: 1, seal: sealWork },
    execute: async () => new Uint8Array(1),
    unseal: (id, sealed) => unsealWork(privateKey, id, sealed),
    expectedMs: () => 0,
    wait: (ms) => pause(ms),
    checkpoint: async () => undefined,
  });
  return {
    store,
    queue,
    received,
    open: () =>
      queue.open(async ({ paymentId }, work) => {
        received.push({ id: paymentId, inputs: work.prepared.inputs });
        return await make();
      }),
    /** What happens when nothing is heard of it any more. */
    async dies() {
      await queue.close();
      await store.queue.close();
      await instances.leave();
    },
  };
}
type Process = Awaited<ReturnType<typeof process>>;

let count = 0;
async function settled({ store: { payments, instances } }: Process): Promise<Work & { id: Hex }> {
  count += 1;
  const id = toHex(count, { size: 32 });
  const values = { network: "eip155:1", chain_id: 1, asset: "0x", payer: id, pay_to: "0x", amount: "100000" };
  await payments.accept(
    {
      ...{ ...values, id, authorization_nonce: id, valid_before: "9", settlement: "payee", circuit },
      ...{ input_hash: id, from_block: 0, balance: 1_000_000n },
    },
    instances.me,
  );
  const row = await payments.apply(id, { type: "settled", transaction: id });
  const prepared = { inputs: { jwt: `${secret} ${count}` }, witness: new Uint8Array(1), publicInputs: [] };
  const settle = () => expect.fail();
  return { id, row, settle, prepared, startedAt: 1, paymentMs: 1, witnessMs: 1 };
}

async function run({ queue, store }: Process, work: Work & { id: Hex }, make: () => Promise<Finished>) {
  const job = new Job(work.id, circuit, await store.payments.tokenOf(work.row));
  return await queue.run(job, work, make);
}
const jobs = async ({ store }: Process) =>
  JSON.stringify(
    (
      await sql`select data from pgboss.job union all select data from pgboss.archive`.execute(
        store.payments.db,
      )
    ).rows,
  );
const rowOf = async ({ store }: Process, { id }: { id: Hex }) => (await store.payments.find(id))?.row;

describe.each(drivers)("the queue of proofs, through %s", (driver) => {
  let postgres: TestPostgres;
  beforeAll(async () => {
    postgres = await startPostgresFor(driver);
    url = await postgres.createDatabase("queue");
  });
  afterAll(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
    await postgres?.close();
  });

  it("does the work of one process, one job at a time, and keeps nothing of it", async () => {
    const alone = await process();
    await alone.open();
    let atOnce = 0;
    const most: number[] = [];
    const make = async () => {
      atOnce += 1;
      most.push(atOnce);
      await pause(20);
      atOnce -= 1;
      return done;
    };
    const works = [await settled(alone), await settled(alone), await settled(alone)];
    expect(await Promise.all(works.map((work) => run(alone, work, make)))).toEqual([done, done, done]);
    expect(most).toEqual([1, 1, 1]);
    await expect.poll(() => jobs(alone)).toBe("[]");
    await alone.dies();
  });

  it("gives a waiting job to a free worker of another process; its table holds no inputs", async () => {
    const [first, second] = [await process(), await process()];
    await first.open();
    let free: () => void = () => undefined;
    const busy = run(
      first,
      await settled(first),
      () => new Promise((resolve) => (free = () => resolve(done))),
    );
    await expect.poll(() => jobs(first)).toContain("ciphertext");
    const waiting = await settled(first);
    const passedOn = run(first, waiting, () => expect.fail("its worker is busy"));
    await expect.poll(async () => (await rowOf(first, waiting))?.queued_at).not.toBeNull();
    expect(await jobs(first)).not.toContain(secret.slice(0, 15));
    await second.open();
    await expect.poll(() => second.received).toEqual([{ id: waiting.id, inputs: waiting.prepared.inputs }]);
    expect(await passedOn).toBeUndefined();
    free();
    expect(await busy).toEqual(done);
    await Promise.all([first.dies(), second.dies()]);
  });

  it("keeps the jobs of a process that died: another one does them without being asked again", async () => {
    const [first, second] = [await process(), await process()];
    const work = await settled(first);
    const lost = expect(run(first, work, () => expect.fail())).rejects.toThrow("the prover stops");
    await expect.poll(async () => (await rowOf(first, work))?.queued_at).not.toBeNull();
    await first.dies();
    await lost;
    expect(await rowOf(second, work)).toMatchObject({ owner: null });
    await second.open();
    await expect.poll(() => second.received).toHaveLength(1);
    await second.dies();
  });

  it("frees a payment whose inputs no living process can decrypt", async () => {
    const gone = await process();
    const work = await settled(gone);
    const lost = expect(run(gone, work, () => expect.fail())).rejects.toThrow("the prover stops");
    await expect.poll(async () => (await rowOf(gone, work))?.queued_at).not.toBeNull();
    await gone.dies();
    await lost;
    const later = await process();
    await later.open();
    await expect.poll(() => rowOf(later, work)).toMatchObject({ owner: null, queued_at: null });
    expect((await later.store.payments.find(work.id))?.owned).toBe(false);
    await expect.poll(() => jobs(later)).toBe("[]");
    expect(later.received).toEqual([]);
    await later.dies();
  });

  it("encrypts inputs only for processes that know the installation's secret", async () => {
    const [first, second] = [await process(), await process()];
    const { db } = first.store.payments;
    const { instances } = second.store;
    const mine = await db
      .selectFrom("instance")
      .selectAll()
      .where("id", "=", instances.me)
      .executeTakeFirstOrThrow();
    const { publicKey } = await createSealingKey();
    // Whoever can write to the database can add rows and change keys.
    await db
      .insertInto("instance")
      .values([
        { ...mine, id: "added", public_key: publicKey, public_key_mac: "" },
        { ...mine, id: "copied" },
        { ...mine, id: "changed", public_key: publicKey },
      ])
      .execute();
    const living = await first.store.instances.peers();
    expect(living.map(({ id }) => id).sort()).toEqual([first.store.instances.me, instances.me].sort());
    const work = await settled(first);
    const lost = expect(run(first, work, () => expect.fail())).rejects.toThrow("the prover stops");
    await expect.poll(async () => (await rowOf(first, work))?.queued_at).not.toBeNull();
    const text = await jobs(first);
    expect(text).not.toContain("added");
    expect(text.match(/encrypted_key/g)).toHaveLength(2);
    await db.deleteFrom("instance").where("id", "in", ["added", "copied", "changed"]).execute();
    await first.dies();
    await lost;
    await second.open();
    await expect.poll(() => second.received).toHaveLength(1);
    await second.dies();
  });

  it("gives an interrupted job, and one whose worker died, to another process", async () => {
    const [first, second] = [await process(), await process()];
    const work = await settled(first);
    await first.open();
    expect(await run(first, work, async () => interrupted)).toEqual(interrupted);
    // A worker got it, and died.
    await first.dies();
    const { rows } = await sql<{ id: string }>`update pgboss.job set state = 'active', started_on = now()
      returning id`.execute(second.store.payments.db);
    expect(rows).toHaveLength(1);
    const dead = await second.store.payments.take(rows[0]?.id ?? "", "dead");
    expect(dead).toMatchObject({ id: work.id, owner: "dead", queued_at: null });
    await second.open();
    await second.queue.releaseAbandoned();
    await expect.poll(() => second.received).toHaveLength(1);
    await second.dies();
  });

  it("puts back a job whose worker died before it took the payment", async () => {
    const [first, second] = [await process(), await process()];
    const work = await settled(first);
    const end = run(first, work, async () => done);
    await expect.poll(async () => (await rowOf(first, work))?.queued_at).not.toBeNull();
    await sql`update pgboss.job set state = 'active', started_on = now() - interval '1 hour'`.execute(
      second.store.payments.db,
    );
    await first.open();
    await second.queue.releaseAbandoned();
    expect(await end).toEqual(done);
    await Promise.all([first.dies(), second.dies()]);
  });

  it("leaves a job to the worker that just got it, whatever this machine's clock says", async () => {
    const [first, second] = [await process(), await process()];
    const work = await settled(first);
    const end = run(first, work, async () => done);
    await expect.poll(async () => (await rowOf(first, work))?.queued_at).not.toBeNull();
    const { db } = second.store.payments;
    await sql`update pgboss.job set state = 'active', started_on = now()`.execute(db);
    const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 3_600_000);
    try {
      await second.queue.releaseAbandoned();
    } finally {
      clock.mockRestore();
    }
    expect((await sql`select 1 from pgboss.job where state = 'active'`.execute(db)).rows).toHaveLength(1);
    await sql`update pgboss.job set state = 'created'`.execute(db);
    await first.open();
    expect(await end).toEqual(done);
    await Promise.all([first.dies(), second.dies()]);
  });

  it("frees a payment whose end could not be stored while the database was away", async () => {
    const alone = await process();
    const { payments } = alone.store;
    await alone.open();
    const work = await settled(alone);
    const release = payments.release.bind(payments);
    let isAway = true;
    payments.release = async (...args) => {
      if (isAway) throw new Error("the database is away");
      await release(...args);
    };
    expect(await run(alone, work, async () => interrupted)).toEqual(interrupted);
    await pause(200);
    expect(await rowOf(alone, work)).toMatchObject({ owner: alone.store.instances.me });
    isAway = false;
    await expect.poll(() => rowOf(alone, work)).toMatchObject({ owner: null });
    await alone.dies();
  });
});

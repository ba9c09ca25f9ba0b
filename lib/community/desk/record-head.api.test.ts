import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { contract } from "@/lib/contract";
import { contentHashOf, postIdHashOf } from "@/lib/proofs/records";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { type RecordWorld, startRecordWorld } from "@/lib/testing/records";
import { sweepRecords } from "../records/settle";
import { signIn } from "../testing";
import { recordLogHead } from "./record-head";
import { lastEntry, withRole } from "./testing";

/** The head of the installation's log on a chain, once a day. */
let world: RecordWorld;
let wallet: Awaited<ReturnType<RecordWorld["wallet"]>>;
let h: Harness;
let operator: TestUser;
let clock = Date.now();
beforeAll(async () => {
  world = await startRecordWorld();
  wallet = await world.wallet();
  h = await createHarness({ ...world.options(wallet.key), now: () => new Date(clock) });
  operator = await withRole(h, "operator");
});
afterAll(async () => {
  await h.close();
  await world.stop();
});

async function act() {
  const { userId } = await signIn(h);
  await operator.api.call(contract.desk.sanction, { userId, kind: "silence", reason: "r" });
}
async function round() {
  await recordLogHead(h.services);
  await settled();
}
/** The node mines a moment after it takes a transaction. */
async function settled() {
  await vi.waitUntil(
    async () => {
      await sweepRecords(h.services);
      const rows = await h.db.selectFrom("installation_log_records").select("status").execute();
      return rows.every(({ status }) => status !== "sent");
    },
    { timeout: 30_000 },
  );
}
const recorded = async () => (await h.guest.call(contract.desk.log, { limit: 1 })).recorded;
const nextDay = () => {
  clock += 24 * 60 * 60 * 1000;
};

it("is recorded once a day in which the log grew, and the log says where", async () => {
  await round();
  expect([await recorded(), await world.events(wallet.address)]).toEqual([null, []]);

  await act();
  for (let i = 0; i < 2; i += 1) await round();
  const first = await recorded();
  const [event, ...more] = await world.events(wallet.address);
  expect(more).toEqual([]);
  expect(first).toEqual({
    seq: await lastEntry(h),
    hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    chainId: 8453,
    board: world.board,
    txHash: event?.hash,
  });
  expect(event).toMatchObject({
    postIdHash: postIdHashOf("installation log"),
    contentHash: contentHashOf(`${first?.seq}:${first?.hash}`),
  });

  // More on the same day, and a day without anything.
  await act();
  await round();
  expect(await recorded()).toEqual(first);
  nextDay();
  await round();
  expect((await recorded())?.seq).toBe(await lastEntry(h));
  nextDay();
  await round();
  expect(await world.events(wallet.address)).toHaveLength(2);
});

it("is recorded once, however many processes try", async () => {
  nextDay();
  await act();
  const before = (await world.events(wallet.address)).length;
  await Promise.all(Array.from({ length: 5 }, () => recordLogHead(h.services)));
  await settled();
  expect(await world.events(wallet.address)).toHaveLength(before + 1);
});

it("is tried again after a transaction that failed", async () => {
  nextDay();
  await act();
  await h.db
    .insertInto("installation_log_records")
    .values({
      day: new Date(clock).toISOString().slice(0, 10),
      seq: await lastEntry(h),
      hash: "x",
      status: "failed",
      tx_hash: null,
    })
    .execute();
  await round();
  expect((await recorded())?.seq).toBe(await lastEntry(h));
});

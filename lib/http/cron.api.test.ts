import { afterAll, beforeAll, expect, it } from "vitest";
import { makeTopic, signIn } from "@/lib/community/testing";
import { contract } from "@/lib/contract";
import { houseRound } from "@/lib/runtime/housekeeping";
import { createHarness, type Harness } from "@/lib/testing/harness";

const CRON_SECRET = "known to the platform only";
const CHORES = [
  "counters",
  "records",
  "scheduled posts",
  "announcements",
  "webhooks",
  "pushes",
  "files",
  "crowds",
  "log head",
  "cache",
  "scores",
  "owners",
  "proofs",
  "digests",
  "expired",
];
let h: Harness;
let clock = Date.now();
beforeAll(async () => {
  h = await createHarness({ env: { CRON_SECRET }, now: () => new Date(clock) });
});
afterAll(() => h.close());

const round = (harness: Harness, authorization?: string) =>
  harness.send("GET", "/cron/housekeeping", { headers: authorization ? { authorization } : {} });

it("a round does what timers do elsewhere", async () => {
  const owner = await signIn(h, "owner");
  const { id: topicId } = await makeTopic(owner);
  await owner.api.call(contract.topics.createInvite, { topicId });
  clock += 8 * 24 * 3_600_000;
  expect(await round(h, `Bearer ${CRON_SECRET}`)).toMatchObject({ status: 200, body: { done: CHORES } });
  expect(await h.db.selectFrom("invite_tokens").select("topic_id").execute()).toEqual([]);
});

it("does not exist for anyone else, and nowhere without a secret", async () => {
  for (const given of [undefined, "Bearer", "Bearer wrong", `Bearer ${CRON_SECRET}x`, CRON_SECRET]) {
    expect((await round(h, given)).status, given).toBe(404);
  }
  const without = await createHarness();
  expect((await round(without, "Bearer undefined")).status).toBe(404);
  await without.close();
});

it("begins nothing after its time", async () => {
  expect(await houseRound(h.services, 0)).toEqual([]);
});

it("has the platform wait for what goes on after an answer", async () => {
  const held: Promise<void>[] = [];
  const own = await createHarness({ holdOpen: (work) => void held.push(work) });
  let finish = () => {};
  const gate = new Promise<void>((resolve) => {
    finish = resolve;
  });
  let isDone = false;
  own.services.later("test", async () => {
    await gate;
    isDone = true;
  });
  expect([held.length, isDone]).toEqual([1, false]);
  finish();
  await Promise.all(held);
  expect(isDone).toBe(true);
  await own.close();
});

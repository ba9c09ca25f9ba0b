import { afterAll, beforeAll, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { sweepExpired } from "@/lib/runtime/housekeeping";
import { createHarness, type Harness } from "@/lib/testing/harness";
import { noteRemoved } from "./removed";

let h: Harness;
let clock = Date.now();
beforeAll(async () => {
  h = await createHarness({ now: () => new Date(clock) });
});
afterAll(() => h.close());

const DAY = 24 * 60 * 60 * 1000;
const list = async () => (await h.guest.call(contract.uploads.removed, {})).addresses;
const note = (...keys: string[]) =>
  h.db.transaction().execute((trx) => noteRemoved(trx, keys, new Date(clock)));

it("lists the hashes of addresses that ended in the last eight days, latest first, and then forgets them", async () => {
  await note("a", "b");
  clock += 1;
  // Once more changes nothing.
  await note("c", "a");
  await note();
  const [latest, ...rest] = await list();
  expect(latest).toBe("c40fede2ff486df2179bb4762027046b6a19fb3c420da5f054d1d6b994c3a1f5");
  expect(rest).toHaveLength(2);
  clock += 8 * DAY - 1;
  expect(await list()).toEqual([latest]);
  clock += 1;
  expect(await list()).toEqual([]);
  await sweepExpired(h.services);
  expect(await h.db.selectFrom("removed_addresses").select("hash").execute()).toEqual([]);
});

import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness } from "@/lib/testing/harness";
import { makeTopic, signIn } from "../testing";

let h: Harness;
beforeAll(async () => {
  h = await createHarness();
});
afterAll(() => h.close());

const stats = () => h.guest.call(contract.service.stats, {});
/** Every reading of the clock is this much later than the one before, while a count runs. */
function countTakes(ms: number) {
  let now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => {
    now += ms;
    return now;
  });
}

it("counts visible topics, and users who did not withdraw", async () => {
  countTakes(0);
  expect(await stats()).toEqual({ totalTopics: 0, totalMembers: 0 });
  const [owner, leaver] = [await signIn(h), await signIn(h)];
  for (const visibility of ["public", "private", "secret"] as const) await makeTopic(owner, visibility);
  await h.db.updateTable("users").set({ deleted_at: new Date() }).where("id", "=", leaver.userId).execute();
  expect(await stats()).toEqual({ totalTopics: 2, totalMembers: 1 });
});

it("caches the answer for a while when counting takes long", async () => {
  countTakes(100);
  const before = await stats();
  await signIn(h);
  expect(await stats()).toEqual(before);
  await h.services.cache.delete("stats");
  expect(await stats()).toEqual({ ...before, totalMembers: before.totalMembers + 1 });
  vi.restoreAllMocks();
});

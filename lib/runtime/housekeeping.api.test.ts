import { afterAll, beforeAll, expect, it } from "vitest";
import { makeTopic, signIn } from "@/lib/community/testing";
import { contract } from "@/lib/contract";
import { createHarness, type Harness } from "@/lib/testing/harness";
import { sweepExpired } from "./housekeeping";

let h: Harness;
let clock = Date.now();
beforeAll(async () => {
  h = await createHarness({ now: () => new Date(clock) });
});
afterAll(() => h.close());

it("security F19: invite tokens are forgotten once they have expired, and not before", async () => {
  const owner = await signIn(h, "owner");
  const { id: topicId } = await makeTopic(owner);
  await owner.api.call(contract.topics.createInvite, { topicId });
  const kept = async () => (await h.db.selectFrom("invite_tokens").select("topic_id").execute()).length;
  clock += 6 * 24 * 3_600_000;
  await sweepExpired(h.services);
  expect(await kept()).toBe(1);
  clock += 2 * 24 * 3_600_000;
  await sweepExpired(h.services);
  expect(await kept()).toBe(0);
});

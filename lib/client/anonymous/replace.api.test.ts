import "fake-indexeddb/auto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { crowdOf, standInMemberships } from "@/lib/community/anonymous/testing";
import { publishRoots } from "@/lib/community/crowd/publish";
import { addTo, makeTopic, signIn } from "@/lib/community/testing";
import { contract } from "@/lib/contract";
import { createHarness, type Harness } from "@/lib/testing/harness";
import { enrol, readStanding } from "./crowd";
import type { SendingParts } from "./entries";
import { replaceDue } from "./replace";
import { ensureSecret, readFormer, readSecret, replaceSecret } from "./secret";
import { partsOf, stubBrowser } from "./testing";

const DAY = 24 * 60 * 60_000;
let clock = Date.UTC(2026, 10, 28, 12, 3);
let h: Harness;
beforeAll(async () => {
  stubBrowser();
  h = await createHarness({
    now: () => new Date(clock),
    env: { ANONYMOUS_MINIMUM: "2" },
    memberships: standInMemberships,
  });
});
afterAll(() => h.close());

it("a replaced secret's successor joins its crowds, and counts a week later by a proof of the former one", async () => {
  const owner = await signIn(h, "owner");
  const topicId = (await makeTopic(owner)).id;
  const user = await signIn(h, "author");
  await addTo(h.db, topicId, user);
  let parts: SendingParts = partsOf(h, user);
  const { userId } = user;
  const open = async () => {
    const standing = await readStanding(parts.signed, userId, topicId);
    return await replaceDue(userId, topicId, standing, parts);
  };
  const first = await ensureSecret(userId);
  await enrol(parts.signed, userId, topicId);
  await crowdOf(h, topicId, 2, (at) => {
    clock = at;
  });
  expect((await open()).own).toBe("counted");

  await replaceSecret(userId);
  expect(await readFormer(userId)).toEqual(first);
  expect(await readSecret(userId)).not.toEqual(first);
  expect((await readStanding(parts.signed, userId, topicId)).own).toBe("elsewhere");
  const waiting = await open();
  expect(waiting.own).toBe("waiting");
  expect(Date.parse(waiting.crowd.own?.countsFrom ?? "")).toBe(clock + 30 * DAY);
  clock += 7 * DAY;
  parts = partsOf(h, await h.login(user.nickname));
  const proven = await open();
  expect(Date.parse(proven.crowd.own?.countsFrom ?? "")).toBe(clock);
  clock += 10 * 60_000;
  await publishRoots(h.services);
  expect(await open()).toMatchObject({ own: "counted", crowd: { latest: { size: 3 } } });
  const { crowd } = await parts.signed.api.call(contract.crowd.get, { topicId });
  expect(crowd.own?.isCounted).toBe(true);
});

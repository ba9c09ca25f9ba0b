import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { topicElement } from "@/lib/proofs/anonymous/act";
import { leafOf } from "@/lib/proofs/anonymous/hash";
import { BannedError } from "@/lib/proofs/anonymous/membership";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { crowdOf, type Insider, standInMemberships } from "../anonymous/testing";
import { makeTopic, refusalOf, signIn } from "../testing";
import { publishRoots } from "./publish";

const DAY = 24 * 60 * 60_000;
let clock = Date.UTC(2026, 10, 28, 12, 3);
let h: Harness;
let owner: TestUser;
let topicId: string;
let author: Insider;
let other: Insider;

beforeAll(async () => {
  h = await createHarness({
    now: () => new Date(clock),
    env: { ANONYMOUS_MINIMUM: "2" },
    memberships: standInMemberships,
  });
});
afterAll(() => h.close());
beforeEach(async () => {
  clock += DAY;
  owner = await signIn(h, "owner");
  topicId = (await makeTopic(owner)).id;
  const [one, two] = await crowdOf(h, topicId, 2, (at) => {
    clock = at;
  });
  if (!one || !two) throw new Error("nobody is there");
  [author, other] = [one, two];
});

const hex = (element: bigint): `0x${string}` => `0x${element.toString(16).padStart(64, "0")}`;
let secrets = 5_000n;
const leafFor = (secret: bigint) => hex(leafOf(secret, topicElement(topicId)));

/** Sessions end before the week does. */
const apiOf = async ({ nickname }: TestUser) => (await h.login(nickname)).api;
const enrol = async (leaf: string, former?: Awaited<ReturnType<Insider["former"]>>, who = author) =>
  (await (await apiOf(who.user)).call(contract.crowd.enrol, { topicId, leaf, former })).crowd;
/** Publishes what changed. */
async function nextRound(): Promise<void> {
  clock += 10 * 60_000;
  await publishRoots(h.services);
}

it("a new leaf counts a week after the former one went, for whoever proves that no ban meets that", async () => {
  const leaf = leafFor(++secrets);
  const { own } = await enrol(leaf);
  expect(Date.parse(own?.countsFrom ?? "")).toBe(clock + 30 * DAY);
  clock += 7 * DAY - 1;
  const early = await author.former(leaf);
  expect(await refusalOf(enrol(leaf, early))).toMatchObject({ status: 409, code: "former_leaf_recent" });
  clock += 1;
  const proven = await author.former(leaf);
  expect((await enrol(leaf, proven)).own).toMatchObject({ countsFrom: new Date(clock).toISOString() });
  // Sent again, it is answered again.
  await enrol(leaf, proven);
  await nextRound();
  const { crowd } = await (await apiOf(author.user)).call(contract.crowd.get, { topicId });
  expect(crowd).toMatchObject({ latest: { size: 2 }, own: { leaf, isCounted: true } });
});

it("a ban of that week is not shed, nor one that is left out of the proof", async () => {
  const { postId } = await author.writePost();
  const leaf = leafFor(++secrets);
  await enrol(leaf);
  clock += 3 * DAY;
  await (await apiOf(owner)).call(contract.anonymous.ban, { postId, weeks: 4, reason: "r" });
  clock += 5 * DAY;
  await expect(author.former(leaf)).rejects.toThrow(BannedError);
  const without = await author.former(leaf, { bans: [] });
  expect(await refusalOf(enrol(leaf, without))).toMatchObject({
    ...{ status: 400, code: "membership_invalid", field: "former.proof" },
  });
  clock += 28 * DAY;
  await enrol(leaf, await author.former(leaf));
});

it("nobody's else secret stands in for the former one, and the proof is for this leaf alone", async () => {
  const leaf = leafFor(++secrets);
  await enrol(leaf);
  clock += 7 * DAY;
  expect(await refusalOf(enrol(leaf, await other.former(leaf)))).toMatchObject({
    code: "membership_invalid",
  });
  const elsewhere = await author.former(leafFor(++secrets));
  expect(await refusalOf(enrol(leaf, elsewhere))).toMatchObject({ code: "membership_invalid" });
  const late = await author.former(leaf);
  clock += 3 * 60_000;
  expect(await refusalOf(enrol(leaf, late))).toMatchObject({ code: "terms_expired" });
  // Before the new leaf is enrolled, there is nothing to let count; and a first leaf needs none.
  const next = leafFor(++secrets);
  expect(await refusalOf(enrol(next, await author.former(next)))).toMatchObject({
    ...{ status: 409, code: "no_former_leaf" },
  });
  const own = leafFor(other.secret);
  expect(await refusalOf(enrol(own, await other.former(own), other))).toMatchObject({
    code: "no_former_leaf",
  });
});

import { Noir } from "@noir-lang/noir_js";
import { afterAll, beforeAll, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { ballotStatement } from "@/lib/proofs/anonymous/act";
import { tagOf } from "@/lib/proofs/anonymous/hash";
import { BannedError } from "@/lib/proofs/anonymous/membership";
import { circuitInputs } from "@/lib/proofs/anonymous/statement";
import { membershipCircuit, testMember } from "@/lib/proofs/testing/membership";
import { fullOrShort } from "@/lib/testing/assure";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { makePost, makeTopic, refusalOf, signIn } from "../testing";
import { crowdOf, type Insider, standInMemberships, standInOf } from "./testing";

/** Whatever is tried again and again: the slot beyond the limit, the slot twice, the second ballot, the banned author. */

const ROUNDS = fullOrShort(1_000, 40);
const MEMBERS = 4;
let clock = Date.UTC(2026, 10, 28, 12, 3);
let h: Harness;
let owner: TestUser;
let topicId: string;
let crowd: Insider[];

beforeAll(async () => {
  h = await createHarness({
    now: () => new Date(clock),
    env: { ANONYMOUS_MINIMUM: "2" },
    memberships: standInMemberships,
  });
  owner = await signIn(h, "owner");
  topicId = (await makeTopic(owner)).id;
  crowd = await crowdOf(h, topicId, MEMBERS, (at) => {
    clock = at;
  });
});
afterAll(() => h.close());

const upTo = (count: number) => Math.floor(Math.random() * count);
const anyone = () => {
  const found = crowd[upTo(MEMBERS)];
  if (!found) throw new Error("nobody is there");
  return found;
};
/** Makes stand-ins of what no circuit would solve, as somebody with a better computer than ours could not. */
const prover = async (...given: Parameters<typeof standInOf>) => standInOf(...given);
const rounds = Array.from({ length: ROUNDS }, (_, round) => round);

it(`the circuit refuses a slot at the limit or beyond it: ${ROUNDS} of ${ROUNDS}`, async () => {
  const noir = new Noir(membershipCircuit());
  const { of, member } = await testMember();
  let refused = 0;
  for (const round of rounds) {
    const slot = of.limit + (round % 3 === 0 ? 0 : upTo(2 ** 31));
    await noir.execute(circuitInputs(of, { ...member, slot })).catch(() => refused++);
  }
  expect(refused).toBe(ROUNDS);
  // What is below it is solved.
  await noir.execute(circuitInputs(of, { ...member, slot: of.limit - 1 }));
}, 600_000);

it(`no slot is used twice, whatever is said with it and where: ${ROUNDS} of ${ROUNDS}`, async () => {
  const { id: postId } = await makePost(owner, topicId);
  for (const member of crowd)
    for (let slot = 0; slot < LIMITS.anonymous.perDay; slot++)
      await member.writeComment(postId, slot, `${slot}`, null, { prover });
  for (const round of rounds) {
    const slot = upTo(LIMITS.anonymous.perDay);
    const again =
      round % 2 === 0
        ? anyone().writeComment(postId, slot, `Again ${round}`, null, { prover })
        : anyone().writePost(slot, { title: `Again ${round}` }, { prover });
    expect(await refusalOf(again)).toMatchObject({ code: "slot_used" });
  }
  const { count } = await h.db
    .selectFrom("anonymous_acts")
    .select((eb) => eb.fn.countAll<string | number>().as("count"))
    .where("topic_id", "=", topicId)
    .executeTakeFirstOrThrow();
  expect(Number(count)).toBe(MEMBERS * LIMITS.anonymous.perDay);
}, 600_000);

it(`a second ballot counts nowhere: ${ROUNDS} of ${ROUNDS}`, async () => {
  const { post } = await owner.api.call(contract.posts.create, {
    ...{ topicId, title: "The plan?", content: "<p>Vote.</p>" },
    poll: { options: ["Yes", "No", "Later"], isSecret: true },
  });
  const { poll } = post;
  if (!poll) throw new Error("no poll");
  const [first, ...others] = poll.options.map(({ id }) => id);
  const counter = 5;
  for (const member of crowd) await member.cast(poll, [first ?? ""], counter, { prover });
  for (const _ of rounds) {
    const choice = others[upTo(others.length)] ?? "";
    const again = anyone().cast(poll, [choice], upTo(counter + 1), { prover });
    expect(await refusalOf(again)).toMatchObject({ code: "ballot_replaced" });
  }
  const { post: now } = await owner.api.call(contract.posts.get, { postId: post.id });
  expect(now.poll?.options.map(({ voteCount }) => voteCount)).toEqual([MEMBERS, 0, 0]);
  const { ballots } = await h.guest.call(contract.anonymous.ballots, { postId: post.id });
  expect(ballots.map(({ optionIds }) => optionIds)).toEqual(crowd.map(() => [first]));
  // The voter's number is of the poll and the secret alone: no counter and no choice gives another one.
  const scopes = [0, 1, 7].map(
    (n) => ballotStatement({ topicId, pollId: poll.id, optionIds: [], counter: n }).scope,
  );
  expect(new Set(scopes).size).toBe(1);
}, 600_000);

it(`a banned author says nothing, on any device and day until it ends: ${ROUNDS} of ${ROUNDS}`, async () => {
  const [banned, other] = crowd;
  if (!banned || !other) throw new Error("nobody is there");
  clock += 24 * 3_600_000;
  const { postId } = await banned.writePost(0, {}, { prover });
  const weeks = 2;
  const { ban } = await owner.api.call(contract.anonymous.ban, { postId, weeks, reason: "r" });
  const noir = new Noir(membershipCircuit());
  const ends = Date.parse(ban.until);
  for (const round of rounds) {
    // Days and weeks pass; the same secret on another device has used no slot.
    clock = Math.max(clock, clock + Math.floor(((ends - clock) / (ROUNDS - round)) * 0.9));
    // But for that of the post, on its day.
    const slot = 1 + upTo(LIMITS.anonymous.perDay - 1);
    await expect(banned.comment(postId, slot, `${round}`, null, { prover })).rejects.toThrow(BannedError);
    // Without the ban in the proof, it is about other terms than the server's.
    const terms = banned.terms().then((now) => ({ ...now, bans: [] }));
    const without = banned.writeComment(postId, slot, `${round}`, null, { terms, prover });
    expect(await refusalOf(without)).toMatchObject({ code: "membership_invalid" });
  }
  // And with it, the circuit has no solution.
  const { of, member } = await testMember();
  const listed = { ...of, bans: [{ week: of.week, tag: tagOf(member.secret, of.week) }] };
  await expect(noir.execute(circuitInputs(listed, member))).rejects.toThrow();
  await other.writeComment(postId, 0, "Others may.", null, { prover });
  expect(clock).toBeLessThan(ends);
  clock = ends;
  await banned.writeComment(postId, 1, "It ended.", null, { prover });
}, 600_000);

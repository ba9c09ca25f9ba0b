import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { contract, type Poll } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { makePost, makeTopic, refusalOf, signIn } from "../testing";
import { crowdOf, heldMemberships, type Insider, standInMemberships } from "./testing";

let clock = Date.UTC(2026, 10, 28, 12, 3);
let h: Harness;
let owner: TestUser;
let topicId: string;
let crowd: Insider[];

const setClock = (at: number) => {
  clock = at;
};
const hour = 3_600_000;

beforeAll(async () => {
  h = await createHarness({
    now: () => new Date(clock),
    env: { ANONYMOUS_MINIMUM: "3" },
    memberships: standInMemberships,
  });
});
afterAll(() => h.close());
beforeEach(async () => {
  owner = await signIn(h, "owner");
  topicId = (await makeTopic(owner)).id;
  crowd = await crowdOf(h, topicId, 3, setClock);
});

async function openPoll(more: { multipleChoice?: boolean; closesAt?: string } = {}): Promise<Poll> {
  const poll = { options: ["Yes", "No", "Later"], isSecret: true, ...more };
  const created = await owner.api.call(contract.posts.create, {
    ...{ topicId, title: "The plan?", content: "<p>Vote.</p>", poll },
  });
  if (!created.post.poll) throw new Error("no poll");
  return created.post.poll;
}
const idsOf = ({ options }: Poll) => options.map(({ id }) => id);
const readPoll = async ({ postId }: Poll) => {
  const { post } = await owner.api.call(contract.posts.get, { postId });
  if (!post.poll) throw new Error("no poll");
  return post.poll;
};
const countsOf = async (poll: Poll) => (await readPoll(poll)).options.map(({ voteCount }) => voteCount);
const boxOf = async ({ postId }: Poll, caller = h.guest) =>
  await caller.call(contract.anonymous.ballots, { postId });
const insider = (at: number) => {
  const found = crowd[at];
  if (!found) throw new Error("nobody is there");
  return found;
};

it("a ballot whose poll gets other options while its proof is checked is refused, and counts nowhere", async () => {
  const held = heldMemberships();
  const env = { ANONYMOUS_MINIMUM: "2" };
  const other = await createHarness({ now: () => new Date(clock), env, memberships: held.memberships });
  try {
    const author = await signIn(other, "owner");
    const place = (await makeTopic(author)).id;
    const [voter] = await crowdOf(other, place, 2, setClock);
    const { post } = await author.api.call(contract.posts.create, {
      ...{ topicId: place, title: "The plan?", content: "<p>Vote.</p>" },
      poll: { options: ["Yes", "No"], isSecret: true },
    });
    if (!post.poll || !voter) throw new Error("no poll");
    const body = await voter.ballot(post.poll, idsOf(post.poll).slice(0, 1));
    held.until(2);
    const cast = refusalOf(other.guest.call(contract.anonymous.ballot, body));
    await held.arrived();
    await author.api.call(contract.posts.update, { postId: post.id, poll: { options: ["Now", "Never"] } });
    held.letGo();
    expect(await cast).toMatchObject({ code: "poll_option_unknown" });
    const { ballots } = await other.guest.call(contract.anonymous.ballots, { postId: post.id });
    expect(ballots).toEqual([]);
  } finally {
    await other.close();
  }
});

describe("a poll with secret ballots", () => {
  it("is for the crowd of the moment at which it opens, and says how large that is", async () => {
    const poll = await openPoll();
    expect(poll).toMatchObject({ secret: { root: 1, crowd: 3 }, totalVotes: 0, userVotedOptionIds: [] });
    const [late] = await crowdOf(h, topicId, 1, setClock);
    expect((await openPoll()).secret).toEqual({ root: 2, crowd: 4 });
    expect((await readPoll(poll)).secret).toEqual({ root: 1, crowd: 3 });
    await expect(late?.cast(poll, idsOf(poll).slice(0, 1))).rejects.toThrow("not in the crowd");
  });

  it("opens only where a crowd is large enough, and may speak", async () => {
    const small = (await makeTopic(owner)).id;
    const create = (topic: string) =>
      owner.api.call(contract.posts.create, {
        ...{ topicId: topic, title: "Secret", content: "<p>Vote.</p>" },
        poll: { options: ["a", "b"], isSecret: true },
      });
    expect(await refusalOf(create(small))).toMatchObject({ code: "crowd_too_small" });
    await owner.api.call(contract.topics.update, { topicId, anonymous: "off" });
    expect(await refusalOf(create(topicId))).toMatchObject({ code: "anonymous_off" });
    await owner.api.call(contract.topics.update, { topicId, anonymous: "comments" });
    expect((await create(topicId)).post.poll?.secret).toEqual({ root: 1, crowd: 3 });
  });

  it("counts one ballot of each, and the last of those", async () => {
    const poll = await openPoll();
    const [yes = "", no = "", later = ""] = idsOf(poll);
    expect((await insider(0).cast(poll, [yes])).options.map(({ voteCount }) => voteCount)).toEqual([1, 0, 0]);
    await insider(1).cast(poll, [yes]);
    await insider(2).cast(poll, [no]);
    expect(await countsOf(poll)).toEqual([2, 1, 0]);
    await insider(0).cast(poll, [later], 1);
    expect(await countsOf(poll)).toEqual([1, 1, 1]);
    // An earlier one that arrives late, and one with the same counter.
    for (const counter of [0, 1])
      expect(await refusalOf(insider(0).cast(poll, [no], counter))).toMatchObject({
        code: "ballot_replaced",
        field: "counter",
      });
    expect(await countsOf(poll)).toEqual([1, 1, 1]);
    const { ballots } = await boxOf(poll);
    expect(ballots.map(({ optionIds, counter }) => [optionIds, counter])).toEqual(
      expect.arrayContaining([
        [[later], 1],
        [[yes], 0],
        [[no], 0],
      ]),
    );
    expect(ballots).toHaveLength(3);
  });

  it("answers the same ballot again, and counts it once, however many arrive at once", async () => {
    const poll = await openPoll();
    const [yes = "", no = ""] = idsOf(poll);
    const body = await insider(0).ballot(poll, [yes]);
    const cast = () => h.guest.call(contract.anonymous.ballot, body);
    await Promise.all(Array.from({ length: 10 }, cast));
    await cast();
    expect(await countsOf(poll)).toEqual([1, 0, 0]);
    const changed = await Promise.all([1, 2, 3, 4].map((counter) => insider(0).ballot(poll, [no], counter)));
    await Promise.allSettled(changed.map((each) => h.guest.call(contract.anonymous.ballot, each)));
    expect(await countsOf(poll)).toEqual([0, 1, 0]);
    expect((await boxOf(poll)).ballots).toMatchObject([{ optionIds: [no], counter: 4 }]);
  });

  it("takes several choices where it has them, in the order of the poll, and none that it has not", async () => {
    const poll = await openPoll({ multipleChoice: true });
    const [yes = "", no = "", later = ""] = idsOf(poll);
    const body = await insider(0).ballot(poll, [yes, later]);
    await h.guest.call(contract.anonymous.ballot, { ...body, optionIds: [later.toUpperCase(), yes] });
    expect(await countsOf(poll)).toEqual([1, 0, 1]);
    const single = await openPoll();
    const [first = "", second = ""] = idsOf(single);
    expect(await refusalOf(insider(0).cast(single, [first, second]))).toMatchObject({ field: "optionIds" });
    expect(await refusalOf(insider(0).cast(single, [no]))).toMatchObject({ code: "poll_option_unknown" });
  });

  it("believes nothing of a client but the nullifiers: another choice, counter, poll or slot is refused", async () => {
    const [poll, other] = [await openPoll(), await openPoll()];
    const [yes = "", no = ""] = idsOf(poll);
    const body = await insider(0).ballot(poll, [yes]);
    const send = (change: object, postId = poll.postId) =>
      refusalOf(h.guest.call(contract.anonymous.ballot, { ...body, postId, ...change }));
    const element = `0x${"0".repeat(63)}7`;
    const changes: readonly object[] = [
      { optionIds: [no] },
      { counter: 1 },
      { membership: { ...body.membership, slotNullifier: element } },
      { membership: { ...body.membership, scopeNullifier: element } },
      { membership: { ...body.membership, tagCommitment: element } },
      { membership: { ...body.membership, proof: `0x${"00".repeat(7_616)}` } },
    ];
    for (const change of changes)
      expect(await send(change), JSON.stringify(change)).toMatchObject({ code: "membership_invalid" });
    expect(await send({ optionIds: idsOf(other).slice(0, 1) }, other.postId)).toMatchObject({
      code: "membership_invalid",
    });
    // A proof of a text is none of a ballot.
    const { membership } = await insider(0).comment(poll.postId);
    const { at, slotNullifier, scopeNullifier, proof } = membership;
    const asBallot = { at, slotNullifier, scopeNullifier, tagCommitment: element, proof };
    expect(await send({ membership: asBallot })).toMatchObject({ code: "membership_invalid" });
    expect(await countsOf(poll)).toEqual([0, 0, 0]);
  });

  it("has numbers that lead from no poll to another, nor to a text", async () => {
    const [poll, other] = [await openPoll(), await openPoll()];
    await insider(0).cast(poll, idsOf(poll).slice(0, 1));
    await insider(0).cast(other, idsOf(other).slice(0, 1));
    const { postId } = await insider(0).writePost(0);
    const words = async (of: Poll) => (await boxOf(of)).ballots[0]?.publicInputs.slice(71) ?? [];
    const { evidence } = await h.guest.call(contract.anonymous.evidence, { postId });
    const all = [...(await words(poll)), ...(await words(other)), ...evidence.publicInputs.slice(71)];
    expect(all).toHaveLength(9);
    expect(new Set(all).size).toBe(9);
  });

  it("takes no vote with a name, and a named poll no ballot", async () => {
    const poll = await openPoll();
    const { post: named } = await owner.api.call(contract.posts.create, {
      ...{ topicId, title: "Named", content: "<p>Vote.</p>", poll: { options: ["a", "b"] } },
    });
    const vote = { postId: poll.postId, optionIds: idsOf(poll).slice(0, 1) };
    expect(await refusalOf(owner.api.call(contract.posts.votePoll, vote))).toMatchObject({
      code: "poll_secret",
    });
    expect(
      await refusalOf(owner.api.call(contract.posts.clearPollVote, { postId: poll.postId })),
    ).toMatchObject({ code: "poll_secret" });
    const body = await insider(0).ballot(poll, idsOf(poll).slice(0, 1));
    for (const [postId, code] of [
      [named.id, "poll_named"],
      [(await makePost(owner, topicId)).id, "poll_not_found"],
      [topicId, "post_not_found"],
    ] as const)
      expect(await refusalOf(h.guest.call(contract.anonymous.ballot, { ...body, postId }))).toMatchObject({
        code,
      });
    expect(await refusalOf(h.guest.call(contract.anonymous.ballots, { postId: named.id }))).toMatchObject({
      code: "poll_named",
    });
  });

  it("is closed at its time, frozen once somebody voted, and gone with its post", async () => {
    const poll = await openPoll({ closesAt: new Date(clock + 10 * 365 * 24 * hour).toISOString() });
    const [yes = ""] = idsOf(poll);
    await insider(0).cast(poll, [yes]);
    const patch = { postId: poll.postId, poll: { options: ["x", "y"] } };
    expect(await refusalOf(owner.api.call(contract.posts.update, patch))).toMatchObject({
      code: "poll_frozen",
    });
    await h.db
      .updateTable("polls")
      .set({ closes_at: new Date(clock) })
      .where("id", "=", poll.id)
      .execute();
    expect(await refusalOf(insider(1).cast(poll, [yes]))).toMatchObject({ code: "poll_closed" });
    await owner.api.call(contract.posts.delete, { postId: poll.postId });
    expect(await refusalOf(insider(1).cast(poll, [yes]))).toMatchObject({ code: "post_not_found" });
  });

  it("refuses a banned author, and terms of long ago", async () => {
    const poll = await openPoll();
    const ids = idsOf(poll).slice(0, 1);
    const { postId } = await insider(0).writePost(0);
    const old = await insider(1).ballot(poll, ids);
    clock += 3 * 60_000;
    expect(await refusalOf(h.guest.call(contract.anonymous.ballot, old))).toMatchObject({
      code: "terms_expired",
    });
    clock += 1;
    await owner.api.call(contract.anonymous.ban, { postId, weeks: 1, reason: "Rude." });
    clock += 1;
    await expect(insider(0).cast(poll, ids)).rejects.toThrow("banned");
    await insider(1).cast(poll, ids);
  });

  it("is refused with a session, and lists its box page by page", async () => {
    const poll = await openPoll();
    const ids = idsOf(poll).slice(0, 1);
    const body = await insider(0).ballot(poll, ids);
    const answer = await h.send("POST", `/api/posts/${poll.postId}/poll/ballots`, {
      body,
      token: owner.token,
    });
    expect(answer).toMatchObject({ status: 400, body: { code: "credentials_not_allowed" } });
    for (const one of crowd) await one.cast(poll, ids);
    const seen: string[] = [];
    for (let cursor: string | undefined, pages = 0; pages < 3; pages++) {
      const page = await h.guest.call(contract.anonymous.ballots, { postId: poll.postId, limit: 1, cursor });
      seen.push(...page.ballots.map(({ publicInputs }) => publicInputs[72] ?? ""));
      cursor = page.nextCursor ?? undefined;
      expect(cursor === undefined).toBe(pages === 2);
    }
    expect(seen).toEqual([...new Set(seen)].toSorted());
    expect(seen).toHaveLength(3);
  });
});

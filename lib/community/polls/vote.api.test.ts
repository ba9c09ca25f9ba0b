import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import type { Harness, TestUser } from "@/lib/testing/harness";
import { createCast, makePost, refusalOf, signIn } from "../testing";

let h: Harness;
let owner: TestUser;
let member: TestUser;
let topicId: string;
beforeAll(async () => {
  const cast = await createCast();
  ({ h, owner, member } = cast);
  topicId = await cast.place();
});
afterAll(() => h.close());

async function makePoll(multipleChoice: boolean, closesAt?: string) {
  const { post } = await owner.api.call(contract.posts.create, {
    topicId,
    title: "t",
    content: "c",
    poll: { question: "Which?", options: ["A", "B", "C"], multipleChoice, closesAt },
  });
  const [a = "", b = "", c = ""] = post.poll?.options.map((option) => option.id) ?? [];
  return { postId: post.id, a, b, c, poll: post.poll };
}

const vote = (postId: string, optionIds: string[], user = owner) =>
  user.api.call(contract.posts.votePoll, { postId, optionIds });
const clear = (postId: string, user = owner) => user.api.call(contract.posts.clearPollVote, { postId });

/** Votes per option and the caller's own, as a snapshot says them. */
const said = ({ poll }: Awaited<ReturnType<typeof vote>>) => ({
  counts: poll.options.map((option) => option.voteCount),
  total: poll.totalVotes,
  mine: poll.userVotedOptionIds,
});

describe("one choice", () => {
  it("answers with the whole snapshot", async () => {
    const closesAt = "2999-01-01T00:00:00.000Z";
    const { postId, b, poll } = await makePoll(false, closesAt);
    expect(await vote(postId, [b])).toEqual({
      poll: {
        ...poll,
        options: poll?.options.map((option) => ({ ...option, voteCount: option.id === b ? 1 : 0 })),
        totalVotes: 1,
        userVotedOptionIds: [b],
      },
    });
  });

  it("replaces the previous vote; the same again changes nothing", async () => {
    const { postId, a, c } = await makePoll(false);
    await vote(postId, [a], member);
    expect(said(await vote(postId, [a]))).toEqual({ counts: [2, 0, 0], total: 2, mine: [a] });
    expect(said(await vote(postId, [a]))).toEqual({ counts: [2, 0, 0], total: 2, mine: [a] });
    expect(said(await vote(postId, [c]))).toEqual({ counts: [1, 0, 1], total: 2, mine: [c] });
  });

  it("400 for a second option, or one twice", async () => {
    const { postId, a, b } = await makePoll(false);
    for (const ids of [
      [a, b],
      [a, a],
    ]) {
      expect(await refusalOf(vote(postId, ids))).toEqual({
        status: 400,
        code: "invalid_request",
        field: "optionIds",
      });
    }
    expect(said(await clear(postId))).toEqual({ counts: [0, 0, 0], total: 0, mine: [] });
  });
});

describe("several choices", () => {
  it("adds every option, ignores duplicates, keeps earlier votes", async () => {
    const { postId, a, b, c } = await makePoll(true);
    expect(said(await vote(postId, [b, a, b]))).toMatchObject({ counts: [1, 1, 0], total: 2 });
    const all = await vote(postId, [c, a]);
    expect(said(all)).toMatchObject({ counts: [1, 1, 1], total: 3 });
    expect([...all.poll.userVotedOptionIds].sort()).toEqual([a, b, c].sort());
    expect(said(await vote(postId, [a.toUpperCase()], member))).toEqual({
      counts: [2, 1, 1],
      total: 4,
      mine: [a],
    });
  });

  it("adds nothing at all when one option is unknown", async () => {
    const { postId, a } = await makePoll(true);
    expect(await refusalOf(vote(postId, [a, randomUUID()]))).toEqual({
      status: 400,
      code: "poll_option_unknown",
      field: "optionIds.1",
    });
    expect(said(await clear(postId))).toMatchObject({ total: 0 });
  });
});

describe("removing votes", () => {
  it("clears the caller's votes only, and may be said twice", async () => {
    const { postId, a, b } = await makePoll(true);
    await vote(postId, [a, b]);
    await vote(postId, [a], member);
    const left = { counts: [1, 0, 0], total: 1, mine: [] };
    expect(said(await clear(postId))).toEqual(left);
    expect(said(await clear(postId))).toEqual(left);
  });
});

describe("refusals", () => {
  it.each([
    {},
    { optionIds: [] },
    { optionIds: ["x"] },
    { optionIds: "x" },
    { optionIds: Array(51).fill(randomUUID()) },
  ])("400: %j", async (body) => {
    const { postId } = await makePoll(true);
    const answer = await h.send("POST", `/api/posts/${postId}/poll/vote`, { token: owner.token, body });
    expect(answer).toMatchObject({ status: 400, body: { code: "invalid_request" } });
  });

  it("400: an option of another poll", async () => {
    const [{ postId }, { a }] = [await makePoll(false), await makePoll(false)];
    expect(await refusalOf(vote(postId, [a]))).toMatchObject({ status: 400, code: "poll_option_unknown" });
  });

  it("403: an outsider, and everyone under a hidden post", async () => {
    const { postId, a } = await makePoll(false);
    const outsider = await signIn(h);
    for (const call of [() => vote(postId, [a], outsider), () => clear(postId, outsider)]) {
      expect(await refusalOf(call())).toMatchObject({ status: 403, code: "not_a_member" });
    }
    await h.db.updateTable("posts").set({ hidden_at: new Date() }).where("id", "=", postId).execute();
    expect(await refusalOf(vote(postId, [a]))).toMatchObject({ status: 403, code: "post_hidden" });
  });

  it("404: a post without a poll", async () => {
    const { id } = await makePost(owner, topicId);
    for (const call of [() => vote(id, [randomUUID()]), () => clear(id)]) {
      expect(await refusalOf(call())).toMatchObject({ status: 404, code: "poll_not_found" });
    }
  });

  it("409: a closed poll accepts no vote and removes none", async () => {
    const { postId, a, b } = await makePoll(false);
    await vote(postId, [a]);
    const past = new Date(Date.now() - 1000);
    await h.db.updateTable("polls").set({ closes_at: past }).where("post_id", "=", postId).execute();
    const calls = [() => vote(postId, [b]), () => vote(postId, [randomUUID()]), () => clear(postId)];
    for (const call of calls) {
      expect(await refusalOf(call())).toMatchObject({ status: 409, code: "poll_closed" });
    }
    const { post } = await owner.api.call(contract.posts.get, { postId });
    expect(post.poll).toMatchObject({ totalVotes: 1, userVotedOptionIds: [a], isClosed: true });
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ClientInput, contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { addTo, makePost, makeTopic, refusalOf, signIn } from "../testing";

let h: Harness;
let author: TestUser;
let topicId: string;
beforeAll(async () => {
  h = await createHarness();
  author = await signIn(h, "author");
  topicId = (await makeTopic(await signIn(h, "owner"))).id;
  await addTo(h.db, topicId, author);
});
afterAll(() => h.close());

type Change = Omit<ClientInput<typeof contract.posts.update>, "postId">;
const change = async (postId: string, body: Change) =>
  (await author.api.call(contract.posts.update, { postId, ...body })).post;
const refused = (postId: string, body: Change) => refusalOf(change(postId, body));

const later = "2999-01-01T00:00:00.000Z";
const options = ["A", "B"];

async function withPoll(more: { multipleChoice?: boolean } = {}) {
  const { post } = await author.api.call(contract.posts.create, {
    topicId,
    title: "t",
    content: "c",
    poll: { question: "Which?", options, ...more },
  });
  const ids = post.poll?.options.map((option) => option.id) ?? [];
  return { postId: post.id, ids };
}
const votePoll = (postId: string, id: string | undefined) =>
  author.api.call(contract.posts.votePoll, { postId, optionIds: [id ?? ""] });

describe("poll", () => {
  it("is made where there was none", async () => {
    const { id } = await makePost(author, topicId);
    const after = await change(id, { poll: { question: "Now?", options, closesAt: later } });
    expect(after.poll).toMatchObject({ question: "Now?", multipleChoice: false, closesAt: later });
    expect(after.poll?.options.map((option) => option.text)).toEqual(options);
  });

  it("accepts new options while nobody has voted", async () => {
    const { postId } = await withPoll();
    const after = await change(postId, { poll: { options: ["C", "B", "A"], multipleChoice: true } });
    expect(after.poll).toMatchObject({ question: "Which?", multipleChoice: true, totalVotes: 0 });
    expect(after.poll?.options.map(({ text, position }) => [text, position])).toEqual([
      ["C", 0],
      ["B", 1],
      ["A", 2],
    ]);
  });

  it("keeps its options after the first vote; question and closing time may change or be removed", async () => {
    const { postId, ids } = await withPoll();
    await votePoll(postId, ids[1]);
    const after = await change(postId, {
      poll: { options, multipleChoice: false, question: "Really?", closesAt: later },
    });
    expect(after.poll).toMatchObject({ question: "Really?", closesAt: later, totalVotes: 1 });
    expect(after.poll?.options.map((option) => option.id)).toEqual(ids);
    expect((await change(postId, { poll: { question: null, closesAt: null } })).poll).toMatchObject({
      question: null,
      closesAt: null,
    });
    expect((await change(postId, { poll: {} })).poll).toMatchObject({ question: null, totalVotes: 1 });
  });

  it.each([
    ["other options", { options: ["A", "C"] }],
    ["the same in another order", { options: ["B", "A"] }],
    ["one more", { options: ["A", "B", "C"] }],
    ["another number of choices", { multipleChoice: true }],
  ])("409 after the first vote: %s", async (_, poll) => {
    const { postId, ids } = await withPoll();
    await votePoll(postId, ids[0]);
    const before = (await h.guest.call(contract.posts.get, { postId })).post;
    expect(await refused(postId, { title: "not either", poll })).toMatchObject({
      status: 409,
      code: "poll_frozen",
    });
    const after = (await h.guest.call(contract.posts.get, { postId })).post;
    expect(after).toEqual({ ...before, viewCount: expect.any(Number) });
    // Allowed again once the vote is removed.
    await author.api.call(contract.posts.clearPollVote, { postId });
    await change(postId, { poll });
  });

  it("is deleted by null, with its votes", async () => {
    const { postId, ids } = await withPoll();
    await votePoll(postId, ids[0]);
    expect((await change(postId, { poll: null })).poll).toBeNull();
    const votes = h.db.selectFrom("poll_votes").select("user_id").where("option_id", "in", ids);
    expect(await votes.execute()).toEqual([]);
    expect((await change(postId, { poll: null })).poll).toBeNull();
  });
});

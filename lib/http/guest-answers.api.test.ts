import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makePost, makeTopic, signIn } from "@/lib/community/testing";
import { contract, operations } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";

let h: Harness;
let owner: TestUser;
let topicId: string;
beforeAll(async () => {
  h = await createHarness();
  await h.services.changes.follow();
  owner = await signIn(h, "owner");
  topicId = (await makeTopic(owner)).id;
});
afterAll(() => h.close());

/** Changes a title past the operations, as nothing in the app does. */
async function rename(postId: string, title: string): Promise<void> {
  await h.db.updateTable("posts").set({ title }).where("id", "=", postId).execute();
}

const titles = async (token?: string, query = "") => {
  const { body } = await h.send("GET", `/api/topics/${topicId}/posts${query}`, { token });
  return contract.posts.list.responses[200].parse(body).posts.map(({ title }) => title);
};

describe("answers to guests", () => {
  it("come from memory until an operation changes something; members always read anew", async () => {
    const { id } = await makePost(owner, topicId, "First");
    // The topic's score is a change as well.
    await h.idle();
    expect(await titles()).toContain("First");
    await rename(id, "Second");
    expect(await titles()).toContain("First");
    expect(await titles(owner.token)).toContain("Second");
    // A different query is a different answer.
    expect(await titles(undefined, "?sort=new")).toContain("Second");
    await owner.api.call(contract.posts.vote, { postId: id, value: 1 });
    expect(await titles()).toContain("Second");
    await owner.api.call(contract.posts.delete, { postId: id });
    expect(await titles()).not.toContain("Second");
  });

  it("never contain what is for a member", async () => {
    const { id } = await makePost(owner, topicId, "Voted");
    await owner.api.call(contract.posts.vote, { postId: id, value: 1 });
    const voteOf = async (token?: string) => {
      const { body } = await h.send("GET", "/api/feed", { token });
      return contract.feed.list.responses[200].parse(body).posts.find((post) => post.id === id)?.userVoted;
    };
    expect([await voteOf(owner.token), await voteOf(), await voteOf(owner.token)]).toEqual([1, null, 1]);
  });

  it("of what they may no longer read are refused at once", async () => {
    const own = await makeTopic(owner);
    await makePost(owner, own.id);
    const read = async (path: string) => (await h.send("GET", `/api/topics/${own.id}${path}`)).status;
    expect([await read(""), await read("/posts")]).toEqual([200, 200]);
    await owner.api.call(contract.topics.delete, { topicId: own.id });
    expect([await read(""), await read("/posts")]).toEqual([404, 404]);
    const secret = await makeTopic(owner, "private");
    for (const _ of [1, 2]) {
      expect((await h.send("GET", `/api/topics/${secret.id}/posts`)).body).toMatchObject({
        code: "not_authenticated",
      });
    }
  });

  it("count against the limit, and have ids of their own", async () => {
    const limited = await createHarness({ env: { RATE_LIMITS: "on" } });
    await limited.services.changes.follow();
    const read = async () => (await limited.send("GET", "/api/topics?view=all")).headers;
    const [first, second] = [await read(), await read()];
    expect(Number(first.get("ratelimit-remaining")) - Number(second.get("ratelimit-remaining"))).toBe(1);
    expect(first.get("x-request-id")).not.toBe(second.get("x-request-id"));
    await limited.close();
  });
});

it("only reads that allow guests are the same for guests", () => {
  const same = operations.filter((op) => op.sameForGuests);
  expect(same.length).toBeGreaterThan(5);
  // posts.get counts a view.
  for (const op of same) expect([op.method, op.auth], op.id).toEqual(["GET", "optional"]);
});

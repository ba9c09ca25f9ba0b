import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import type { CommentSort } from "@/lib/contract/comments";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { addTo, makePost, makeTopic, refusalOf, signIn } from "../testing";

/** Votes on comments, and the orders of a post's comments. */

let h: Harness;
let owner: TestUser;
let member: TestUser;
let topicId: string;
let postId: string;
beforeAll(async () => {
  h = await createHarness();
  owner = await signIn(h, "owner");
  member = await signIn(h, "member");
  topicId = (await makeTopic(owner)).id;
  await addTo(h.db, topicId, member);
  postId = (await makePost(owner, topicId)).id;
});
afterAll(() => h.close());

const vote = (user: TestUser, commentId: string, value: 1 | -1) =>
  user.api.call(contract.comments.vote, { commentId, value });
async function comment(content = "A word.", on = postId): Promise<string> {
  const made = await member.api.call(contract.comments.create, { postId: on, content });
  return made.comment.id;
}
async function seenBy(user: TestUser, id: string) {
  const { comments } = await user.api.call(contract.posts.get, { postId });
  return comments.find((one) => one.id === id);
}

describe("a vote on a comment", () => {
  // As votes on posts (spec, "States and transitions").
  it.each([
    [[1], 1, 1],
    [[-1], -1, -1],
    [[1, 1], null, 0],
    [[1, -1], -1, -1],
    [[-1, 1], 1, 1],
    [[1, -1, -1], null, 0],
  ] as const)("%j leaves %s and a net count of %i", async (values, left, count) => {
    const id = await comment();
    const answers = [];
    for (const value of values) answers.push(await vote(owner, id, value));
    expect(answers.at(-1)).toEqual({ vote: left === null ? null : { value: left }, upvoteCount: count });
    expect(await seenBy(owner, id)).toMatchObject({ userVoted: left, upvoteCount: count });
    expect(await seenBy(member, id)).toMatchObject({ userVoted: null, upvoteCount: count });
  });

  it("adds up over voters, and is neither an edit nor activity", async () => {
    const id = await comment();
    const before = await seenBy(owner, id);
    await vote(owner, id, 1);
    expect((await vote(member, id, 1)).upvoteCount).toBe(2);
    expect((await seenBy(owner, id))?.updatedAt).toBe(before?.updatedAt);
  });

  it("is refused on a comment that is gone or whose text the voter cannot read", async () => {
    const gone = await comment();
    await vote(owner, gone, 1);
    await member.api.call(contract.comments.delete, { commentId: gone });
    expect(await refusalOf(vote(owner, gone, 1))).toMatchObject({ status: 404, code: "comment_not_found" });
    expect(await seenBy(owner, gone)).toMatchObject({ isDeleted: true, upvoteCount: 0, userVoted: null });

    const other = await signIn(h);
    await addTo(h.db, topicId, other);
    const hidden = await comment();
    await owner.api.call(contract.moderation.hideComment, { commentId: hidden, hidden: true });
    expect(await refusalOf(vote(other, hidden, 1))).toMatchObject({ status: 404, code: "comment_not_found" });
    expect((await vote(owner, hidden, 1)).upvoteCount).toBe(1);
  });

  it("is refused to outsiders and to muted members", async () => {
    const id = await comment();
    expect(await refusalOf(vote(await signIn(h), id, 1))).toMatchObject({
      status: 403,
      code: "not_a_member",
    });
    const muted = await signIn(h);
    await addTo(h.db, topicId, muted);
    const until = { kind: "mute", userId: muted.userId, reason: "r" } as const;
    await owner.api.call(contract.moderation.sanction, { topicId, ...until });
    expect(await refusalOf(vote(muted, id, 1))).toMatchObject({ status: 403, code: "muted" });
  });

  it.each([{}, { value: 0 }, { value: 2 }, { value: "1" }, []])("400: %j", async (body) => {
    const id = await comment();
    const answer = await h.send("POST", `/api/comments/${id}/vote`, { token: owner.token, body });
    expect(answer.status).toBe(400);
    expect((await seenBy(owner, id))?.upvoteCount).toBe(0);
  });
});

describe("the order of comments", () => {
  /** Ids over all pages of two. */
  async function pages(on: string, sort: CommentSort): Promise<string[]> {
    const ids: string[] = [];
    for (let cursor: string | undefined, more = true; more; ) {
      const page = await h.guest.call(contract.posts.get, { postId: on, sort, limit: 2, cursor });
      ids.push(...page.comments.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
      more = cursor !== undefined;
    }
    return ids;
  }

  it("is oldest, newest, or most upvotes first with the older of two equals before", async () => {
    const { id: on } = await makePost(owner, topicId);
    const ids: string[] = [];
    for (let i = 0; i < 7; i += 1) ids.push(await comment(`Comment number ${i}`, on));
    const at = (...places: number[]) => places.map((place) => ids[place]);
    await vote(owner, ids[4] ?? "", 1);
    await vote(member, ids[4] ?? "", 1);
    await vote(owner, ids[6] ?? "", 1);
    await vote(owner, ids[2] ?? "", 1);
    await vote(owner, ids[0] ?? "", -1);
    expect(await pages(on, "old")).toEqual(ids);
    expect(await pages(on, "new")).toEqual(ids.toReversed());
    expect(await pages(on, "best")).toEqual(at(4, 2, 6, 1, 3, 5, 0));
    // A linked comment is found where it stands in time.
    const linked = await h.guest.call(contract.posts.get, {
      postId: on,
      sort: "best",
      limit: 7,
      comment: ids[0],
    });
    expect(linked.comments.map(({ id }) => id)).toEqual(ids);
    // A cursor of one order is refused in another.
    const { nextCursor } = await h.guest.call(contract.posts.get, { postId: on, sort: "best", limit: 2 });
    expect(
      await refusalOf(
        h.guest.call(contract.posts.get, { postId: on, sort: "new", cursor: nextCursor ?? "" }),
      ),
    ).toMatchObject({ status: 400, field: "cursor" });
  });

  it("puts a comment without a number last among equals", async () => {
    const { id: on } = await makePost(owner, topicId);
    const ids: string[] = [];
    for (let i = 0; i < 3; i += 1) ids.push(await comment(`Other comment ${i}`, on));
    await h.db
      .updateTable("comments")
      .set({ position: sql`null` })
      .where("id", "=", ids[0] ?? "")
      .execute();
    expect(await pages(on, "best")).toEqual([ids[1], ids[2], ids[0]]);
  });
});

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { makePost, makeTopic, refusalOf, signIn } from "../testing";

/** GET /api/posts/{postId}?comment=: the page of a thread with one comment. */

let h: Harness;
let owner: TestUser;
let topicId: string;
let postId: string;
/** Ids of the post's comments, oldest first. */
let written: readonly string[];
beforeAll(async () => {
  h = await createHarness();
  owner = await signIn(h, "owner");
  topicId = (await makeTopic(owner)).id;
  postId = (await makePost(owner, topicId)).id;
  written = await talk(postId, 30);
});
afterAll(() => h.close());

/** Comments of a post, written straight into its table, in groups of three of the same moment. */
async function talk(id: string, count: number): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, i) => ({ id: randomUUID(), at: Math.floor(i / 3) }));
  const ordered = rows.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  const moment = (at: number) => new Date(Date.UTC(2026, 0, 1) + at);
  await h.db
    .insertInto("comments")
    .values(
      ordered.map((row) => ({
        id: row.id,
        post_id: id,
        author_id: owner.userId,
        content: "c",
        created_at: moment(row.at),
        updated_at: moment(row.at),
      })),
    )
    .execute();
  await h.db.updateTable("posts").set({ comment_count: count }).where("id", "=", id).execute();
  return ordered.map((row) => row.id);
}

const limit = 7;
const read = async (comment: string, over: { postId?: string; user?: TestUser; limit?: number } = {}) => {
  const { comments, nextCursor, pageCursor } = await (over.user?.api ?? h.guest).call(contract.posts.get, {
    postId: over.postId ?? postId,
    limit: over.limit ?? limit,
    comment,
  });
  return { ids: comments.map(({ id }) => id), nextCursor, pageCursor };
};
const firstPage = () => written.slice(0, limit);

describe("the page of a comment", () => {
  it("has every comment on its page, and is a whole page of the list", async () => {
    for (const [at, id] of written.entries()) {
      const { ids } = await read(id);
      expect(ids).toContain(id);
      const from = written.indexOf(ids[0] ?? "");
      expect(ids).toEqual(written.slice(from, from + limit));
      expect(from === 0).toBe(at < limit);
    }
  });

  it("returns its own cursor, and continues from there", async () => {
    expect((await read(written[3] ?? "")).pageCursor).toBeNull();
    const { ids, nextCursor, pageCursor } = await read(written[12] ?? "");
    const again = await h.guest.call(contract.posts.get, { postId, limit, cursor: pageCursor ?? "" });
    expect(again.comments.map(({ id }) => id)).toEqual(ids);
    expect(again.pageCursor).toBe(pageCursor);
    const next = await h.guest.call(contract.posts.get, { postId, limit, cursor: nextCursor ?? "" });
    expect(written.indexOf(next.comments[0]?.id ?? "")).toBe(written.indexOf(ids.at(-1) ?? "") + 1);
  });

  it("is that of its place when the comment is deleted or hidden", async () => {
    const id = (await makePost(owner, topicId)).id;
    const [, , , , , , , , gone = "", hidden = ""] = await talk(id, 12);
    await owner.api.call(contract.comments.delete, { commentId: gone });
    await owner.api.call(contract.moderation.hideComment, { commentId: hidden, hidden: true });
    for (const comment of [gone, hidden])
      expect((await read(comment, { postId: id })).ids).toContain(comment);
  });

  it("is the first for a comment of another post, and for one that is not there", async () => {
    // Later than all of this post, so that its moment would lead far in.
    const foreign = (await talk((await makePost(owner, topicId)).id, 60)).at(-1) ?? "";
    for (const comment of [foreign, randomUUID()]) {
      expect(await read(comment)).toMatchObject({ ids: firstPage(), pageCursor: null });
    }
  });

  it("accepts only an id", async () => {
    expect(await refusalOf(read("not-an-id"))).toMatchObject({ status: 400, field: "comment" });
  });
});

describe("a secret topic", () => {
  it("answers alike whether the comment is there or not, and lends no page to another post", async () => {
    const secret = (await makeTopic(owner, "secret")).id;
    const inside = (await makePost(owner, secret)).id;
    const comment = (await talk(inside, 60)).at(-1) ?? "";
    const outsider = await signIn(h);
    for (const user of [undefined, outsider]) {
      const there = await refusalOf(read(comment, { postId: inside, user }));
      expect(await refusalOf(read(randomUUID(), { postId: inside, user }))).toEqual(there);
      const none = await refusalOf(read(comment, { postId: randomUUID(), user }));
      if (!user) expect(there).toEqual(none);
      expect(await read(comment, { user })).toMatchObject({ ids: firstPage(), pageCursor: null });
    }
    expect((await read(comment, { postId: inside, user: owner })).ids).toContain(comment);
  });
});

import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { addTo, makePost, makeTopic, refusalOf, signIn } from "../testing";

let h: Harness;
let author: TestUser;
let recorder: TestUser;
let minutes = 0;
beforeAll(async () => {
  h = await createHarness();
  author = await signIn(h, "author");
});
afterAll(() => h.close());

/** Writes a confirmed record, a minute after the previous one. */
async function recorded(postId: string, by: TestUser, status: "confirmed" | "sent" | "failed" = "confirmed") {
  minutes += 1;
  const at = new Date(Date.UTC(2026, 10, 22, 0, minutes));
  const { rows } = await sql<{ id: string }>`
    with wallet as (
      insert into chain_wallets (chain_id, address, next_nonce) values (1, '0x', 0) on conflict do nothing
    ) insert into chain_transactions (chain_id, wallet, nonce, recipient, data, gas, created_at)
      values (1, '0x', ${minutes}, '0x', '0x', 1, ${at}) returning id`.execute(h.db);
  const confirmed = status === "confirmed";
  await h.db
    .insertInto("records")
    .values({
      ...{ post_id: postId, recorder_id: by.userId, content_hash: "0x", day: "2026-11-22", status },
      ...{ transaction_id: rows[0]?.id ?? "", created_at: at, confirmed_at: confirmed ? at : null },
    })
    .execute();
  if (!confirmed) return at;
  await h.db
    .updateTable("posts")
    .set((eb) => ({ record_count: eb("record_count", "+", 1), last_recorded_at: at }))
    .where("id", "=", postId)
    .execute();
  return at;
}

/** Topics with the recorder in all of them. */
async function world() {
  recorder = await signIn(h, "recorder");
  const open = await makeTopic(author);
  const secret = await makeTopic(author, "secret");
  for (const { id } of [open, secret]) await addTo(h.db, id, recorder);
  return { open: open.id, secret: secret.id };
}
const query = { limit: 100 };
const ids = ({ posts }: { posts: readonly { id: string }[] }) => posts.map(({ id }) => id);
const leave = (topicId: string) =>
  h.db
    .deleteFrom("memberships")
    .where("topic_id", "=", topicId)
    .where("user_id", "=", recorder.userId)
    .execute();

describe("GET /api/recorded", () => {
  const list = async (more: object = {}) =>
    await recorder.api.call(contract.recorded.list, { ...query, ...more });

  it("is what the caller recorded, most records first, in topics they belong to", async () => {
    const at = await world();
    const others = [await signIn(h), await signIn(h)];
    const posts = [];
    for (let i = 0; i < 3; i += 1) posts.push((await makePost(author, i === 1 ? at.secret : at.open)).id);
    const [one = "", two = "", three = ""] = posts;
    for (const id of posts) await recorded(id, recorder);
    for (const user of others) await recorded(two, user);
    await recorded(three, others[0] ?? author);
    await recorded((await makePost(author, at.open)).id, recorder, "sent");
    await recorded((await makePost(author, at.open)).id, recorder, "failed");
    const found = await list();
    expect(ids(found)).toEqual([two, three, one]);
    expect(found.posts.map((post) => [post.recordCount, post.userRecorded])).toEqual([
      [3, true],
      [2, true],
      [1, true],
    ]);

    const first = await list({ limit: 2 });
    const second = await list({ limit: 2, cursor: first.nextCursor ?? "" });
    expect([...ids(first), ...ids(second)]).toEqual([two, three, one]);
    expect(second.nextCursor).toBeNull();
    expect(ids(await list({ offset: 2 }))).toEqual([one]);

    // Public posts of a topic one left may be read, and are not among these.
    await leave(at.open);
    expect(ids(await list())).toEqual([two]);
  });

  it("breaks ties by id, and accepts no cursor of another list", async () => {
    const at = await world();
    const posts = [];
    for (let i = 0; i < 4; i += 1) posts.push((await makePost(author, at.open)).id);
    for (const id of posts) await recorded(id, recorder);
    expect(ids(await list())).toEqual(posts.toSorted().reverse());
    const { nextCursor } = await recorder.api.call(contract.my.recorded, { limit: 1 });
    expect(await refusalOf(list({ cursor: nextCursor }))).toMatchObject({ status: 400, field: "cursor" });
  });
});

describe("GET /api/my/recorded and /api/my/recorded-on-mine", () => {
  it("show times, latest record first, without posts that are deleted or no longer readable", async () => {
    const at = await world();
    const [a, b, c, gone] = [
      await makePost(author, at.open),
      await makePost(author, at.secret),
      await makePost(author, at.open),
      await makePost(author, at.open),
    ];
    const times = new Map<string, string>();
    for (const { id } of [gone, c, a, b]) times.set(id, (await recorded(id, recorder)).toISOString());
    await author.api.call(contract.posts.delete, { postId: gone.id });
    const mine = await recorder.api.call(contract.my.recorded, query);
    expect(mine.posts.map(({ id, recordedAt }) => [id, recordedAt])).toEqual(
      [b, a, c].map(({ id }) => [id, times.get(id)]),
    );
    const onMine = await author.api.call(contract.my.recordedOnMine, { limit: 3 });
    expect(ids(onMine)).toEqual([b.id, a.id, c.id]);

    // A further record moves a post to the top of its author's list only.
    const later = (await recorded(c.id, await signIn(h))).toISOString();
    const [top] = (await author.api.call(contract.my.recordedOnMine, { limit: 1 })).posts;
    expect([top?.id, top?.recordedAt]).toEqual([c.id, later]);
    expect(ids(await recorder.api.call(contract.my.recorded, query))).toEqual([b.id, a.id, c.id]);

    await leave(at.secret);
    expect(ids(await recorder.api.call(contract.my.recorded, query))).toEqual([a.id, c.id]);
    expect(ids(await recorder.api.call(contract.my.recordedOnMine, query))).toEqual([]);
  });

  it("page by cursor", async () => {
    const at = await world();
    const posts = [];
    for (let i = 0; i < 5; i += 1) posts.push((await makePost(author, at.open)).id);
    for (const id of posts) await recorded(id, recorder);
    for (const op of [contract.my.recorded, contract.my.recordedOnMine]) {
      const user = op === contract.my.recorded ? recorder : author;
      const seen: string[] = [];
      let cursor: string | undefined;
      while (seen.length < 5) {
        const page = await user.api.call(op, { limit: 2, cursor });
        seen.push(...ids(page));
        cursor = page.nextCursor ?? undefined;
        if (!cursor) break;
      }
      expect(seen.slice(0, 5)).toEqual(posts.toReversed());
    }
  });

  it("leave posts the staff hid to their author", async () => {
    const at = await world();
    const post = await makePost(author, at.open);
    await recorded(post.id, recorder);
    await h.db.updateTable("posts").set({ hidden_at: new Date() }).where("id", "=", post.id).execute();
    expect(ids(await recorder.api.call(contract.my.recorded, query))).toEqual([]);
    expect(ids(await recorder.api.call(contract.recorded.list, query))).toEqual([]);
    expect(ids(await author.api.call(contract.my.recordedOnMine, query))[0]).toBe(post.id);
  });
});

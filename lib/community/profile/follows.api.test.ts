import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { addTo, makePost, makeTopic, refusalOf, signIn } from "../testing";

/** Following people, and what joins the feed of who follows. */
let h: Harness;
let reader: TestUser;
let author: TestUser;
let clock = Date.UTC(2026, 0, 1);
beforeAll(async () => {
  // Each look at the clock is later.
  const now = () => {
    clock += 1000;
    return new Date(clock);
  };
  h = await createHarness({ now });
  reader = await signIn(h, "reader");
  author = await signIn(h, "author");
});
afterAll(() => h.close());

const follow = (by: TestUser, whom: TestUser) => by.api.call(contract.users.follow, { userId: whom.userId });
const unfollow = (by: TestUser, whom: TestUser) =>
  by.api.call(contract.users.unfollow, { userId: whom.userId });
const followedBy = async (user: TestUser) =>
  (await user.api.call(contract.my.follows, {})).users.map(({ userId }) => userId);
const personFor = async (user: TestUser | null, of: TestUser) =>
  (await (user?.api ?? h.guest).call(contract.people.get, { nickname: of.nickname })).person;

describe("a follow", () => {
  it("is listed, latest first, until it is taken back; both can be repeated", async () => {
    const [by, first, second] = [await signIn(h), await signIn(h), await signIn(h)];
    expect(await follow(by, first)).toEqual({ followed: true });
    expect(await follow(by, second)).toEqual({ followed: true });
    expect(await follow(by, first)).toEqual({ followed: true });
    expect(await by.api.call(contract.my.follows, {})).toEqual({
      users: [second, first].map(({ userId, nickname }) => ({
        userId,
        nickname,
        profileImage: null,
        followedAt: expect.any(String),
      })),
    });
    expect((await personFor(by, first)).isFollowed).toBe(true);
    for (const other of [first, null]) expect((await personFor(other, first)).isFollowed).toBe(false);
    expect(await unfollow(by, first)).toEqual({ followed: false });
    expect(await unfollow(by, first)).toEqual({ followed: false });
    expect(await followedBy(by)).toEqual([second.userId]);
  });

  it("is of somebody else who exists and is not blocked; a block ends it", async () => {
    expect(await refusalOf(follow(reader, reader))).toMatchObject({ status: 400, field: "userId" });
    const unknown = reader.api.call(contract.users.follow, { userId: "u_unknown" });
    expect(await refusalOf(unknown)).toMatchObject({ status: 404, code: "user_not_found" });
    const [by, whom] = [await signIn(h), await signIn(h)];
    await follow(by, whom);
    await by.api.call(contract.users.block, { userId: whom.userId });
    expect(await followedBy(by)).toEqual([]);
    expect(await refusalOf(follow(by, whom))).toMatchObject({ status: 400, field: "userId" });
    await whom.api.call(contract.profile.deleteAccount, {});
    expect(await refusalOf(follow(reader, whom))).toMatchObject({ status: 404, code: "user_not_found" });
  });

  it("tells nobody", async () => {
    const whom = await signIn(h);
    await follow(reader, whom);
    expect((await whom.api.call(contract.notifications.list, {})).notifications).toEqual([]);
  });

  it("has a limit that concurrent follows do not pass", async () => {
    const by = await signIn(h);
    const ids = Array.from({ length: LIMITS.follows - 1 }, (_, i) => `u_many_${i}`);
    await h.db
      .insertInto("users")
      .values(
        ids.map((id) => ({
          id,
          identity_hash: null,
          nickname: id,
          nickname_key: id,
          nickname_set: true,
          profile_image: null,
          created_at: new Date(0),
        })),
      )
      .execute();
    await h.db
      .insertInto("follows")
      .values(ids.map((id) => ({ user_id: by.userId, followed_id: id, created_at: new Date(0) })))
      .execute();
    const others = [await signIn(h), await signIn(h), await signIn(h)];
    const answers = await Promise.allSettled(others.map((other) => follow(by, other)));
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await followedBy(by)).toHaveLength(LIMITS.follows);
    expect(await refusalOf(follow(by, author))).toMatchObject({ status: 409, code: "too_many_follows" });
  });
});

describe("the feed with view=my", () => {
  const titles = async (query: object = {}) =>
    (await reader.api.call(contract.feed.list, { view: "my", sort: "new", ...query })).posts.map(
      ({ title }) => title,
    );

  it("has what followed people write in public, once, beside the reader's topics", async () => {
    const other = await signIn(h, "other");
    const [open, closed, mine] = [
      await makeTopic(author),
      await makeTopic(author, "private"),
      await makeTopic(author, "public"),
    ];
    await addTo(h.db, mine.id, reader);
    await addTo(h.db, open.id, other);
    await makePost(author, open.id, "open");
    await makePost(author, closed.id, "closed");
    await makePost(author, mine.id, "mine");
    await makePost(other, open.id, "of another");
    expect(await titles()).toEqual(["mine"]);
    await follow(reader, author);
    expect(await titles()).toEqual(["mine", "open"]);
    expect(await titles({ q: "open" })).toEqual(["open"]);
    for (const sort of ["hot", "top", "active"] as const) {
      expect((await titles({ sort })).sort()).toEqual(["mine", "open"]);
    }
    // One after the other, by cursor.
    const first = await reader.api.call(contract.feed.list, { view: "my", sort: "new", limit: 1 });
    expect(first.posts.map(({ title }) => title)).toEqual(["mine"]);
    expect(await titles({ limit: 1, cursor: first.nextCursor ?? "" })).toEqual(["open"]);
    await reader.api.call(contract.topics.mute, { topicId: open.id });
    expect(await titles()).toEqual(["mine"]);
    await reader.api.call(contract.topics.unmute, { topicId: open.id });
    await unfollow(reader, author);
    expect(await titles()).toEqual(["mine"]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { withRole } from "../desk/testing";
import { addTo, makePost, makeTopic, refusalOf, signIn, verified } from "../testing";

/** What a member shows of themselves, and which of their posts a reader finds. */
let h: Harness;
let author: TestUser;
let reader: TestUser;
let inside: TestUser;
beforeAll(async () => {
  h = await createHarness();
  author = await signIn(h, "author");
  reader = await signIn(h, "reader");
  inside = await signIn(h, "inside");
});
afterAll(() => h.close());

type Caller = Pick<TestUser, "api">;
const personOf = async ({ api }: Caller, nickname = author.nickname) =>
  (await api.call(contract.people.get, { nickname })).person;
const titlesFor = async ({ api }: Caller, query: object = {}) =>
  (await api.call(contract.people.posts, { nickname: author.nickname, ...query })).posts.map(
    ({ title }) => title,
  );
const guest = (): Caller => ({ api: h.guest });

describe("GET /api/people/{nickname}", () => {
  it("says name, picture and month, and a domain only while it is shown", async () => {
    const hers = {
      userId: author.userId,
      nickname: author.nickname,
      profileImage: null,
      since: new Date().toISOString().slice(0, 7),
      seals: [],
      isBlocked: false,
      isFollowed: false,
    };
    await verified(h, author, { domain: "acme.example", provider: "provider_a" });
    expect(await personOf(guest())).toEqual(hers);
    expect(await personOf(reader, author.nickname.toUpperCase())).toEqual(hers);
    await author.api.call(contract.profile.addDomainBadge, {});
    const seal = { domain: "acme.example", vouchedBy: "Test provider", provenIn: hers.since };
    expect((await personOf(guest())).seals).toEqual([seal]);
    await author.api.call(contract.profile.removeDomainBadge, {});
    expect((await personOf(guest())).seals).toEqual([]);
  });

  it("says what is shown in one topic only to whoever may read there, and names the latest proof", async () => {
    const [open, closed] = [await makeTopic(author), await makeTopic(author, "private")];
    for (const { id } of [open, closed]) await addTo(h.db, id, inside);
    for (const { id: topicId } of [open, closed]) {
      await author.api.call(contract.profile.addDomainBadge, { topicId });
    }
    const now = new Date();
    const verifiedAt = new Date(now.getTime() - 86_400_000);
    await h.db
      .updateTable("verifications")
      .set({ provider: "provider_b", verified_at: verifiedAt })
      .where("user_id", "=", author.userId)
      .execute();
    const month = verifiedAt.toISOString().slice(0, 7);
    const seal = { domain: "acme.example", vouchedBy: null, provenIn: month };
    const sealsIn = async ({ api }: Caller, topicId?: string) =>
      (await api.call(contract.people.get, { nickname: author.nickname, topicId })).person.seals;
    // Only members may know who else is one: a silent member's seal tells nobody else.
    expect(await sealsIn(inside, open.id)).toEqual([seal]);
    for (const caller of [guest(), reader]) expect(await sealsIn(caller, open.id)).toEqual([]);
    const { id: postId } = await makePost(author, open.id);
    for (const caller of [guest(), reader, inside]) {
      expect(await sealsIn(caller)).toEqual([]);
      expect(await sealsIn(caller, open.id)).toEqual([seal]);
    }
    await author.api.call(contract.posts.delete, { postId });
    expect(await sealsIn(guest(), open.id)).toEqual([]);
    const other = await makePost(inside, open.id);
    const said = { postId: other.id, content: "A word." };
    const { comment } = await author.api.call(contract.comments.create, said);
    expect(await sealsIn(inside, closed.id)).toEqual([seal]);
    for (const [caller, code] of [
      [guest(), "not_authenticated"],
      [reader, "not_a_member"],
    ] as const) {
      expect(await refusalOf(sealsIn(caller, closed.id))).toMatchObject({ code });
    }
    await verified(h, author, { domain: "acme.example", provider: "provider_a" });
    expect(await sealsIn(guest(), open.id)).toEqual([
      { domain: "acme.example", vouchedBy: "Test provider", provenIn: now.toISOString().slice(0, 7) },
    ]);
    await author.api.call(contract.comments.delete, { commentId: comment.id });
    await author.api.call(contract.profile.removeDomainBadge, {});
  });

  it("tells who blocked them, and nobody else", async () => {
    await reader.api.call(contract.users.block, { userId: author.userId });
    expect((await personOf(reader)).isBlocked).toBe(true);
    expect((await personOf(reader, inside.nickname)).isBlocked).toBe(false);
    for (const other of [author, inside, guest()]) expect((await personOf(other)).isBlocked).toBe(false);
    await reader.api.call(contract.users.unblock, { userId: author.userId });
  });

  it("404 for a name that nobody has, that was given up, or whose owner withdrew", async () => {
    const changed = await signIn(h, "before");
    const old = changed.nickname;
    await changed.api.call(contract.profile.setNickname, { nickname: `${old}_b`.slice(-20) });
    const gone = await signIn(h, "gone");
    await gone.api.call(contract.profile.deleteAccount, {});
    for (const nickname of ["nobody_here", old, gone.nickname]) {
      for (const call of [contract.people.get, contract.people.posts, contract.people.comments]) {
        expect(await refusalOf(h.guest.call(call, { nickname }))).toMatchObject({
          status: 404,
          code: "user_not_found",
        });
      }
    }
  });
});

it("a name that operators reset leads nowhere, and the one that texts then show leads to the page", async () => {
  const operator = await withRole(h, "operator");
  const rude = await signIn(h, "rude");
  const { userId, nickname: old } = rude;
  const { nickname } = await operator.api.call(contract.desk.resetNickname, { userId, reason: "Rude." });
  expect(await refusalOf(personOf(guest(), old))).toMatchObject({ status: 404 });
  expect(await personOf(guest(), nickname)).toMatchObject({ userId, nickname });
});

describe("GET /api/people/{nickname}/posts", () => {
  it("lists what the reader may read, latest first, without a trace of the rest", async () => {
    const [open, closed, secret] = [
      await makeTopic(author),
      await makeTopic(author, "private"),
      await makeTopic(author, "secret"),
    ];
    for (const { id } of [closed, secret]) await addTo(h.db, id, inside);
    await makePost(author, open.id, "open");
    await makePost(author, closed.id, "closed");
    await makePost(author, secret.id, "secret");
    const hidden = await makePost(author, open.id, "hidden");
    await h.db.updateTable("posts").set({ hidden_at: new Date() }).where("id", "=", hidden.id).execute();
    const gone = await makePost(author, open.id, "gone");
    await author.api.call(contract.posts.delete, { postId: gone.id });
    await makePost(author, open.id, "last");
    for (const outside of [guest(), reader]) expect(await titlesFor(outside)).toEqual(["last", "open"]);
    expect(await titlesFor(inside)).toEqual(["last", "secret", "closed", "open"]);
    expect(await titlesFor(author)).toEqual(["last", "secret", "closed", "open"]);
    const first = await h.guest.call(contract.people.posts, { nickname: author.nickname, limit: 1 });
    expect(first.nextCursor).not.toBeNull();
    const rest = await h.guest.call(contract.people.posts, {
      nickname: author.nickname,
      limit: 1,
      cursor: first.nextCursor ?? "",
    });
    expect([rest.posts.map(({ title }) => title), rest.nextCursor]).toEqual([["open"], null]);
    const other = await signIn(h, "other");
    await makePost(other, (await makeTopic(other)).id);
    const wrong = h.guest.call(contract.people.posts, {
      nickname: other.nickname,
      cursor: first.nextCursor ?? "",
    });
    expect(await refusalOf(wrong)).toMatchObject({ status: 400, field: "cursor" });
  });

  it("folds the posts of someone whom the reader blocked", async () => {
    await reader.api.call(contract.users.block, { userId: author.userId });
    const { posts } = await reader.api.call(contract.people.posts, { nickname: author.nickname });
    expect(posts.map(({ isFolded }) => isFolded)).toEqual(posts.map(() => true));
    expect(posts.length).toBeGreaterThan(0);
  });
});

describe("GET /api/people/{nickname}/comments", () => {
  const textsFor = async ({ api }: Caller, query: object = {}) =>
    (await api.call(contract.people.comments, { nickname: author.nickname, ...query })).comments.map(
      ({ content, postTitle }) => `${content} on ${postTitle}`,
    );

  it("lists what the reader may read, latest first, without a trace of the rest", async () => {
    const [open, secret] = [await makeTopic(author), await makeTopic(author, "secret")];
    await addTo(h.db, secret.id, inside);
    const say = async (topicId: string, content: string) => {
      const { id: postId } = await makePost(author, topicId, `post of ${content}`);
      return (await author.api.call(contract.comments.create, { postId, content })).comment;
    };
    await say(open.id, "first");
    await say(secret.id, "secret");
    const hidden = await say(open.id, "hidden");
    await h.db.updateTable("comments").set({ hidden_at: new Date() }).where("id", "=", hidden.id).execute();
    const under = await say(open.id, "under a hidden post");
    await h.db.updateTable("posts").set({ hidden_at: new Date() }).where("id", "=", under.postId).execute();
    const gone = await say(open.id, "gone");
    await author.api.call(contract.comments.delete, { commentId: gone.id });
    const lost = await say(open.id, "under a deleted post");
    await author.api.call(contract.posts.delete, { postId: lost.postId });
    await say(open.id, "last");
    const seen = ["last on post of last", "first on post of first"];
    for (const outside of [guest(), reader]) expect(await textsFor(outside)).toEqual(seen);
    expect(await textsFor(inside)).toEqual([seen[0], "secret on post of secret", seen[1]]);

    const { comments, nextCursor } = await h.guest.call(contract.people.comments, {
      nickname: author.nickname,
      limit: 1,
    });
    expect(comments.map(({ topicId }) => topicId)).toEqual([open.id]);
    expect(await textsFor(guest(), { limit: 1, cursor: nextCursor ?? "" })).toEqual([seen[1]]);
  });

  it("folds the comments of someone whom the reader blocked", async () => {
    await reader.api.call(contract.users.block, { userId: author.userId });
    const { comments } = await reader.api.call(contract.people.comments, { nickname: author.nickname });
    expect(comments.length).toBeGreaterThan(0);
    expect(comments.map(({ isFolded }) => isFolded)).toEqual(comments.map(() => true));
  });
});

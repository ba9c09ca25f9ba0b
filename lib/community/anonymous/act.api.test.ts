import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { publishRoots } from "../crowd/publish";
import { makePost, makeTopic, refusalOf, signIn } from "../testing";
import { crowdOf, type Insider, standInMemberships } from "./testing";

const MINUTE = 60_000;
const START = Date.UTC(2026, 10, 28, 12, 3);
const MINIMUM = 3;

let h: Harness;
let clock = START;
let owner: TestUser;
let topicId: string;
let [one, other, third]: Insider[] = [];
const advance = (ms: number) => {
  clock += ms;
};

beforeAll(async () => {
  h = await createHarness({
    now: () => new Date(clock),
    memberships: standInMemberships,
    env: { ANONYMOUS_MINIMUM: String(MINIMUM) },
  });
});
afterAll(() => h.close());
beforeEach(async () => {
  clock = START + 24 * 60 * MINUTE * Math.ceil((clock - START) / (24 * 60 * MINUTE) + 1);
  owner = await signIn(h, "owner");
  topicId = (await makeTopic(owner)).id;
  [one, other, third] = await crowdOf(h, topicId, MINIMUM, (at) => {
    clock = at;
  });
});

function insider(who: Insider | undefined): Insider {
  if (!who) throw new Error("the crowd has nobody there");
  return who;
}
const read = async (postId: string, as = owner) => await as.api.call(contract.posts.get, { postId });
const acts = () => h.db.selectFrom("anonymous_acts").selectAll().where("topic_id", "=", topicId).execute();

describe("an anonymous post", () => {
  it("is there for readers, by one of so many, and without a name", async () => {
    const { postId, anonymous } = await insider(one).writePost(0, { title: "Heard", tags: ["pay"] });
    expect(anonymous).toEqual({
      pseudonym: expect.stringMatching(/^[a-z]+ [a-z]+$/),
      crowd: MINIMUM,
      isAuthorOfPost: true,
    });
    const { post } = await read(postId);
    expect(post).toMatchObject({
      ...{ title: "Heard", authorId: "anonymous", authorNickname: "Anonymous", authorProfileImage: null },
      ...{ authorDomains: [], anonymous, tags: [{ slug: "pay" }], content: "<p>Said under the rose.</p>" },
    });
    expect((await owner.api.call(contract.posts.list, { topicId })).posts).toMatchObject([
      { id: postId, anonymous },
    ]);
    expect((await owner.api.call(contract.topics.get, { topicId })).topic.postCount).toBe(1);
  });

  it("shows the same author in a thread and another one in the next, whoever it is", async () => {
    const author = insider(one);
    const { postId, anonymous } = await author.writePost();
    const again = await author.writeComment(postId, 1);
    advance(1);
    expect(again.anonymous).toEqual({ ...anonymous, isAuthorOfPost: true });
    const reply = await insider(other).writeComment(postId, 0, "No.", again.commentId);
    expect(reply.anonymous).toMatchObject({ isAuthorOfPost: false });
    expect(reply.anonymous.pseudonym).not.toBe(anonymous.pseudonym);
    const { comments } = await read(postId);
    expect(comments).toMatchObject([
      { id: again.commentId, authorId: "anonymous", anonymous: again.anonymous },
      { id: reply.commentId, parentId: again.commentId, anonymous: reply.anonymous },
    ]);
    const elsewhere = await author.writePost(2);
    expect(elsewhere.anonymous.pseudonym).not.toBe(anonymous.pseudonym);
  });

  it("is nobody's: none may edit it, block or name its author, and staff may hide it", async () => {
    const { postId } = await insider(one).writePost();
    const author = insider(one).user;
    expect((await read(postId, author)).post.abilities).not.toContain("edit");
    expect(await refusalOf(author.api.call(contract.posts.update, { postId, title: "t" }))).toMatchObject({
      code: "not_the_author",
    });
    const userId = "anonymous";
    expect(await refusalOf(owner.api.call(contract.users.block, { userId }))).toMatchObject({ status: 404 });
    expect(await refusalOf(owner.api.call(contract.users.follow, { userId }))).toMatchObject({ status: 404 });
    expect(
      await refusalOf(
        owner.api.call(contract.moderation.sanction, {
          topicId,
          userId,
          kind: "ban",
          reason: "r",
          hide: "day",
        }),
      ),
    ).toMatchObject({ code: "member_not_found" });
    expect(await refusalOf(owner.api.call(contract.people.get, { nickname: "Anonymous" }))).toMatchObject({
      status: 404,
    });
    await owner.api.call(contract.moderation.hidePost, { postId, hidden: true });
    expect((await read(postId, author)).post).toMatchObject({ title: "", isHidden: true });
  });

  it("tells whom it mentions and whom it answers, and nobody whom it does not", async () => {
    const named = insider(other).user;
    const post = await makePost(owner, topicId);
    await insider(one).writeComment(post.id, 0, `Ask @${named.nickname}.`);
    await h.idle();
    const told = async (user: TestUser) =>
      (await user.api.call(contract.notifications.list, {})).notifications.map(({ kind, actor }) => [
        kind,
        actor?.nickname,
      ]);
    expect(await told(named)).toEqual([["mention", undefined]]);
    expect(await told(owner)).toEqual([["reply", undefined]]);
    expect(await told(insider(one).user)).toEqual([]);
  });

  it("waits for review where a word makes it, and takes no links where members earn them", async () => {
    await owner.api.call(contract.topics.update, { topicId, reviewWords: ["salary"], linksAfterPosts: 2 });
    const { postId } = await insider(one).writePost(0, { content: "<p>My salary.</p>" });
    expect((await read(postId)).post.isHidden).toBe(true);
    const content = "<p>See https://elsewhere.example/ for it.</p>";
    expect(await refusalOf(insider(other).writePost(0, { content }))).toMatchObject({
      ...{ status: 403, code: "links_too_early" },
    });
    expect(await refusalOf(insider(other).writeComment(postId, 0, "x"))).toMatchObject({
      code: "post_hidden",
    });
  });
});

describe("a request that says who sends it is refused", () => {
  it.each(["authorization", "cookie"] as const)("by %s, whether it is valid or not", async (name) => {
    const { topicId: _, ...body } = await insider(one).post();
    for (const value of [`Bearer ${owner.token}`, "anything=1"]) {
      const answer = await h.send("POST", `/api/topics/${topicId}/anonymous/posts`, {
        body,
        headers: { [name]: value },
      });
      expect(answer).toMatchObject({ status: 400, body: { code: "credentials_not_allowed", field: name } });
    }
    expect(await h.send("GET", `/api/topics/${topicId}/anonymous`, { token: owner.token })).toMatchObject({
      body: { code: "credentials_not_allowed" },
    });
    expect(await acts()).toEqual([]);
  });
});

describe("a proof counts for this act only", () => {
  it("and not for another text, place, slot, author, root or moment", async () => {
    const author = insider(one);
    const body = await author.post();
    const { membership } = body;
    const act = (changed: object) => h.guest.call(contract.anonymous.post, { ...body, ...changed });
    const said = (changed: object) => act({ membership: { ...membership, ...changed } });
    const element = `0x${"0".repeat(63)}1`;
    const refused = [
      () => act({ title: "Another" }),
      () => act({ content: "<p>Another.</p>" }),
      () => act({ id: randomUUID() }),
      () => act({ tags: ["other"] }),
      () => said({ slotNullifier: element }),
      () => said({ scopeNullifier: element }),
      () => said({ tag: element }),
      () => said({ blinding: element }),
      () => said({ proof: `0x${"00".repeat(7_616)}` }),
    ];
    for (const wrong of refused)
      expect(await refusalOf(wrong())).toMatchObject({ status: 400, code: "membership_invalid" });
    // A comment of the same words is another act.
    const post = await makePost(owner, topicId);
    const comment = { postId: post.id, content: "Quite.", membership };
    expect(await refusalOf(h.guest.call(contract.anonymous.comment, comment))).toMatchObject({
      code: "membership_invalid",
    });
    expect(await acts()).toEqual([]);
    await act({});
    expect(await acts()).toHaveLength(1);
  });

  it("and is refused beyond the modulus, and for content that sanitizing changes", async () => {
    const body = await insider(one).post();
    const { membership } = body;
    const beyond = `0x${"f".repeat(64)}`;
    for (const field of ["slotNullifier", "scopeNullifier", "tag", "blinding"] as const) {
      const changed = { ...body, membership: { ...membership, [field]: beyond } };
      expect(await refusalOf(h.guest.call(contract.anonymous.post, changed))).toMatchObject({
        field: `membership.${field}`,
      });
    }
    for (const content of ["<p onclick='x'>a</p>", "<p> </p>"]) {
      expect(
        await refusalOf(h.guest.call(contract.anonymous.post, { ...body, content })),
        content,
      ).toMatchObject({
        ...{ code: "invalid_request", field: "content" },
      });
    }
  });

  it("while its terms hold: two minutes, and ten after the next root", async () => {
    const early = await insider(one).post();
    clock += 2 * MINUTE + 1;
    expect(await refusalOf(h.guest.call(contract.anonymous.post, early))).toMatchObject({
      code: "terms_expired",
    });

    // Another member goes: the root they are in counts ten minutes more.
    const old = await insider(one).terms();
    const [more] = await crowdOf(h, topicId, 1, (at) => {
      clock = at;
    });
    expect((await insider(more).terms()).root?.size).toBe(MINIMUM + 1);
    const at = (ms: number) => ({ ...old, at: new Date(ms).toISOString() });
    const round = clock - (clock % (10 * MINUTE));
    clock = round + 10 * MINUTE - 1;
    await insider(one).writePost(0, {}, { terms: Promise.resolve(at(clock)) });
    clock += 1;
    const late = insider(one).writePost(1, {}, { terms: Promise.resolve(at(clock)) });
    expect(await refusalOf(late)).toMatchObject({ code: "terms_expired" });
  });

  it("is answered the same when it is sent again, and posted once", async () => {
    const body = await insider(one).post();
    const first = await h.guest.call(contract.anonymous.post, body);
    expect(await h.guest.call(contract.anonymous.post, body)).toEqual(first);
    const comment = await insider(one).comment(first.postId, 1);
    const said = await h.guest.call(contract.anonymous.comment, comment);
    expect(await h.guest.call(contract.anonymous.comment, comment)).toEqual(said);
    expect(await acts()).toHaveLength(2);
  });
});

describe("limits", () => {
  it("a member has so many slots a day, and each once", async () => {
    const author = insider(one);
    const { postId } = await author.writePost(0);
    expect(await refusalOf(author.writePost(0))).toMatchObject({ status: 409, code: "slot_used" });
    expect(await refusalOf(author.writeComment(postId, 0))).toMatchObject({ code: "slot_used" });
    for (let slot = 1; slot < LIMITS.anonymous.perDay; slot++)
      await author.writeComment(postId, slot, `${slot}`);
    // The circuit refuses the next one, whatever a client makes of it.
    await expect(author.comment(postId, LIMITS.anonymous.perDay)).rejects.toThrow();
    advance(24 * 60 * MINUTE);
    await author.writeComment(postId, 0, "The next day.");
    expect(await acts()).toHaveLength(LIMITS.anonymous.perDay + 1);
  });

  it("a crowd that is too small says nothing, and a removed member nothing any more", async () => {
    const small = (await makeTopic(owner)).id;
    const [lonely] = await crowdOf(h, small, MINIMUM - 1, (at) => {
      clock = at;
    });
    expect(await refusalOf(insider(lonely).writePost())).toMatchObject({
      status: 409,
      code: "crowd_too_small",
    });

    await crowdOf(h, topicId, 1, (at) => {
      clock = at;
    });
    await owner.api.call(contract.members.remove, { topicId, userId: insider(third).user.userId });
    advance(10 * MINUTE);
    await publishRoots(h.services);
    await expect(insider(third).post()).rejects.toThrow("not in the crowd");
    await insider(one).writePost();
  });

  it("topics decide what may be said anonymously, and operators can freeze them", async () => {
    const set = (anonymous: "off" | "comments" | "on") =>
      owner.api.call(contract.topics.update, { topicId, anonymous });
    const post = await makePost(owner, topicId);
    await set("comments");
    expect(await refusalOf(insider(one).writePost())).toMatchObject({ status: 403, code: "anonymous_off" });
    await insider(one).writeComment(post.id);
    await set("off");
    expect((await insider(one).terms()).anonymous).toBe("off");
    expect(await refusalOf(insider(one).writeComment(post.id, 1))).toMatchObject({ code: "anonymous_off" });
    await set("on");
    await h.db
      .updateTable("topics")
      .set({ frozen_at: new Date(clock) })
      .where("id", "=", topicId)
      .execute();
    expect(await refusalOf(insider(one).writePost(2))).toMatchObject({ code: "topic_frozen" });
  });

  it.each(["private", "secret"] as const)(
    "a %s topic does not exist for whoever has not its key",
    async (kind) => {
      const closed = (await makeTopic(owner, kind)).id;
      const [inside] = await crowdOf(h, closed, MINIMUM, (at) => {
        clock = at;
      });
      const { postId } = await insider(inside).writePost();
      const { key, ...body } = await insider(inside).post(1);
      const comment = await insider(inside).comment(postId, 1);
      expect(key).toMatch(/^.{22}$/);
      const { crowd } = await insider(one).user.api.call(contract.crowd.get, { topicId });
      expect(crowd.termsKey).toBeNull();
      for (const wrong of [undefined, "", "x".repeat(22)]) {
        const asked = { topicId: closed, key: wrong };
        expect(await refusalOf(h.guest.call(contract.anonymous.terms, asked))).toMatchObject({
          code: "topic_not_found",
        });
        expect(await refusalOf(h.guest.call(contract.anonymous.post, { ...body, key: wrong }))).toMatchObject(
          {
            ...{ status: 404, code: "topic_not_found" },
          },
        );
        expect(
          await refusalOf(h.guest.call(contract.anonymous.comment, { ...comment, key: wrong })),
        ).toMatchObject({
          ...{ status: 404, code: "post_not_found" },
        });
      }
      await h.guest.call(contract.anonymous.post, { ...body, key });
      expect(await refusalOf(h.guest.call(contract.posts.get, { postId }))).toMatchObject({
        code: kind === "secret" ? "post_not_found" : "not_authenticated",
      });
    },
  );

  it("comments go to a post that is there, and replies to a comment under it", async () => {
    const post = await makePost(owner, topicId);
    const elsewhere = await makePost(owner, topicId);
    const { comment } = await owner.api.call(contract.comments.create, {
      postId: elsewhere.id,
      content: "c",
    });
    expect(await refusalOf(insider(one).writeComment(post.id, 0, "x", comment.id))).toMatchObject({
      ...{ status: 404, code: "comment_not_found", field: "parentId" },
    });
    const body = await insider(one).comment(post.id);
    await owner.api.call(contract.posts.delete, { postId: post.id });
    expect(await refusalOf(h.guest.call(contract.anonymous.comment, body))).toMatchObject({
      code: "post_not_found",
    });
    expect(await acts()).toEqual([]);
  });
});

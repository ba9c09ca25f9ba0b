import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { LIMITS } from "@/lib/contract/limits";
import { signalOf } from "@/lib/proofs/anonymous/act";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { publishRoots } from "../crowd/publish";
import { addTo, makePost, makeTopic, refusalOf, signIn } from "../testing";
import { crowdOf, Insider, standInMemberships } from "./testing";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const WEEK = 7 * DAY;

let h: Harness;
let clock = Date.UTC(2026, 10, 28, 12, 3);
let owner: TestUser;
let topicId: string;
let author: Insider;
let other: Insider;

beforeAll(async () => {
  h = await createHarness({
    now: () => new Date(clock),
    memberships: standInMemberships,
    env: { ANONYMOUS_MINIMUM: "2" },
  });
});
afterAll(() => h.close());
beforeEach(async () => {
  owner = await signIn(h, "owner");
  topicId = (await makeTopic(owner)).id;
  const [one, two] = await crowdOf(h, topicId, 2, (at) => {
    clock = at;
  });
  if (!one || !two) throw new Error("the crowd has nobody");
  [author, other] = [one, two];
});

/** Sessions do not last as long as bans do. */
const ownerNow = async () => await h.login(owner.nickname);
const ban = async (postId: string, weeks = 1, commentId?: string) =>
  (await (await ownerNow()).api.call(contract.anonymous.ban, { postId, weeks, reason: "rude", commentId }))
    .ban;
const bans = async () => (await (await ownerNow()).api.call(contract.anonymous.bans, { topicId })).bans;
const later = (ms: number) => {
  clock += ms;
};

describe("a ban of an anonymous author", () => {
  it("holds for whoever wrote it, over windows and in every thread, and for nobody else, until it ends", async () => {
    const { postId } = await author.writePost();
    const { until } = await ban(postId, 2);
    expect(new Date(until).getTime()).toBe(clock + 2 * WEEK);
    for (const days of [0, 1, 6, 6]) {
      later(days * DAY);
      await expect(author.post(1)).rejects.toThrow();
      await expect(author.comment(postId, 2)).rejects.toThrow();
      await other.writeComment(postId, 0, `${days}`);
    }
    later(DAY - 1);
    await expect(author.post(1)).rejects.toThrow();
    later(1);
    await author.writePost(1);
    expect(await bans()).toEqual([]);
  });

  it("cannot be passed by leaving the list out, or by terms of before it", async () => {
    const terms = await author.terms();
    const { postId } = await author.writePost();
    later(1);
    await ban(postId);
    const without = await author.post(1, {}, { terms: author.terms().then((now) => ({ ...now, bans: [] })) });
    expect(await refusalOf(h.guest.call(contract.anonymous.post, without))).toMatchObject({
      code: "membership_invalid",
    });
    // What was proven just before counts for as long as its terms do.
    const before = { ...terms, at: new Date(clock - 1).toISOString() };
    await author.writePost(1, {}, { terms: Promise.resolve(before) });
    later(2 * MINUTE);
    const stale = await author.post(2, {}, { terms: Promise.resolve(terms) });
    expect(await refusalOf(h.guest.call(contract.anonymous.post, stale))).toMatchObject({
      code: "terms_expired",
    });
  });

  it("is of a comment, too, by staff only, with its reason in the log and no name", async () => {
    const post = await makePost(owner, topicId);
    const { commentId } = await author.writeComment(post.id);
    expect(
      await refusalOf(
        other.user.api.call(contract.anonymous.ban, { postId: post.id, commentId, weeks: 1, reason: "r" }),
      ),
    ).toMatchObject({ code: "role_required" });
    const { id } = await ban(post.id, LIMITS.anonymous.banWeeks, commentId);
    expect(await bans()).toMatchObject([{ id, postId: post.id, commentId }]);
    expect(await refusalOf(author.user.api.call(contract.anonymous.bans, { topicId }))).toMatchObject({
      code: "role_required",
    });
    await owner.api.call(contract.anonymous.lift, { topicId, banId: id });
    const { entries } = await owner.api.call(contract.moderation.log, { topicId });
    expect(entries).toMatchObject([
      { action: "anonymous_unbanned", postId: post.id, commentId, subjectId: null },
      { action: "anonymous_banned", reason: "rude", postId: post.id, commentId, subjectId: null },
    ]);
    expect(await refusalOf(owner.api.call(contract.anonymous.lift, { topicId, banId: id }))).toMatchObject({
      code: "ban_not_found",
    });
    await author.writeComment(post.id, 1);
  });

  it("is of what was written anonymously only", async () => {
    const post = await makePost(owner, topicId);
    const { comment } = await owner.api.call(contract.comments.create, { postId: post.id, content: "c" });
    expect(await refusalOf(ban(post.id))).toMatchObject({ status: 400, code: "not_anonymous" });
    expect(await refusalOf(ban(post.id, 1, comment.id))).toMatchObject({ code: "not_anonymous" });
    expect(await refusalOf(ban(post.id, 1, randomUUID()))).toMatchObject({ code: "comment_not_found" });
    expect(await bans()).toEqual([]);
  });

  it("of the same author and week takes the place of the one before", async () => {
    const { postId } = await author.writePost();
    const { commentId } = await author.writeComment(postId, 1);
    await ban(postId, 1);
    later(MINUTE);
    const second = await ban(postId, 3, commentId);
    expect(await bans()).toEqual([second]);
    expect((await author.terms()).bans).toHaveLength(1);
  });

  it("is one of 32 at a time, also when staff ban at once", async () => {
    const { postId } = await author.writePost();
    const { week } = await author.terms();
    const row = (i: number) => ({
      topic_id: topicId,
      week,
      tag: `0x${i.toString(16).padStart(64, "0")}`,
      created_at: new Date(clock),
      ends_at: new Date(clock + WEEK),
    });
    const rows = Array.from({ length: LIMITS.anonymous.bans - 1 }, (_, i) => row(i + 1));
    await h.db.insertInto("anonymous_bans").values(rows).execute();
    const reply = await other.writeComment(postId);
    const results = await Promise.allSettled([ban(postId), ban(postId, 1, reply.commentId)]);
    expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(results.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "ban_list_full" },
    });
    expect(await bans()).toHaveLength(LIMITS.anonymous.bans);
    later(1);
    // A full list still lets everyone else speak.
    const [free] = await crowdOf(h, topicId, 1, (at) => {
      clock = at;
    });
    await free?.writePost();
  });

  it("outlasts a new secret: the leaf that replaces another waits for the last ban to end", async () => {
    const { postId } = await author.writePost();
    const { until } = await ban(postId, 10);
    const renewed = new Insider(h, author.user, topicId);
    await renewed.enrol();
    const { crowd } = await renewed.user.api.call(contract.crowd.get, { topicId });
    expect(crowd.own?.countsFrom).toBe(until);
    // Who has not spoken yet waits for nothing.
    const fresh = await signIn(h, "fresh");
    await addTo(h.db, topicId, fresh);
    const first = new Insider(h, fresh, topicId);
    await first.enrol();
    later(10 * MINUTE);
    await publishRoots(h.services);
    await first.writePost();
  });
});

describe("evidence", () => {
  it("is the proof with its public inputs, and the act that they are about", async () => {
    const { postId } = await author.writePost(0, { title: "Heard", tags: ["pay"] });
    const { commentId } = await other.writeComment(postId, 0, "Quite.");
    const of = async (comment?: string) =>
      (await owner.api.call(contract.anonymous.evidence, { postId, comment })).evidence;
    const [post, comment] = [await of(), await of(commentId)];
    expect(post.publicInputs).toHaveLength(74);
    expect(post.act).toEqual({
      ...{ kind: "post", topicId, postId, parentId: null, title: "Heard", tags: ["pay"] },
      content: "<p>Said under the rose.</p>",
    });
    const said = {
      kind: "post",
      topicId,
      postId,
      title: "Heard",
      content: post.act?.content ?? "",
      tags: ["pay"],
    } as const;
    expect(BigInt(post.publicInputs[5] ?? 0)).toBe(signalOf(said));
    expect(comment.act).toMatchObject({ kind: "comment", content: "Quite.", parentId: null });
    const { roots } = await owner.api.call(contract.crowd.roots, { topicId });
    expect(roots).toMatchObject([{ number: post.root, root: post.publicInputs[0] }]);
    // By which an author can be banned is in no answer.
    const { tag } = await h.db
      .selectFrom("anonymous_acts")
      .select("tag")
      .where("comment_id", "=", commentId)
      .executeTakeFirstOrThrow();
    expect(
      JSON.stringify([post, comment, await owner.api.call(contract.posts.get, { postId })]),
    ).not.toContain(tag);
  });

  it("stays without the words once they are hidden or deleted, and is for whoever reads the topic", async () => {
    const { postId } = await author.writePost();
    const { commentId } = await author.writeComment(postId, 1);
    await owner.api.call(contract.moderation.hideComment, { commentId, hidden: true });
    const as = (who: typeof h.guest, comment?: string) =>
      who.call(contract.anonymous.evidence, { postId, comment });
    expect((await as(h.guest, commentId)).evidence).toMatchObject({ act: null, root: 1 });
    expect((await as(owner.api, commentId)).evidence.act).toMatchObject({ content: "Quite." });
    await owner.api.call(contract.posts.delete, { postId });
    expect((await as(owner.api)).evidence).toMatchObject({ act: null });
    const named = await makePost(owner, topicId);
    expect(await refusalOf(h.guest.call(contract.anonymous.evidence, { postId: named.id }))).toMatchObject({
      code: "not_anonymous",
    });
    expect(
      await refusalOf(h.guest.call(contract.anonymous.evidence, { postId, comment: randomUUID() })),
    ).toMatchObject({ code: "comment_not_found" });

    const closed = (await makeTopic(owner, "private")).id;
    const [inside] = await crowdOf(h, closed, 2, (at) => {
      clock = at;
    });
    const kept = await inside?.writePost();
    const asked = { postId: kept?.postId ?? "" };
    expect(await refusalOf(h.guest.call(contract.anonymous.evidence, asked))).toMatchObject({ status: 401 });
    const outsider = await signIn(h, "outsider");
    expect(await refusalOf(outsider.api.call(contract.anonymous.evidence, asked))).toMatchObject({
      code: "not_a_member",
    });
    expect((await inside?.user.api.call(contract.anonymous.evidence, asked))?.evidence.act).not.toBeNull();
  });
});

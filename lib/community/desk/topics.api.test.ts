import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import type { TestUser } from "@/lib/testing/harness";
import { createWords } from "../moderation/testing";
import { tagCounts } from "../posts/testing";
import { type Cast, createCast, makePost, refusalOf, signIn } from "../testing";
import { actsSince, ageProof, lastEntry, latestOf, whileOperator, withRole } from "./testing";

/** What operators do to topics and tags. */
let cast: Cast;
let operator: TestUser;
let old: TestUser;
let reviewer: TestUser;
beforeAll(async () => {
  cast = await createCast();
  operator = await withRole(cast.h, "operator");
  reviewer = await withRole(cast.h, "reviewer");
  old = await ageProof(cast.h, operator);
});
afterAll(() => cast.h.close());

const freeze = (topicId: string, frozen = true, by = operator) =>
  by.api.call(contract.desk.freeze, { topicId, frozen, reason: "A market for drugs." });
const handOver = (topicId: string, user: TestUser, by = operator) =>
  by.api.call(contract.desk.handOver, { topicId, userId: user.userId, reason: "The owner is gone." });

describe("freezing a topic", () => {
  it("keeps everyone from writing and joining, and lets them read and moderate, until it is unfrozen", async () => {
    const since = await lastEntry(cast.h);
    const { topicId, postId } = await createWords(cast);
    for (let i = 0; i < 2; i += 1) expect(await freeze(topicId)).toEqual({ isFrozen: true });
    expect(await latestOf(cast.owner)).toMatchObject({
      kind: "topic_frozen",
      topicId,
      reason: "A market for drugs.",
      actor: null,
    });
    const writes = [
      () => cast.member.api.call(contract.comments.create, { postId, content: "c" }),
      () => cast.owner.api.call(contract.posts.create, { topicId, title: "T", content: "<p>c</p>" }),
      () => cast.admin.api.call(contract.chat.send, { topicId, message: "m" }),
      () => cast.outsider.api.call(contract.topics.join, { topicId }),
    ];
    for (const write of writes) {
      expect(await refusalOf(write())).toMatchObject({ status: 403, code: "topic_frozen" });
    }
    await cast.h.guest.call(contract.posts.get, { postId });
    await cast.admin.api.call(contract.moderation.hidePost, { postId, hidden: true });
    await cast.member.api.call(contract.posts.delete, { postId });
    // The owner does not end it, not even as an operator.
    await whileOperator(cast.h, cast.owner, async () => {
      const refusal = await refusalOf(freeze(topicId, false, cast.owner));
      expect(refusal).toMatchObject({ status: 403, code: "own_case" });
    });
    expect(await freeze(topicId, false)).toEqual({ isFrozen: false });
    await cast.outsider.api.call(contract.topics.join, { topicId });
    await makePost(cast.member, topicId);
    const about = { target_kind: "topic", target_id: topicId, reason: "A market for drugs." };
    expect(await actsSince(cast.h, since)).toMatchObject([
      { ...about, action: "topic_frozen" },
      { ...about, action: "topic_unfrozen" },
    ]);
  });
});

describe("handing a topic over", () => {
  it("makes a member the owner, logs it twice, and tells both", async () => {
    const topicId = await cast.place("secret");
    const since = await lastEntry(cast.h);
    await handOver(topicId, cast.member);
    // They own it already.
    await handOver(topicId, cast.member);
    const { members } = await cast.member.api.call(contract.members.list, { topicId });
    expect(members.map(({ userId, role }) => [userId, role]).slice(0, 1)).toEqual([
      [cast.member.userId, "owner"],
    ]);
    expect(members.filter(({ role }) => role === "admin").map(({ userId }) => userId)).toEqual(
      expect.arrayContaining([cast.owner.userId, cast.admin.userId]),
    );
    const reason = "The owner is gone.";
    expect(await latestOf(cast.member)).toMatchObject({
      kind: "ownership_given",
      topicId,
      reason,
      actor: null,
    });
    expect(await latestOf(cast.owner)).toMatchObject({
      kind: "ownership_taken",
      topicId,
      reason,
      actor: null,
    });
    expect(await actsSince(cast.h, since)).toMatchObject([
      { action: "topic_handed_over", target_id: topicId },
    ]);
    const { entries } = await cast.member.api.call(contract.moderation.log, { topicId });
    expect(entries).toMatchObject([
      { action: "ownership_transferred", actorId: operator.userId, subjectId: cast.member.userId, reason },
    ]);
  });
});

describe("tags", () => {
  const tagged = (topicId: string, ...tags: string[]) =>
    cast.member.api.call(contract.posts.create, { topicId, title: "t", content: "<p>c</p>", tags });
  const tagsOf = async (postId: string) =>
    (await cast.member.api.call(contract.posts.get, { postId })).post.tags;

  it("are renamed on every post, with their counts, and the log does not name them", async () => {
    const [open, secret] = [await cast.place(), await cast.place("secret")];
    const { post } = await tagged(open, "Rude One", "kept");
    await tagged(secret, "rude one");
    const since = await lastEntry(cast.h);
    const body = { tag: "rude-one", name: "Kind One", reason: "An insult." };
    expect(await operator.api.call(contract.desk.renameTag, body)).toEqual({ slug: "kind-one", posts: 2 });
    expect(await tagsOf(post.id)).toMatchObject([{ name: "Kind One", slug: "kind-one" }, { slug: "kept" }]);
    expect(await tagCounts(cast.h.db, "rude-one", open)).toBeUndefined();
    expect(await tagCounts(cast.h.db, "kind-one", open)).toEqual({ open: [1, 1], topic: [1, 1] });
    const acts = await actsSince(cast.h, since);
    expect(acts).toMatchObject([{ action: "tag_renamed", target_kind: "tag", reason: "An insult." }]);
    expect(JSON.stringify(acts)).not.toContain("rude");
    // The same slug, spelled differently.
    const again = { tag: "kind-one", name: "KIND one", reason: "Louder." };
    expect(await operator.api.call(contract.desk.renameTag, again)).toEqual({ slug: "kind-one", posts: 2 });
    const taken = operator.api.call(contract.desk.renameTag, { ...again, name: "kept" });
    expect(await refusalOf(taken)).toMatchObject({ status: 409, code: "tag_exists", field: "name" });
    const nameless = operator.api.call(contract.desk.renameTag, { ...again, name: "!!" });
    expect(await refusalOf(nameless)).toMatchObject({ status: 400, field: "name" });
  });

  it("are removed from every post, and can be used again", async () => {
    const topicId = await cast.place();
    const { post } = await tagged(topicId, "Gone One", "kept");
    await tagged(topicId, "gone one");
    const body = { tag: "gone-one", reason: "An insult." };
    expect(await operator.api.call(contract.desk.removeTag, body)).toEqual({ success: true, posts: 2 });
    expect(await tagsOf(post.id)).toMatchObject([{ slug: "kept" }]);
    expect(await tagCounts(cast.h.db, "gone-one", topicId)).toBeUndefined();
    await tagged(topicId, "gone one");
    expect(await tagCounts(cast.h.db, "gone-one", topicId)).toEqual({ open: [1, 1], topic: [1, 1] });
  });
});

describe("403 and 404", () => {
  it("for reviewers and staff, without a fresh proof, and for what is not there", async () => {
    const topicId = await cast.place();
    const acts = (by: TestUser, id = topicId, tag = "none") => ({
      freeze: freeze(id, true, by),
      handOver: handOver(id, cast.member, by),
      renameTag: by.api.call(contract.desk.renameTag, { tag, name: "Other", reason: "r" }),
      removeTag: by.api.call(contract.desk.removeTag, { tag, reason: "r" }),
    });
    const codes = async (calls: Record<string, Promise<unknown>>) =>
      Object.fromEntries(
        await Promise.all(
          Object.entries(calls).map(async ([name, call]) => [name, (await refusalOf(call)).code]),
        ),
      );
    const no = "operator_required";
    for (const by of [reviewer, cast.owner]) {
      expect(await codes(acts(by))).toEqual({ freeze: no, handOver: no, renameTag: no, removeTag: no });
    }
    expect(await codes(acts(operator, randomUUID()))).toEqual({
      freeze: "topic_not_found",
      handOver: "topic_not_found",
      renameTag: "tag_not_found",
      removeTag: "tag_not_found",
    });
    const stale = "fresh_proof_required";
    const { freeze: frozen, ...fresh } = acts(old);
    expect(await codes(fresh)).toEqual({ handOver: stale, renameTag: stale, removeTag: stale });
    // Freezing can be undone.
    expect(await frozen).toEqual({ isFrozen: true });
    const outsider = await signIn(cast.h);
    expect(await refusalOf(handOver(topicId, outsider))).toMatchObject({ code: "member_not_found" });
    const remove = old.api.call(contract.topics.delete, { topicId, reason: "r" });
    expect(await refusalOf(remove)).toMatchObject({ code: stale });
  });
});

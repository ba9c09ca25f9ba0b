import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import type { Harness, TestUser } from "@/lib/testing/harness";
import { createWords } from "../moderation/testing";
import { staffActs } from "../posts/testing";
import { addTo, type Cast, createCast, refusalOf } from "../testing";
import { actsSince, ageProof, lastEntry, latestOf, whileOperator, withRole } from "./testing";

/** Operators hide and restore what members wrote, in every topic, without reading what they are not in. */
let cast: Cast;
let h: Harness;
let operator: TestUser;
let reviewer: TestUser;
beforeAll(async () => {
  cast = await createCast();
  h = cast.h;
  operator = await withRole(h, "operator");
  reviewer = await withRole(h, "reviewer");
});
afterAll(() => h.close());

/** A post, a comment and a chat message of the member. */
async function written(visibility: "public" | "secret" = "secret") {
  const at = await createWords(cast, visibility);
  const { message } = await cast.member.api.call(contract.chat.send, { topicId: at.topicId, message: "Hi." });
  return { ...at, messageId: message.id };
}
type Written = Awaited<ReturnType<typeof written>>;

const kinds = ["post", "comment", "message"] as const;
type Kind = (typeof kinds)[number];
function hide(user: TestUser, kind: Kind, at: Written, hidden = true, reason: string | undefined = "Rude.") {
  const { api } = user;
  if (kind === "post") return api.call(contract.moderation.hidePost, { postId: at.postId, hidden, reason });
  if (kind === "message") {
    return api.call(contract.moderation.hideMessage, { messageId: at.messageId, hidden, reason });
  }
  return api.call(contract.moderation.hideComment, { commentId: at.commentId, hidden, reason });
}
const idOf = (kind: Kind, at: Written) =>
  ({ post: at.postId, comment: at.commentId, message: at.messageId })[kind];

describe.each(kinds)("a %s", (kind) => {
  it("is hidden and shown again, in both logs, and its author learns it with the reason", async () => {
    const at = await written();
    const since = await lastEntry(h);
    expect(await hide(operator, kind, at)).toEqual({ isHidden: true });
    const entry = {
      role: "operator",
      actor_id: operator.userId,
      target_kind: kind,
      target_id: idOf(kind, at),
      topic_id: at.topicId,
      reason: "Rude.",
      details: {},
    };
    expect(await actsSince(h, since)).toEqual([{ action: `${kind}_hidden`, ...entry }]);
    expect(await staffActs(h.db, at.topicId)).toMatchObject([
      { action: `${kind}_hidden`, actor_id: operator.userId, subject_id: cast.member.userId },
    ]);
    expect(await latestOf(cast.member)).toMatchObject({
      kind: `${kind}_hidden`,
      reason: "Rude.",
      actor: null,
      details: { by: "operators" },
    });
    // The same again changes and logs nothing.
    expect(await hide(operator, kind, at)).toEqual({ isHidden: true });
    expect(await hide(operator, kind, at, false, "A mistake.")).toEqual({ isHidden: false });
    expect((await actsSince(h, since)).map(({ action, reason }) => [action, reason])).toEqual([
      [`${kind}_hidden`, "Rude."],
      [`${kind}_shown`, "A mistake."],
    ]);
    expect(await latestOf(cast.member)).toMatchObject({
      kind: `${kind}_shown`,
      details: { by: "operators" },
    });
  });

  it("of the topic's staff's doing is in the topic's log only, also where they are operators", async () => {
    const at = await written("public");
    const since = await lastEntry(h);
    await hide(cast.admin, kind, at);
    expect(await latestOf(cast.member)).toMatchObject({ kind: `${kind}_hidden` });
    expect((await latestOf(cast.member))?.details).not.toHaveProperty("by");
    await addTo(h.db, at.topicId, operator, "admin");
    await hide(operator, kind, at, false);
    expect(await actsSince(h, since)).toEqual([]);
    expect((await staffActs(h.db, at.topicId)).map(({ action }) => action)).toEqual([
      `${kind}_hidden`,
      `${kind}_shown`,
    ]);
  });

  it("that operators hid is shown again by operators only, and not by one who wrote it", async () => {
    const at = await written("public");
    await hide(operator, kind, at);
    for (const staff of [cast.owner, cast.admin]) {
      expect(await refusalOf(hide(staff, kind, at, false))).toMatchObject({
        status: 403,
        code: "hidden_by_operators",
      });
    }
    // Staff who hide it, too, do not make it theirs.
    await hide(cast.admin, kind, at);
    expect(await refusalOf(hide(cast.admin, kind, at, false))).toMatchObject({ code: "hidden_by_operators" });
    // An operator of the topic's staff acts as an operator then.
    await addTo(h.db, at.topicId, operator, "admin");
    const since = await lastEntry(h);
    expect(await hide(operator, kind, at, false)).toEqual({ isHidden: false });
    expect(await actsSince(h, since)).toMatchObject([{ action: `${kind}_shown`, target_id: idOf(kind, at) }]);
    // From then on, it is the staff's again.
    await hide(cast.admin, kind, at);
    expect(await hide(cast.admin, kind, at, false)).toEqual({ isHidden: false });
    await hide(await withRole(h, "operator"), kind, at);
    await whileOperator(h, cast.member, async () => {
      const refusal = await refusalOf(hide(cast.member, kind, at, false));
      expect(refusal).toMatchObject({ status: 403, code: "own_case" });
    });
  });

  it("is not for reviewers and outsiders", async () => {
    const at = await written();
    for (const user of [reviewer, cast.outsider]) {
      expect(await refusalOf(hide(user, kind, at))).toMatchObject({ status: 403, code: "not_a_member" });
    }
    expect(await staffActs(h.db, at.topicId)).toEqual([]);
  });
});

it("lets no operator read a topic that they are not in", async () => {
  const at = await written("secret");
  await hide(operator, "post", at);
  for (const call of [
    () => operator.api.call(contract.posts.get, { postId: at.postId }),
    () => operator.api.call(contract.posts.list, { topicId: at.topicId }),
  ]) {
    expect(await refusalOf(call())).toMatchObject({ status: 403, code: "not_a_member" });
  }
  expect(await refusalOf(operator.api.call(contract.chat.list, { topicId: at.topicId }))).toMatchObject({
    status: 404,
  });
  // Nor a hidden post of a public one.
  const open = await written("public");
  await hide(operator, "post", open);
  const { post } = await operator.api.call(contract.posts.get, { postId: open.postId });
  expect(post).toMatchObject({ isHidden: true, content: "" });
});

it("needs a fresh proof to delete as an operator, and none to hide", async () => {
  const at = await written();
  const old = await ageProof(h, operator);
  for (const call of [
    () => old.api.call(contract.posts.delete, { postId: at.postId }),
    () => old.api.call(contract.comments.delete, { commentId: at.commentId }),
    () => old.api.call(contract.chat.delete, { messageId: at.messageId }),
  ]) {
    expect(await refusalOf(call())).toMatchObject({ status: 403, code: "fresh_proof_required" });
  }
  expect(await hide(old, "post", at)).toEqual({ isHidden: true });
  // Staff and authors need none.
  const staff = await ageProof(h, cast.admin);
  await staff.api.call(contract.comments.delete, { commentId: at.commentId });
  const author = await ageProof(h, cast.member);
  await author.api.call(contract.chat.delete, { messageId: at.messageId });
});

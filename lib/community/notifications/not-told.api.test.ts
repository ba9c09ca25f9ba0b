import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import type { TestUser } from "@/lib/testing/harness";
import { addTo, type Cast, createCast, makePost, signIn } from "../testing";
import { emptyInboxes, inboxOf, makeScene, say } from "./testing";

let cast: Cast;
let other: TestUser;
beforeAll(async () => {
  cast = await createCast();
  other = await signIn(cast.h, "other");
});
afterAll(() => cast.h.close());

const scene = (visibility?: "public" | "private") => makeScene(cast, other, visibility);

describe("who is not told", () => {
  it("an author who may not read in the topic any more", async () => {
    const { topicId, postId } = await scene("private");
    await cast.member.api.call(contract.topics.leave, { topicId });
    await emptyInboxes(cast.h.db);
    await say(other, postId, "x");
    expect(await inboxOf(cast.member)).toEqual([]);
  });

  it("an author who withdrew", async () => {
    const { topicId } = await scene("public");
    const gone = await signIn(cast.h, "gone");
    await addTo(cast.h.db, topicId, gone);
    const theirs = await makePost(gone, topicId);
    await gone.api.call(contract.profile.deleteAccount, {});
    await emptyInboxes(cast.h.db);
    await say(other, theirs.id, `x @${gone.nickname}`);
    expect(await cast.h.db.selectFrom("notifications").select("user_id").execute()).toEqual([]);
  });

  it("somebody who left a public topic still is", async () => {
    const { topicId, postId } = await scene("public");
    await cast.member.api.call(contract.topics.leave, { topicId });
    await emptyInboxes(cast.h.db);
    await say(other, postId, "x");
    expect(await inboxOf(cast.member)).toHaveLength(1);
  });

  it("whoever is named in what is hidden, or answers a comment that is gone", async () => {
    const { postId, commentId } = await scene();
    const hidden = await say(other, postId, "x");
    const { id } = hidden.comment;
    await cast.admin.api.call(contract.moderation.hideComment, { commentId: id, hidden: true });
    await cast.owner.api.call(contract.comments.delete, { commentId });
    await emptyInboxes(cast.h.db);
    await other.api.call(contract.comments.update, { commentId: id, content: `@${cast.member.nickname}` });
    expect(await inboxOf(cast.member)).toEqual([]);
    await say(other, postId, "x", commentId);
    expect((await inboxOf(cast.member)).map(({ details }) => details)).toEqual([{ to: "post" }]);
  });

  it("staff who read of a report are told of the next one of the same thing, others are not", async () => {
    const { postId } = await scene();
    await emptyInboxes(cast.h.db);
    await other.api.call(contract.moderation.reportPost, { postId, reason: "spam" });
    const [first] = await inboxOf(cast.admin);
    await cast.admin.api.call(contract.notifications.read, { ids: [first?.id ?? ""] });
    await cast.member.api.call(contract.moderation.reportPost, { postId, reason: "abuse" });
    expect(await inboxOf(cast.admin)).toHaveLength(2);
    expect(await inboxOf(cast.owner)).toHaveLength(1);
  });
});

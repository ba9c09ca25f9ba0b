import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import type { TestUser } from "@/lib/testing/harness";
import { addTo, type Cast, createCast, makePost, signIn } from "../testing";
import { clearNotifications, makeScene, notificationsOf, say } from "./testing";

let cast: Cast;
let other: TestUser;
beforeAll(async () => {
  cast = await createCast();
  other = await signIn(cast.h, "other");
});
afterAll(() => cast.h.close());

const scene = (visibility?: "public" | "private") => makeScene(cast, other, visibility);

describe("who is not notified", () => {
  it("an author who may no longer read the topic", async () => {
    const { topicId, postId } = await scene("private");
    await cast.member.api.call(contract.topics.leave, { topicId });
    await clearNotifications(cast.h.db);
    await say(other, postId, "x");
    expect(await notificationsOf(cast.member)).toEqual([]);
  });

  it("an author who withdrew", async () => {
    const { topicId } = await scene("public");
    const gone = await signIn(cast.h, "gone");
    await addTo(cast.h.db, topicId, gone);
    const theirs = await makePost(gone, topicId);
    await gone.api.call(contract.profile.deleteAccount, {});
    await clearNotifications(cast.h.db);
    await say(other, theirs.id, `x @${gone.nickname}`);
    expect(await cast.h.db.selectFrom("notifications").select("user_id").execute()).toEqual([]);
  });

  it("someone who left a public topic still is", async () => {
    const { topicId, postId } = await scene("public");
    await cast.member.api.call(contract.topics.leave, { topicId });
    await clearNotifications(cast.h.db);
    await say(other, postId, "x");
    expect(await notificationsOf(cast.member)).toHaveLength(1);
  });

  it("users mentioned in a hidden text, and authors of a deleted comment", async () => {
    const { postId, commentId } = await scene();
    const hidden = await say(other, postId, "x");
    const { id } = hidden.comment;
    await cast.admin.api.call(contract.moderation.hideComment, { commentId: id, hidden: true });
    await cast.owner.api.call(contract.comments.delete, { commentId });
    await clearNotifications(cast.h.db);
    await other.api.call(contract.comments.update, { commentId: id, content: `@${cast.member.nickname}` });
    expect(await notificationsOf(cast.member)).toEqual([]);
    await say(other, postId, "x", commentId);
    expect((await notificationsOf(cast.member)).map(({ details }) => details)).toEqual([{ to: "post" }]);
  });

  it("staff who read the notification of a report get the next one of the same post, others do not", async () => {
    const { postId } = await scene();
    await clearNotifications(cast.h.db);
    await other.api.call(contract.moderation.reportPost, { postId, reason: "spam" });
    const [first] = await notificationsOf(cast.admin);
    await cast.admin.api.call(contract.notifications.read, { ids: [first?.id ?? ""] });
    await cast.member.api.call(contract.moderation.reportPost, { postId, reason: "abuse" });
    expect(await notificationsOf(cast.admin)).toHaveLength(2);
    expect(await notificationsOf(cast.owner)).toHaveLength(1);
  });
});

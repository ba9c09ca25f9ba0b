import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { notificationsOf } from "../notifications/testing";
import { addTo, makePost, makeTopic, onePixel, refusalOf, signIn } from "../testing";
import { verifyLog } from "./chain";

/** A sanction that also hides what its user wrote. */
const hour = 60 * 60 * 1000;
let h: Harness;
let owner: TestUser;
let admin: TestUser;
let other: TestUser;
let clock = Date.now();
beforeAll(async () => {
  h = await createHarness({ now: () => new Date(clock) });
  owner = await signIn(h, "owner");
  admin = await signIn(h, "admin");
  other = await signIn(h, "other");
});
afterAll(() => h.close());

/** A topic where someone wrote a post, a comment and a message two days ago, and the same again now. */
async function written() {
  const { id: topicId } = await makeTopic(owner);
  const troll = await signIn(h, "troll");
  await addTo(h.db, topicId, admin, "admin");
  for (const user of [troll, other]) await addTo(h.db, topicId, user);
  const write = async () => {
    const post = await makePost(troll, topicId, "Mine", `<p>x</p><img src="${onePixel}" alt="">`);
    const { comment } = await troll.api.call(contract.comments.create, { postId: post.id, content: "c" });
    const { message } = await troll.api.call(contract.chat.send, { topicId, message: "m" });
    return { postId: post.id, commentId: comment.id, messageId: message.id };
  };
  clock -= 48 * hour;
  const old = await write();
  clock += 48 * hour;
  const fresh = await write();
  return { topicId, troll, old, fresh };
}
type Written = Awaited<ReturnType<typeof written>>;
type Texts = Written["old"];

const impose = (
  { topicId, troll }: Written,
  kind: "mute" | "ban",
  hide?: "reported" | "day",
  by: TestUser = admin,
) =>
  by.api.call(contract.moderation.sanction, { topicId, userId: troll.userId, kind, reason: "Spam.", hide });

/** Which of the three texts others cannot read. */
async function hiddenOf({ topicId }: Written, { postId, commentId, messageId }: Texts) {
  const { post, comments } = await other.api.call(contract.posts.get, { postId });
  const { messages } = await other.api.call(contract.chat.list, { topicId });
  return [
    post.isHidden && post.title === "",
    comments.some(({ id, isHidden }) => id === commentId && isHidden),
    messages.some(({ id, isHidden, message }) => id === messageId && isHidden && message === ""),
  ];
}

async function report({ topicId }: Written, { postId, commentId, messageId }: Texts) {
  await other.api.call(contract.moderation.reportPost, { postId, reason: "spam" });
  await other.api.call(contract.moderation.reportComment, { commentId, reason: "spam" });
  await other.api.call(contract.moderation.reportMessage, { topicId, messageId, reason: "spam" });
}

const logOf = async (topicId: string) =>
  (await owner.api.call(contract.moderation.log, { topicId, limit: 100 })).entries;
/** How many reports are open: as counted, and as there are rows. */
async function openCounts(topicId: string) {
  const counted = (await owner.api.call(contract.topics.get, { topicId })).openReports;
  const { reports } = await owner.api.call(contract.moderation.reports, { topicId });
  return [counted, reports.length];
}
const all = [true, true, true];
const none = [false, false, false];

describe("a sanction with `hide`", () => {
  it("reported: hides what is reported, of any age, resolves its reports and leaves the rest", async () => {
    const at = await written();
    await report(at, at.old);
    const { hiddenTexts } = await impose(at, "ban", "reported");
    expect(hiddenTexts).toBe(3);
    expect([await hiddenOf(at, at.old), await hiddenOf(at, at.fresh)]).toEqual([all, none]);
    expect(await openCounts(at.topicId)).toEqual([0, 0]);
    const statuses = await h.db
      .selectFrom("reports")
      .select(["status", "decided_by"])
      .where("topic_id", "=", at.topicId)
      .execute();
    expect(statuses).toEqual(Array(3).fill({ status: "resolved", decided_by: admin.userId }));
  });

  it("day: hides what is younger than 24 hours, reported or not, and resolves only its reports", async () => {
    const at = await written();
    await report(at, at.old);
    await report(at, at.fresh);
    expect((await impose(at, "mute", "day")).hiddenTexts).toBe(3);
    expect([await hiddenOf(at, at.old), await hiddenOf(at, at.fresh)]).toEqual([none, all]);
    expect(await openCounts(at.topicId)).toEqual([3, 3]);
    // Their own pictures go with the post.
    const withheld = await h.db
      .selectFrom("uploads")
      .select("withheld")
      .where("user_id", "=", at.troll.userId)
      .execute();
    expect(withheld.map((row) => row.withheld).toSorted()).toEqual([false, true]);
    // Staff can show each again.
    await admin.api.call(contract.moderation.hidePost, { postId: at.fresh.postId, hidden: false });
    expect(await hiddenOf(at, at.fresh)).toEqual([false, true, true]);
  });

  it("without it nothing is hidden; what others wrote never is", async () => {
    const at = await written();
    const theirs = await makePost(other, at.topicId);
    expect((await impose(at, "mute")).hiddenTexts).toBe(0);
    expect(await hiddenOf(at, at.fresh)).toEqual(none);
    await impose(at, "mute", "day");
    expect((await other.api.call(contract.posts.get, { postId: theirs.id })).post.isHidden).toBe(false);
  });

  it("is one entry with counts in the log, which verifies, and one notification", async () => {
    const at = await written();
    await report(at, at.fresh);
    await impose(at, "ban", "day");
    const entries = await logOf(at.topicId);
    expect(
      entries
        .slice(0, 2)
        .map(({ action, subjectId, reason, details }) => ({ action, subjectId, reason, details })),
    ).toEqual([
      {
        action: "content_hidden",
        subjectId: at.troll.userId,
        reason: "Spam.",
        details: { scope: "day", texts: "3", posts: "1", comments: "1", messages: "1", reports: "3" },
      },
      { action: "member_banned", subjectId: at.troll.userId, reason: "Spam.", details: {} },
    ]);
    expect(verifyLog(at.topicId, entries.toReversed())).toBeNull();
    const told = await notificationsOf(at.troll);
    expect(told.map(({ kind, details }) => [kind, details])).toEqual([["member_banned", { hidden: "3" }]]);
  });

  it("also when a member is removed", async () => {
    const at = await written();
    const { topicId, troll } = at;
    await admin.api.call(contract.members.remove, { topicId, userId: troll.userId, hide: "day" });
    expect([await hiddenOf(at, at.old), await hiddenOf(at, at.fresh)]).toEqual([none, all]);
    expect((await notificationsOf(troll)).map(({ kind, details }) => [kind, details])).toEqual([
      ["member_removed", { hidden: "3" }],
    ]);
  });

  it("what waits for review is hidden for good, and tags and tag counts follow", async () => {
    const at = await written();
    await owner.api.call(contract.topics.update, { topicId: at.topicId, reviewWords: ["gold"] });
    const tagged = (title: string) =>
      at.troll.api.call(contract.posts.create, {
        topicId: at.topicId,
        title,
        content: "<p>c</p>",
        tags: ["counted once"],
      });
    await tagged("Gold");
    await tagged("Plain");
    const tags = async () => (await h.guest.call(contract.tags.list, { q: "counted once" })).tags.length;
    expect(await tags()).toBe(1);
    expect((await impose(at, "ban", "day")).hiddenTexts).toBe(5);
    expect(await tags()).toBe(0);
    expect((await owner.api.call(contract.moderation.queue, { topicId: at.topicId })).cases).toEqual([]);
  });

  it("a refused one hides nothing: no right, no such member", async () => {
    const at = await written();
    expect(await refusalOf(impose(at, "ban", "day", other))).toMatchObject({ code: "role_required" });
    const missing = admin.api.call(contract.moderation.sanction, {
      topicId: at.topicId,
      userId: owner.userId,
      kind: "ban",
      reason: "r",
      hide: "day",
    });
    expect(await refusalOf(missing)).toMatchObject({ code: "role_required" });
    expect(await hiddenOf(at, at.fresh)).toEqual(none);
    expect(await logOf(at.topicId)).toEqual([]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import {
  type CaseAction,
  type CaseCounts,
  type CaseKind,
  caseActions,
  caseKinds,
} from "@/lib/contract/queue";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { addTo, makePost, makeTopic, refusalOf, signIn } from "../testing";

/** One queue over all topics whose staff the caller is, and decisions about many cases at once. */
let h: Harness;
let owner: TestUser;
let admin: TestUser;
let member: TestUser;
let other: TestUser;
let stranger: TestUser;
let clock = Date.now();
beforeAll(async () => {
  h = await createHarness({ now: () => new Date(clock) });
  owner = await signIn(h, "owner");
  admin = await signIn(h, "admin");
  member = await signIn(h, "member");
  other = await signIn(h, "other");
  stranger = await signIn(h, "stranger");
});
afterAll(() => h.close());

/** A topic in which "free" waits for review, with a member and a second one who reports. */
async function staffed(title = "A topic", by: TestUser = owner) {
  const { id: topicId } = await makeTopic(by, "public", title);
  await addTo(h.db, topicId, admin, "admin");
  await addTo(h.db, topicId, member);
  await addTo(h.db, topicId, other);
  await by.api.call(contract.topics.update, { topicId, reviewWords: ["free"] });
  return topicId;
}

const tick = () => {
  clock += 1000;
};

async function postIn(topicId: string, title = "A post") {
  tick();
  return (await makePost(member, topicId, title)).id;
}

const report = async (postId: string, by = other) => {
  tick();
  await by.api.call(contract.moderation.reportPost, { postId, reason: "spam" });
};

const queue = (user: TestUser, query: object = {}) => user.api.call(contract.moderation.queue, { ...query });
const decide = async (
  user: TestUser,
  cases: readonly { kind: CaseKind; targetId: string }[],
  action: CaseAction,
  reason?: string,
) => (await user.api.call(contract.moderation.decideCases, { cases: [...cases], action, reason })).results;
const post = (targetId: string) => ({ kind: "post", targetId }) as const;

describe("GET /api/moderation/queue", () => {
  it("has reported content and waiting texts of every topic of the caller's, oldest first, and of no other", async () => {
    const one = await staffed("One");
    const two = await staffed("Two");
    const foreign = await staffed("Foreign", stranger);
    const reported = await postIn(one);
    await report(reported);
    await report(reported, owner);
    const waiting = await postIn(two, "Free things");
    tick();
    const { comment } = await member.api.call(contract.comments.create, {
      postId: reported,
      content: "It is free.",
    });
    tick();
    await postIn(foreign, "Free too");

    const { cases, counts } = await queue(owner);
    expect(cases.map(({ kind, targetId }) => [kind, targetId])).toEqual([
      ["post", reported],
      ["post", waiting],
      ["comment", comment.id],
    ]);
    expect(cases[0]).toMatchObject({
      topicId: one,
      topicTitle: "One",
      postId: reported,
      reasons: ["spam"],
      reportCount: 2,
      isHidden: false,
      isWaiting: false,
      isDeleted: false,
      title: "A post",
      excerpt: "Words.",
      author: { userId: member.userId, abilities: ["mute", "ban"], noteCount: 0 },
      actions: ["dismiss", "resolve", "hide", "delete"],
    });
    expect(cases[0]?.reports.map(({ reporter }) => reporter.userId)).toEqual([other.userId, owner.userId]);
    expect(cases[1]).toMatchObject({
      reasons: ["review_words"],
      reportCount: 0,
      isHidden: true,
      isWaiting: true,
      actions: ["approve", "hide", "delete"],
    });
    expect(counts).toEqual({
      open: 3,
      reported: 1,
      waiting: 2,
      topics: [
        { topicId: one, title: "One", open: 2, requests: 0 },
        { topicId: two, title: "Two", open: 1, requests: 0 },
      ],
    });
    expect((await queue(member)).cases).toEqual([]);
    const none: CaseCounts = { open: 0, reported: 0, waiting: 0, topics: [] };
    expect((await queue(member)).counts).toEqual(none);
    expect((await queue(owner, { topicId: foreign })).cases).toEqual([]);
  });

  it("counts the requests to join that nobody has answered", async () => {
    const { id: topicId } = await makeTopic(owner, "private", "Asked");
    await addTo(h.db, topicId, admin, "admin");
    for (const asker of [member, other, stranger]) await asker.api.call(contract.topics.join, { topicId });
    const requestsFor = async (user: TestUser) =>
      (await queue(user)).counts.topics.find((topic) => topic.topicId === topicId)?.requests;
    expect(await requestsFor(admin)).toBe(3);
    const { requests } = await owner.api.call(contract.requests.list, { topicId });
    for (const [at, action] of (["approve", "reject"] as const).entries()) {
      const requestId = requests[at]?.id ?? "";
      await owner.api.call(contract.requests.decide, { topicId, requestId, action });
    }
    expect(await requestsFor(admin)).toBe(1);
    // A member of the topic learns nothing of it.
    expect(await requestsFor(member)).toBeUndefined();
  });

  it("filters by topic, kind and reason, and pages", async () => {
    const topicId = await staffed("Filtered");
    const posts: string[] = [];
    for (let i = 0; i < 3; i += 1) {
      const id = await postIn(topicId);
      posts.push(id);
      await report(id);
    }
    const held = await postIn(topicId, "Free");
    const of = async (query: object) =>
      (await queue(owner, { topicId, ...query })).cases.map(({ targetId }) => targetId);
    expect(await of({})).toEqual([...posts, held]);
    expect(await of({ reason: "spam" })).toEqual(posts);
    expect(await of({ reason: "review_words" })).toEqual([held]);
    expect(await of({ reason: "abuse" })).toEqual([]);
    expect(await of({ kind: "comment" })).toEqual([]);
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await queue(owner, { topicId, limit: 1, cursor });
      paged.push(...page.cases.map(({ targetId }) => targetId));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(paged).toEqual([...posts, held]);
    expect(await refusalOf(queue(owner, { cursor: "x" }))).toMatchObject({ code: "invalid_request" });
  });

  it("has nothing of a topic where the caller's proof is too old", async () => {
    const topicId = await staffed("Lapsed");
    await report(await postIn(topicId));
    await h.db
      .updateTable("memberships")
      .set({ reprove_by: new Date(clock - 1000) })
      .where("topic_id", "=", topicId)
      .where("user_id", "=", admin.userId)
      .execute();
    expect((await queue(admin, { topicId })).cases).toEqual([]);
    expect((await queue(owner, { topicId })).cases).toHaveLength(1);
  });

  it("a reported text that waits is one case, of both kinds", async () => {
    const topicId = await staffed("Both");
    const id = await postIn(topicId, "Plain");
    await report(id);
    await member.api.call(contract.posts.update, { postId: id, title: "Free" });
    const { cases } = await queue(owner, { topicId });
    expect(cases).toHaveLength(1);
    expect(cases[0]).toMatchObject({ reasons: ["spam", "review_words"], reportCount: 1, isWaiting: true });
  });
});

describe("POST /api/moderation/queue", () => {
  it("hides and resolves in one decision, logs both, and tells the author once", async () => {
    const topicId = await staffed();
    const id = await postIn(topicId);
    await report(id);
    await report(id, owner);
    expect(await decide(admin, [post(id)], "hide", "Advertising.")).toEqual([
      { ...post(id), done: true, closedReports: 2, error: null },
    ]);
    expect((await queue(owner, { topicId })).cases).toEqual([]);
    const { entries } = await admin.api.call(contract.moderation.log, { topicId });
    expect(entries.slice(0, 2).map(({ action, reason }) => [action, reason])).toEqual([
      ["post_hidden", "Advertising."],
      ["report_resolved", "Advertising."],
    ]);
    const rows = await h.db.selectFrom("notifications").select("kind").where("post_id", "=", id).execute();
    expect(rows.filter(({ kind }) => kind === "post_hidden")).toHaveLength(1);
    expect((await owner.api.call(contract.topics.get, { topicId })).openReports).toBe(0);
  });

  it("approves a waiting text, which everyone then reads; hiding one keeps it hidden and closes the case", async () => {
    const topicId = await staffed();
    const [shown, kept] = [await postIn(topicId, "Free one"), await postIn(topicId, "Free two")];
    await decide(admin, [post(shown)], "approve");
    await decide(admin, [post(kept)], "hide");
    expect((await queue(owner, { topicId })).cases).toEqual([]);
    const read = await other.api.call(contract.posts.get, { postId: shown });
    expect(read.post.title).toBe("Free one");
    const hidden = await other.api.call(contract.posts.get, { postId: kept });
    expect(hidden.post.title).toBe("");
  });

  it("dismisses, resolves and deletes; what does not apply is refused", async () => {
    const topicId = await staffed();
    const ids = [await postIn(topicId), await postIn(topicId), await postIn(topicId)];
    for (const id of ids) await report(id);
    const [a = "", b = "", c = ""] = ids;
    expect((await decide(admin, [post(a)], "dismiss"))[0]?.done).toBe(true);
    expect((await decide(admin, [post(b)], "resolve"))[0]?.done).toBe(true);
    expect((await decide(admin, [post(c)], "delete"))[0]?.done).toBe(true);
    const statuses = await h.db
      .selectFrom("reports")
      .select(["post_id", "status"])
      .where("topic_id", "=", topicId)
      .execute();
    const byPost = Object.fromEntries(statuses.map(({ post_id, status }) => [post_id, status]));
    expect(byPost).toEqual({ [a]: "dismissed", [b]: "resolved", [c]: "resolved" });
    const gone = await h.db
      .selectFrom("posts")
      .select("deleted_at")
      .where("id", "=", c)
      .executeTakeFirstOrThrow();
    expect(gone.deleted_at).not.toBeNull();
    const waiting = await postIn(topicId, "Free");
    expect((await decide(admin, [post(waiting)], "dismiss"))[0]?.error?.code).toBe("case_decided");
  });

  it("names each failure and does the rest: decided before, not the caller's topic, nothing there", async () => {
    const topicId = await staffed();
    const foreign = await staffed("Foreign", stranger);
    const [open, closed] = [await postIn(topicId), await postIn(topicId)];
    const elsewhere = await postIn(foreign);
    for (const id of [open, closed]) await report(id);
    await report(elsewhere);
    await decide(owner, [post(closed)], "dismiss");
    const results = await decide(
      owner,
      [post(closed), post(elsewhere), post(topicId), { kind: "message", targetId: topicId }, post(open)],
      "hide",
    );
    expect(results.map(({ done, error }) => error?.code ?? done)).toEqual([
      "case_decided",
      "not_a_member",
      "post_not_found",
      "message_not_found",
      true,
    ]);
  });

  it("decides about comments and messages as about posts", async () => {
    const topicId = await staffed();
    const postId = await postIn(topicId);
    const { comment } = await member.api.call(contract.comments.create, { postId, content: "A comment." });
    const { message } = await member.api.call(contract.chat.send, { topicId, message: "A message." });
    await other.api.call(contract.moderation.reportComment, { commentId: comment.id, reason: "abuse" });
    tick();
    await other.api.call(contract.moderation.reportMessage, {
      topicId,
      messageId: message.id,
      reason: "spam",
    });
    const { cases } = await queue(admin, { topicId });
    expect(cases.map(({ kind, excerpt }) => [kind, excerpt])).toEqual([
      ["comment", "A comment."],
      ["message", "A message."],
    ]);
    expect((await decide(admin, cases, "hide")).every(({ done }) => done)).toBe(true);
    expect((await queue(admin, { topicId })).cases).toEqual([]);
    const { messages } = await other.api.call(contract.chat.list, { topicId });
    expect(messages.find(({ id }) => id === message.id)).toMatchObject({ isHidden: true, message: "" });
  });

  it("no action is open to a plain member, or to the staff of another topic", async () => {
    const topicId = await staffed();
    const id = await postIn(topicId);
    await report(id);
    for (const action of caseActions) {
      expect((await decide(member, [post(id)], action))[0]?.error?.code).toBe("role_required");
      expect((await decide(stranger, [post(id)], action))[0]?.error?.code).toBe("not_a_member");
    }
    expect((await queue(owner, { topicId })).cases).toHaveLength(1);
  });

  it("every action is refused for what is no case: nothing there, and nothing open", async () => {
    const topicId = await staffed();
    const id = await postIn(topicId);
    const unknown = crypto.randomUUID();
    for (const action of caseActions) {
      const cases = [...caseKinds.map((kind) => ({ kind, targetId: unknown })), post(id)];
      expect((await decide(owner, cases, action)).map(({ error }) => error?.code)).toEqual([
        "post_not_found",
        "comment_not_found",
        "message_not_found",
        "case_decided",
      ]);
    }
  });

  it("400 for more than 50 cases, or none", async () => {
    const many = Array.from({ length: 51 }, () => post(crypto.randomUUID()));
    for (const cases of [many, []]) {
      expect(await refusalOf(decide(owner, cases, "hide"))).toMatchObject({ code: "invalid_request" });
    }
  });
});

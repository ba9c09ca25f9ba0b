import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import type { Harness, TestUser } from "@/lib/testing/harness";
import { type Cast, createCast, makePost, membersOf, refusalOf } from "../testing";
import { impose, lift, person } from "./testing";

let cast: Cast;
let h: Harness;
let owner: TestUser;
let admin: TestUser;
let member: TestUser;
let outsider: TestUser;
let clock = Date.now();
beforeAll(async () => {
  cast = await createCast({ now: () => new Date(clock) });
  ({ h, owner, admin, member, outsider } = cast);
});
afterAll(() => h.close());

const place: Cast["place"] = (visibility) => cast.place(visibility);
const hour = 3_600_000;
const inHours = (hours: number) => new Date(clock + hours * hour).toISOString();
const logOf = async (topicId: string) => (await owner.api.call(contract.moderation.log, { topicId })).entries;

describe("mute", () => {
  it("201: the member can still read, and sees why and until when", async () => {
    const topicId = await place();
    const until = inHours(1);
    const { sanction } = await impose(admin, topicId, member, "mute", { until });
    expect(sanction).toEqual({
      user: person(member),
      kind: "mute",
      reason: "A reason.",
      createdAt: new Date(clock).toISOString(),
      createdBy: person(admin),
      until,
      abilities: ["lift"],
    });
    const seen = await member.api.call(contract.topics.get, { topicId });
    expect(seen).toMatchObject({ currentUserRole: "member", muted: { reason: "A reason.", until } });
    expect(await membersOf(h.db, topicId)).toEqual({ counted: 3, rows: 3 });
    expect(await logOf(topicId)).toMatchObject([
      {
        action: "member_muted",
        actorId: admin.userId,
        subjectId: member.userId,
        reason: "A reason.",
        details: { until },
      },
    ]);
  });

  it.each([1, null])("every write is refused, and the refusal says until when: %s", async (hours) => {
    const topicId = await place();
    const post = await makePost(member, topicId);
    const { comment } = await member.api.call(contract.comments.create, { postId: post.id, content: "c" });
    const { post: poll } = await owner.api.call(contract.posts.create, {
      topicId,
      title: "t",
      content: "<p>c</p>",
      poll: { options: ["A", "B"] },
    });
    const until = hours === null ? null : inHours(hours);
    await impose(owner, topicId, member, "mute", { until });
    const writes: [string, string, object?][] = [
      ["POST", `topics/${topicId}/posts`, { title: "t", content: "<p>c</p>" }],
      ["POST", `topics/${topicId}/invite`],
      ["PATCH", `posts/${post.id}`, { title: "t" }],
      ["POST", `posts/${post.id}/comments`, { content: "c" }],
      ["PATCH", `comments/${comment.id}`, { content: "c" }],
      ["POST", `posts/${post.id}/vote`, { value: 1 }],
      ["POST", `posts/${post.id}/reactions`, { emoji: "🔥" }],
      ["POST", `posts/${poll.id}/poll/vote`, { optionIds: [poll.poll?.options[0]?.id] }],
      ["DELETE", `posts/${poll.id}/poll/vote`],
    ];
    for (const [method, path, body] of writes) {
      const answer = await h.send(method, `/api/${path}`, { token: member.token, body });
      expect(
        [answer.status, Object(answer.body).code, Object(answer.body).until],
        `${method} ${path}`,
      ).toEqual([403, "muted", until]);
    }
    // Reading, bookmarking and leaving are not writing.
    expect((await member.api.call(contract.posts.bookmark, { postId: post.id })).bookmarked).toBe(true);
    await member.api.call(contract.topics.leave, { topicId });
  });

  it("remains in force for someone who leaves and joins again", async () => {
    const topicId = await place();
    await impose(owner, topicId, member, "mute");
    await member.api.call(contract.topics.leave, { topicId });
    await member.api.call(contract.topics.join, { topicId });
    const vote = makePost(member, topicId);
    expect(await refusalOf(vote)).toMatchObject({ status: 403, code: "muted" });
  });

  it("ends by itself, or lifted", async () => {
    const topicId = await place();
    await impose(owner, topicId, member, "mute", { until: inHours(1) });
    const end = new Date(Date.now() - 1);
    await h.db.updateTable("sanctions").set({ until: end }).where("topic_id", "=", topicId).execute();
    await makePost(member, topicId);
    expect((await member.api.call(contract.topics.get, { topicId })).muted).toBeNull();
    await impose(owner, topicId, member, "mute");
    expect(await lift(admin, topicId, member, "mute", "Enough.")).toEqual({ success: true });
    await makePost(member, topicId);
    expect((await logOf(topicId))[0]).toMatchObject({ action: "member_unmuted", reason: "Enough." });
  });
});

describe("ban", () => {
  const ways = async (topicId: string) => {
    const { inviteCode } = (await owner.api.call(contract.topics.get, { topicId })).topic;
    const { token } = await owner.api.call(contract.topics.createInvite, { topicId });
    return [`${topicId}/join`, `join/${inviteCode}`, `join/${token}`];
  };

  it("201: ends the membership in the same moment, and is counted and logged once", async () => {
    const topicId = await place();
    const { sanction } = await impose(admin, topicId, member, "ban");
    expect(sanction).toMatchObject({ kind: "ban", user: person(member), until: null });
    expect(await membersOf(h.db, topicId)).toEqual({ counted: 2, rows: 2 });
    expect((await member.api.call(contract.topics.get, { topicId })).currentUserRole).toBeNull();
    const [entry, ...more] = await logOf(topicId);
    expect(entry).toMatchObject({ action: "member_banned", subjectId: member.userId, details: {} });
    expect(more).toEqual([]);
  });

  it.each(["public", "private"] as const)(
    "closes every way into a %s topic, and says until when",
    async (visibility) => {
      const start = clock;
      const topicId = await place(visibility);
      const until = inHours(48);
      await impose(owner, topicId, member, "ban", { until });
      await impose(owner, topicId, outsider, "ban");
      // Longer than the wait after a removal.
      clock += 47 * hour;
      for (const way of await ways(topicId)) {
        for (const [user, end] of [
          [member, until],
          [outsider, null],
        ] as const) {
          const answer = await h.send("POST", `/api/topics/${way}`, { token: user.token });
          expect([answer.status, Object(answer.body).code, Object(answer.body).until], way).toEqual([
            403,
            "banned",
            end,
          ]);
        }
      }
      expect(await membersOf(h.db, topicId)).toEqual({ counted: 2, rows: 2 });
      clock += hour;
      const [plain = ""] = await ways(topicId);
      const answer = await h.send("POST", `/api/topics/${plain}`, { token: member.token });
      expect(answer.status).toBe(visibility === "public" ? 201 : 202);
      clock = start;
    },
  );

  it("lifted, it leaves no wait behind", async () => {
    const topicId = await place();
    await impose(owner, topicId, member, "ban");
    await lift(owner, topicId, member, "ban");
    await member.api.call(contract.topics.join, { topicId });
    expect((await logOf(topicId)).map(({ action }) => action)).toEqual(["member_unbanned", "member_banned"]);
  });

  it("ended by itself within a day, the removal still lasts its 24 hours", async () => {
    const start = clock;
    const topicId = await place();
    await impose(owner, topicId, member, "ban", { until: inHours(1) });
    clock += 2 * hour;
    const join = member.api.call(contract.topics.join, { topicId });
    expect(await refusalOf(join)).toMatchObject({ status: 403, code: "request_too_soon" });
    clock = start;
  });
});

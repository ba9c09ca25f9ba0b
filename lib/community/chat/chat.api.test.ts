import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness } from "@/lib/testing/harness";
import { refusalOf, signIn } from "../testing";
import { deleteOldJoins } from "./entries";
import { chatRoom, follow, history, say } from "./testing";

let h: Harness;
let clock = Date.parse("2026-11-22T10:00:00Z");
beforeAll(async () => {
  h = await createHarness({ now: () => new Date(clock) });
});
afterAll(() => h.close());

const types = (messages: readonly { readonly type: string }[]) => messages.map(({ type }) => type);

describe("POST 201", () => {
  it("keeps the text as written, trimmed, and says who wrote it", async () => {
    const { topicId, member } = await chatRoom(h);
    const message = await say(member, topicId, "  <b>Hi</b> @you \n🎉  ");
    expect(message).toEqual({
      id: message.id,
      topicId,
      userId: member.userId,
      nickname: member.nickname,
      profileImage: null,
      message: "<b>Hi</b> @you \n🎉",
      type: "message",
      createdAt: new Date(clock).toISOString(),
      replyTo: null,
      editedAt: null,
      isDeleted: false,
      deletedBy: null,
      isHidden: false,
      automated: false,
      authorDomains: [],
      reactions: [],
      revision: 1,
    });
    expect(await history(member, topicId)).toEqual({ messages: [message], total: 1 });
    expect((await say(member, topicId, "x".repeat(1000))).message).toHaveLength(1000);
  });

  it("gives each message a later time than the previous one, even if the clock stops or goes back", async () => {
    const { topicId, member } = await chatRoom(h);
    const first = await say(member, topicId, "one");
    const second = await say(member, topicId, "two");
    clock -= 60_000;
    const third = await say(member, topicId, "three");
    clock += 60_000;
    const at = Date.parse(first.createdAt);
    expect([second, third].map(({ createdAt }) => Date.parse(createdAt) - at)).toEqual([1, 2]);
  });
});

describe("POST is refused", () => {
  it("400 for no text and too much, 403 for outsiders and the muted, 404 for a topic that is not there", async () => {
    const { topicId, owner, member } = await chatRoom(h);
    const outsider = await signIn(h);
    for (const message of ["", " \n ", "x".repeat(1001), "a\0b"]) {
      expect(await refusalOf(say(member, topicId, message))).toMatchObject({ status: 400 });
    }
    expect(await refusalOf(say(outsider, topicId, "x"))).toMatchObject({ code: "not_a_member" });
    expect(await refusalOf(say(member, randomUUID(), "x"))).toMatchObject({ code: "topic_not_found" });
    await owner.api.call(contract.moderation.sanction, {
      topicId,
      userId: member.userId,
      kind: "mute",
      reason: "noise",
    });
    expect(await refusalOf(say(member, topicId, "x"))).toMatchObject({ status: 403, code: "muted" });
    // The muted read on.
    expect(await history(member, topicId)).toEqual({ messages: [], total: 0 });
  });
});

describe("GET 200", () => {
  it("lists the latest first, later than a time oldest first, older than a message newest first", async () => {
    const { topicId, member } = await chatRoom(h);
    const said = [];
    for (const text of ["1", "2", "3", "4", "5"]) said.push(await say(member, topicId, text));
    const texts = async (query: object) => {
      const { messages, total } = await history(member, topicId, query);
      expect(total).toBe(5);
      return messages.map(({ message }) => message).join("");
    };
    expect(await texts({})).toBe("54321");
    expect(await texts({ limit: 2 })).toBe("54");
    expect(await texts({ limit: 0 })).toBe("");
    expect(await texts({ since: said[1]?.createdAt })).toBe("345");
    expect(await texts({ since: said[1]?.createdAt, limit: 2 })).toBe("34");
    expect(await texts({ since: said[4]?.createdAt })).toBe("");
    const elsewhere = said[1]?.createdAt.replace("10:", "12:").replace("Z", "+02:00");
    expect(await texts({ since: elsewhere })).toBe("345");
    expect(await texts({ before: said[3]?.id })).toBe("321");
    expect(await texts({ before: said[3]?.id, limit: 2 })).toBe("32");
    expect(await texts({ before: said[0]?.id })).toBe("");
  });

  it("shows authors as they are now", async () => {
    const { topicId, owner, member } = await chatRoom(h);
    await say(member, topicId, "soon gone");
    await member.api.call(contract.profile.deleteAccount, {});
    const { messages } = await history(owner, topicId);
    expect(messages).toMatchObject([{ message: "soon gone", nickname: "[withdrawn]", profileImage: null }]);
  });

  it("has joins and leaves among the messages for a day, and does not count them", async () => {
    const { topicId, owner, member } = await chatRoom(h);
    await say(owner, topicId, "before");
    const stream = await follow(h, member, topicId);
    await stream.next("presence");
    await say(owner, topicId, "after");
    const { messages, total } = await history(owner, topicId);
    expect(types(messages)).toEqual(["message", "join", "message"]);
    expect(messages[1]).toMatchObject({ userId: member.userId, nickname: member.nickname, message: "" });
    expect(total).toBe(2);
    const day = 24 * 60 * 60 * 1000;
    await deleteOldJoins(h.db, new Date(clock + day - 1000));
    expect(types((await history(owner, topicId)).messages)).toContain("join");
    await deleteOldJoins(h.db, new Date(clock + day + 1000));
    expect(types((await history(owner, topicId)).messages)).toEqual(["message", "message"]);
    await stream.close();
  });
});

describe("GET is refused", () => {
  it("404 to outsiders and for messages of elsewhere, 401 to guests, 400 for both ways at once", async () => {
    const { topicId, member } = await chatRoom(h);
    const other = await chatRoom(h);
    const foreign = await say(other.member, other.topicId, "elsewhere");
    const own = await say(member, topicId, "here");
    expect(await refusalOf(history(await signIn(h), topicId))).toMatchObject({
      status: 404,
      code: "topic_not_found",
    });
    for (const before of [foreign.id, randomUUID()]) {
      expect(await refusalOf(history(member, topicId, { before }))).toMatchObject({
        status: 404,
        code: "message_not_found",
        field: "before",
      });
    }
    const both = { before: own.id, since: own.createdAt };
    expect(await refusalOf(history(member, topicId, both))).toMatchObject({ status: 400, field: "before" });
    expect(await h.send("GET", `/api/topics/${topicId}/chat`)).toMatchObject({ status: 401 });
  });
});

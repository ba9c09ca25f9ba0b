import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ChatMessage, contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { impose } from "../moderation/testing";
import { notificationsOf } from "../notifications/testing";
import { globalAdmin } from "../posts/testing";
import { addTo, refusalOf, signIn } from "../testing";
import { chatRoom, edit, FIRE, hide, history, react, remove, say, THUMB } from "./testing";

let h: Harness;
let clock = Date.parse("2026-11-22T10:00:00Z");
beforeAll(async () => {
  h = await createHarness({ now: () => new Date(clock) });
});
afterAll(() => h.close());

/** A chat with owner, two members and a message of the first. */
async function scene(text = "Some words.") {
  const { topicId, owner, others } = await chatRoom(h, 2);
  const [author, other] = others;
  if (!author || !other) return expect.fail();
  const { id } = await say(author, topicId, text);
  return { topicId, owner, author, other, id };
}

/** How a reader finds the message in the history. */
async function seenBy(user: TestUser, topicId: string, id: string): Promise<ChatMessage> {
  const { messages } = await history(user, topicId);
  return messages.find((message) => message.id === id) ?? expect.fail();
}

async function log({ api }: TestUser, topicId: string) {
  return (await api.call(contract.moderation.log, { topicId })).entries;
}

const FORBIDDEN = (code: string) => ({ status: 403, code });
const GONE = { status: 404, code: "message_not_found" };

describe("a reply", () => {
  it("shows what it answers, as that is now", async () => {
    const { topicId, author, other, id } = await scene("x".repeat(200));
    const reply = await say(other, topicId, "No.", id);
    const quote = { id, userId: author.userId, nickname: author.nickname };
    expect(reply.replyTo).toEqual({ ...quote, excerpt: "x".repeat(140) });
    expect(await seenBy(author, topicId, reply.id)).toEqual(reply);
    await edit(author, id, "Better.");
    expect((await seenBy(other, topicId, reply.id)).replyTo).toEqual({ ...quote, excerpt: "Better." });
    await remove(author, id);
    expect((await seenBy(other, topicId, reply.id)).replyTo).toEqual({ ...quote, excerpt: "" });
  });

  it("does not show what was hidden, except to those who may read it", async () => {
    const { topicId, owner, author, other, id } = await scene();
    const reply = await say(other, topicId, "No.", id);
    await hide(owner, id);
    const excerpts = [];
    for (const user of [owner, author, other]) {
      excerpts.push((await seenBy(user, topicId, reply.id)).replyTo?.excerpt);
    }
    expect(excerpts).toEqual(["Some words.", "Some words.", ""]);
  });

  it("notifies the author once, who is still a member", async () => {
    const { topicId, author, other, id } = await scene();
    const reply = await say(other, topicId, `No, @${author.nickname}.`, id);
    expect(await notificationsOf(author)).toMatchObject([
      { kind: "chat_reply", excerpt: reply.message, details: { messageId: reply.id } },
    ]);
    await author.api.call(contract.topics.leave, { topicId });
    await say(other, topicId, "Still there?", id);
    expect(await notificationsOf(author)).toHaveLength(1);
  });

  it("404 to a message of elsewhere, a join, a deleted one, and a hidden one that its writer cannot read", async () => {
    const { topicId, owner, author, other, id } = await scene();
    const elsewhere = await scene();
    const [join] = await h.db
      .insertInto("chat_messages")
      .values({
        topic_id: topicId,
        position: 1000,
        user_id: owner.userId,
        type: "join",
        message: "",
        created_at: new Date(clock - 1000),
      })
      .returning("id")
      .execute();
    for (const target of [randomUUID(), elsewhere.id, join?.id ?? ""]) {
      const refused = await refusalOf(say(other, topicId, "x", target));
      expect(refused).toMatchObject({ ...GONE, field: "replyToId" });
    }
    await hide(owner, id);
    expect(await refusalOf(say(other, topicId, "x", id))).toMatchObject(GONE);
    await say(author, topicId, "x", id);
    await remove(author, id);
    expect(await refusalOf(say(author, topicId, "x", id))).toMatchObject(GONE);
  });
});

describe("PATCH", () => {
  it("200: changes the text and marks it, and the same text again changes nothing", async () => {
    const { topicId, author, other, id } = await scene();
    const before = await seenBy(other, topicId, id);
    clock += 60_000;
    const edited = await edit(author, id, "  Better. ");
    expect(edited).toEqual({
      ...before,
      message: "Better.",
      editedAt: new Date(clock).toISOString(),
      revision: before.revision + 1,
    });
    expect(await seenBy(other, topicId, id)).toEqual(edited);
    clock += 60_000;
    expect(await edit(author, id, "Better.")).toEqual(edited);
    expect((await history(other, topicId)).total).toBe(1);
  });

  it("200: notifies whom it names anew, and nobody while it is hidden", async () => {
    const { topicId, owner, author, other, id } = await scene();
    await edit(author, id, `Hello @${other.nickname}`);
    await edit(author, id, `Hello @${other.nickname} and @${owner.nickname}`);
    expect(await notificationsOf(other)).toMatchObject([
      { kind: "chat_mention", details: { messageId: id } },
    ]);
    expect(await notificationsOf(owner)).toHaveLength(1);
    const quiet = await say(author, topicId, "Nobody");
    await hide(owner, quiet.id);
    await edit(author, quiet.id, `@${other.nickname}`);
    expect(await notificationsOf(other)).toHaveLength(1);
  });

  it("400, 403, 404", async () => {
    const { topicId, owner, author, other, id } = await scene();
    expect(await refusalOf(edit(author, id, " "))).toMatchObject({ status: 400, field: "message" });
    expect(await refusalOf(edit(author, id, "x".repeat(1001)))).toMatchObject({ status: 400 });
    for (const user of [owner, other]) {
      expect(await refusalOf(edit(user, id, "x"))).toMatchObject(FORBIDDEN("not_the_author"));
    }
    expect(await refusalOf(edit(await signIn(h), id, "x"))).toMatchObject(FORBIDDEN("not_a_member"));
    expect(await refusalOf(edit(author, randomUUID(), "x"))).toMatchObject(GONE);
    await impose(owner, topicId, author, "mute");
    expect(await refusalOf(edit(author, id, "x"))).toMatchObject(FORBIDDEN("muted"));
    await impose(owner, topicId, author, "ban");
    expect(await refusalOf(edit(author, id, "x"))).toMatchObject(FORBIDDEN("not_a_member"));
    expect(await seenBy(owner, topicId, id)).toMatchObject({ message: "Some words.", editedAt: null });
  });
});

describe("DELETE", () => {
  it("200: by the author, also muted or gone; a stub without text and reactions stays, and nothing is logged", async () => {
    const { topicId, owner, author, other, id } = await scene();
    await react(other, id);
    const before = await seenBy(other, topicId, id);
    await impose(owner, topicId, author, "mute");
    const logged = (await log(owner, topicId)).length;
    expect(await remove(author, id)).toEqual({ success: true, deletedBy: "author" });
    const stub = { isDeleted: true, deletedBy: "author", message: "", reactions: [] };
    for (const user of [owner, author, other]) {
      expect(await seenBy(user, topicId, id)).toEqual({ ...before, ...stub, revision: before.revision + 1 });
    }
    expect((await history(owner, topicId)).total).toBe(1);
    expect(await log(owner, topicId)).toHaveLength(logged);
    const rows = await h.db
      .selectFrom("chat_reactions")
      .select("emoji")
      .where("message_id", "=", id)
      .execute();
    expect(rows).toEqual([]);
    const second = await say(other, topicId, "Mine.");
    await other.api.call(contract.topics.leave, { topicId });
    expect(await remove(other, second.id)).toMatchObject({ deletedBy: "author" });
  });

  it("200: by staff and global admins, with its reason in the log and in the author's notification", async () => {
    const { topicId, owner, author, other, id } = await scene();
    const second = await say(author, topicId, "More words.");
    expect(await remove(owner, id, "Spam.")).toEqual({ success: true, deletedBy: "admin" });
    expect(await notificationsOf(author)).toMatchObject([
      { kind: "message_removed", actor: null, excerpt: null, reason: "Spam.", details: { messageId: id } },
    ]);
    expect(await notificationsOf(other)).toEqual([]);
    const root = await globalAdmin(h);
    await root.api.call(contract.chat.delete, { messageId: second.id });
    expect(await log(owner, topicId)).toMatchObject([
      {
        action: "message_deleted",
        actorId: root.user.userId,
        reason: null,
        details: { messageId: second.id },
      },
      {
        action: "message_deleted",
        actorId: owner.userId,
        subjectId: author.userId,
        reason: "Spam.",
        details: { messageId: id },
      },
    ]);
  });

  it("403 to others; 404 to what is deleted, for everything", async () => {
    const { owner, author, other, id } = await scene();
    expect(await refusalOf(remove(other, id))).toMatchObject(FORBIDDEN("role_required"));
    expect(await refusalOf(remove(await signIn(h), id))).toMatchObject(FORBIDDEN("not_a_member"));
    await remove(author, id);
    for (const act of [
      () => remove(author, id),
      () => remove(owner, id),
      () => edit(author, id, "x"),
      () => react(other, id),
      () => hide(owner, id),
    ]) {
      expect(await refusalOf(act())).toMatchObject(GONE);
    }
  });
});

describe("hiding", () => {
  it("200: staff and author still read it, and it is shown again; both once", async () => {
    const { topicId, owner, author, other, id } = await scene();
    await react(other, id);
    const before = await seenBy(other, topicId, id);
    expect(await hide(owner, id, true, "Off topic.")).toEqual({ isHidden: true });
    expect(await hide(owner, id)).toEqual({ isHidden: true });
    const text = async (user: TestUser) => (await seenBy(user, topicId, id)).message;
    expect([await text(owner), await text(author), await text(other)]).toEqual([
      "Some words.",
      "Some words.",
      "",
    ]);
    expect(await seenBy(other, topicId, id)).toEqual({
      ...before,
      message: "",
      isHidden: true,
      reactions: [],
      revision: before.revision + 1,
    });
    await hide(owner, id, false);
    expect(await seenBy(other, topicId, id)).toEqual({ ...before, revision: before.revision + 2 });
    expect((await log(owner, topicId)).map(({ action, reason }) => [action, reason])).toEqual([
      ["message_shown", null],
      ["message_hidden", "Off topic."],
    ]);
    expect((await notificationsOf(author)).map(({ kind, excerpt }) => [kind, excerpt])).toEqual([
      ["message_shown", "Some words."],
      ["message_hidden", "Some words."],
    ]);
  });

  it("takes it out of the notification of whom it names", async () => {
    const { topicId, owner, author, other } = await scene();
    const { id } = await say(author, topicId, `Hello @${other.nickname}`);
    await hide(owner, id);
    expect(await notificationsOf(other)).toMatchObject([{ kind: "chat_mention", excerpt: null }]);
    await hide(owner, id, false);
    expect(await notificationsOf(other)).toMatchObject([{ excerpt: `Hello @${other.nickname}` }]);
  });

  it("403 to members and authors; operators hide what they do not read", async () => {
    const { author, other, id } = await scene();
    for (const user of [author, other]) {
      expect(await refusalOf(hide(user, id))).toMatchObject(FORBIDDEN("role_required"));
    }
    const { api } = await globalAdmin(h);
    const hiding = api.call(contract.moderation.hideMessage, { messageId: id, hidden: true });
    expect(await hiding).toMatchObject({ isHidden: true });
  });
});

describe("reactions", () => {
  it("200: counted over people, in the order of the six, with the reader's own; a repeat changes nothing", async () => {
    const { topicId, owner, author, other, id } = await scene();
    const first = await react(other, id, true, FIRE);
    expect(first.reactions).toEqual([{ emoji: FIRE, count: 1, userReacted: true }]);
    expect(await react(other, id, true, FIRE)).toEqual(first);
    await react(owner, id, true, THUMB);
    await react(owner, id, true, FIRE);
    const seen = async (user: TestUser) => (await seenBy(user, topicId, id)).reactions;
    const expected = (mine: readonly string[]) => [
      { emoji: THUMB, count: 1, userReacted: mine.includes(THUMB) },
      { emoji: FIRE, count: 2, userReacted: mine.includes(FIRE) },
    ];
    expect(await seen(owner)).toEqual(expected([FIRE, THUMB]));
    expect(await seen(other)).toEqual(expected([FIRE]));
    expect(await seen(author)).toEqual(expected([]));
    await react(owner, id, false, THUMB);
    expect((await react(other, id, false, FIRE)).reactions).toEqual([
      { emoji: FIRE, count: 1, userReacted: false },
    ]);
    expect(await react(other, id, false, FIRE)).toMatchObject({ revision: first.revision + 4 });
  });

  it("400 for others, 403 for outsiders and the muted, 404 for what the reader cannot read", async () => {
    const { topicId, owner, other, id } = await scene();
    const path = `/api/chat/${id}/reactions`;
    for (const body of [{ emoji: "\u{1F44E}", reacted: true }, { emoji: FIRE }, {}]) {
      expect((await h.send("POST", path, { token: other.token, body })).status).toBe(400);
    }
    expect(await refusalOf(react(await signIn(h), id))).toMatchObject(FORBIDDEN("not_a_member"));
    await hide(owner, id);
    expect(await refusalOf(react(other, id))).toMatchObject(GONE);
    await hide(owner, id, false);
    await impose(owner, topicId, other, "mute");
    expect(await refusalOf(react(other, id))).toMatchObject(FORBIDDEN("muted"));
    expect((await seenBy(owner, topicId, id)).reactions).toEqual([]);
  });

  it("stay counted when their giver withdraws, whom nothing leads to", async () => {
    const { topicId, owner, other, id } = await scene();
    await react(other, id);
    await other.api.call(contract.profile.deleteAccount, {});
    expect((await seenBy(owner, topicId, id)).reactions).toEqual([
      { emoji: FIRE, count: 1, userReacted: false },
    ]);
    const [row] = await h.db
      .selectFrom("chat_reactions")
      .select("user_id")
      .where("message_id", "=", id)
      .execute();
    expect(row?.user_id).not.toBe(other.userId);
  });
});

describe("the abilities of a reader", () => {
  it("are what the operations allow", async () => {
    const { topicId, owner } = await scene();
    const admin = await signIn(h, "admin");
    await addTo(h.db, topicId, admin, "admin");
    const member = await signIn(h, "member");
    await addTo(h.db, topicId, member);
    const muted = await signIn(h, "muted");
    await addTo(h.db, topicId, muted);
    const words = new Map<string, string>();
    for (const user of [owner, admin, member, muted]) {
      words.set(user.userId, (await say(user, topicId, "mine")).id);
    }
    await impose(owner, topicId, muted, "mute");
    const of = async ({ api }: TestUser) => (await api.call(contract.chat.list, { topicId })).abilities;
    const acts = {
      reply: (user: TestUser, id: string) => say(user, topicId, "x", id),
      react: (user: TestUser, id: string) => react(user, id),
      edit: (user: TestUser, id: string) => edit(user, id, randomUUID()),
      hide: (user: TestUser, id: string) => hide(user, id, false),
      report: ({ api }: TestUser, messageId: string) =>
        api.call(contract.moderation.reportMessage, { topicId, messageId, reason: "spam" }),
      delete: (user: TestUser, id: string) => remove(user, id),
    };
    for (const user of [owner, admin, member, muted]) {
      const abilities = await of(user);
      const bystander = await say(owner === user ? admin : owner, topicId, "theirs");
      for (const [whose, id] of [
        ["own", words.get(user.userId) ?? ""],
        ["others", bystander.id],
      ] as const) {
        const allowed: string[] = [];
        for (const [name, act] of Object.entries(acts)) {
          const done = await act(user, id).then(
            () => true,
            () => false,
          );
          if (done) allowed.push(name);
        }
        expect([whose, allowed.toSorted()]).toEqual([whose, abilities[whose].toSorted()]);
      }
    }
  });
});

import { afterAll, beforeAll, describe, expect } from "vitest";
import { z } from "zod";
import type { TestUser } from "../harness";
import { chatEndpoints, chatEvents } from "./rows";
import * as shapes from "./shapes";
import { rowSuite } from "./suite";
import { createWorld, missing, type World } from "./world";

let w: World;
beforeAll(async () => {
  w = await createWorld();
});
afterAll(() => w.close());

/** Without what the API adds to the specification: the abilities, and whether a message is folded for its reader. */
const history = z.object({
  messages: z.array(shapes.chatMessage.transform(({ isFolded: _, ...message }) => message)),
  total: z.int(),
});
const sent = z.looseObject({ message: shapes.chatMessage });

/** Says something. */
async function say(who: TestUser, topicId: string, message: string) {
  const path = `/api/topics/${topicId}/chat`;
  return (await w.ok(201, sent, who, "POST", path, { message })).message;
}

async function read(who: TestUser, topicId: string, query = "") {
  return await w.ok(200, history, who, "GET", `/api/topics/${topicId}/chat${query}`);
}

describe("the specification: chat", () => {
  rowSuite(chatEndpoints, {
    "GET /api/topics/{topicId}/chat": async () => {
      const { topic, owner, member, outsider } = await w.place();
      expect(await read(owner, topic.id)).toEqual({ messages: [], total: 0 });
      const said = [];
      for (const text of ["one", "two", "three", "four"]) said.push(await say(member, topic.id, text));
      const [one, two, three, four] = said;
      expect(await read(owner, topic.id)).toEqual({ messages: [four, three, two, one], total: 4 });
      expect(await read(owner, topic.id, "?limit=2")).toEqual({ messages: [four, three], total: 4 });
      expect((await read(owner, topic.id, `?since=${two?.createdAt}`)).messages).toEqual([three, four]);
      expect((await read(owner, topic.id, `?since=${two?.createdAt}&limit=1`)).messages).toEqual([three]);
      expect((await read(owner, topic.id, `?before=${three?.id}`)).messages).toEqual([two, one]);
      expect((await read(owner, topic.id, `?before=${three?.id}&limit=1`)).messages).toEqual([two]);
      const path = `/api/topics/${topic.id}/chat`;
      await w.refused(400, owner, "GET", `${path}?since=yesterday`);
      await w.refused(400, owner, "GET", `${path}?limit=-1`);
      await w.refused(401, null, "GET", path);
      await w.refused(404, outsider, "GET", path);
      await w.refused(404, owner, "GET", `/api/topics/${missing}/chat`);
      const secret = await w.place("secret");
      await w.refused(404, outsider, "GET", `/api/topics/${secret.topic.id}/chat`);
    },

    "POST /api/topics/{topicId}/chat": async () => {
      const { topic, owner, member, outsider } = await w.place("private");
      const message = await say(member, topic.id, "Hello <b>there</b>");
      expect(message).toMatchObject({
        topicId: topic.id,
        userId: member.userId,
        nickname: member.nickname,
        message: "Hello <b>there</b>",
        type: "message",
      });
      expect((await read(owner, topic.id)).messages).toEqual([message]);
      const path = `/api/topics/${topic.id}/chat`;
      await w.refused(400, member, "POST", path, {});
      await w.refused(400, member, "POST", path, { message: "  " });
      await w.refused(400, member, "POST", path, { message: 5 });
      await w.refused(401, null, "POST", path, { message: "x" });
      await w.refused(403, outsider, "POST", path, { message: "x" });
      await w.refused(403, await w.nameless(), "POST", path, { message: "x" });
      expect((await read(owner, topic.id)).total).toBe(1);
    },

    "GET /api/topics/{topicId}/chat/subscribe": async () => {
      const { topic, owner, member, outsider } = await w.place();
      const path = `/api/topics/${topic.id}/chat/subscribe`;
      const stream = await w.events(owner, path);
      expect(await stream.next("presence")).toMatchObject({ data: { count: 1 } });
      const message = await say(member, topic.id, "Hello");
      let got = await stream.next("message");
      while (got && shapes.chatMessage.parse(got.data).type !== "message") got = await stream.next("message");
      expect(got).toEqual({ event: "message", id: message.id, data: message });
      await stream.close();
      await w.refused(401, null, "GET", path);
      await w.refused(403, outsider, "GET", path);
    },

    "GET /api/topics/{topicId}/chat/presence": async () => {
      const { topic, owner, member, outsider } = await w.place();
      const path = `/api/topics/${topic.id}/chat/presence`;
      expect(await w.ok(200, shapes.presence, owner, "GET", path)).toEqual({ users: [], count: 0 });
      const stream = await w.events(member, `/api/topics/${topic.id}/chat/subscribe`);
      await stream.next("presence");
      expect(await w.ok(200, shapes.presence, owner, "GET", path)).toMatchObject({
        users: [{ userId: member.userId, nickname: member.nickname }],
        count: 1,
      });
      await stream.close();
      await w.refused(401, null, "GET", path);
      await w.refused(403, outsider, "GET", path);
    },
  });
});

describe("the specification: events of the chat stream", () => {
  rowSuite(chatEvents, {
    "connect: added to presence, a join is recorded, the presence list comes first": async () => {
      const { topic, owner, member } = await w.place();
      const path = `/api/topics/${topic.id}/chat/subscribe`;
      const first = await w.events(owner, path);
      const opening = await first.next("presence");
      expect(shapes.presence.parse(opening?.data).users.map(({ userId }) => userId)).toEqual([owner.userId]);
      const second = await w.events(member, path);
      const both = shapes.presence.parse((await second.next("presence"))?.data);
      expect(new Set(both.users.map(({ userId }) => userId))).toEqual(new Set([owner.userId, member.userId]));
      for (;;) {
        const join = shapes.chatMessage.parse((await first.next("message"))?.data);
        if (join.userId !== member.userId) continue;
        expect(join.type).toBe("join");
        break;
      }
      const { messages, total } = await read(owner, topic.id);
      expect(messages.map(({ type }) => type)).toEqual(["join", "join"]);
      expect(total).toBe(0);
      await first.close();
      await second.close();
    },
    "new message: broadcast to subscribers": async () => {
      const { topic, owner, admin, member } = await w.place();
      const path = `/api/topics/${topic.id}/chat/subscribe`;
      const streams = await Promise.all([owner, admin, member].map((who) => w.events(who, path)));
      for (const stream of streams) await stream.next("presence");
      const texts = ["one", "two", "three"];
      for (const text of texts) await say(member, topic.id, text);
      for (const stream of streams) {
        const got: string[] = [];
        while (got.length < texts.length) {
          const message = shapes.chatMessage.parse((await stream.next("message"))?.data);
          if (message.type === "message") got.push(message.message);
        }
        expect(got).toEqual(texts);
      }
      // Whoever comes back names the last event they have, and gets the others.
      const [, second] = (await read(owner, topic.id, "?limit=2")).messages;
      const back = await w.events(owner, path, { "last-event-id": second?.id ?? "" });
      const missed = shapes.chatMessage.parse((await back.next("message"))?.data);
      expect(missed.message).toBe("three");
      for (const stream of [...streams, back]) await stream.close();
    },
    "disconnect: removed from presence, a leave is published": async () => {
      const { topic, owner, member } = await w.place();
      const path = `/api/topics/${topic.id}/chat/subscribe`;
      const stays = await w.events(owner, path);
      const goes = await w.events(member, path);
      await goes.next("presence");
      await goes.close();
      for (;;) {
        const { type, userId } = shapes.chatMessage.parse((await stays.next("message"))?.data);
        if (type === "leave") {
          expect(userId).toBe(member.userId);
          break;
        }
      }
      const presence = await w.ok(
        200,
        shapes.presence,
        owner,
        "GET",
        `/api/topics/${topic.id}/chat/presence`,
      );
      expect(presence.users.map(({ userId }) => userId)).toEqual([owner.userId]);
      await stays.close();
    },
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChatMessage } from "@/lib/contract";
import type { LiveSettings } from "@/lib/live/settings";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import {
  chatRoom,
  edit,
  FIRE,
  follow,
  forEverybody,
  hide,
  history,
  react,
  remove,
  say,
  shownBy,
} from "./testing";

/** Two processes on one database. No polling: what one learns of the other comes by signals. */
let here: Harness;
let there: Harness;
const live = { graceMs: 100, stateMs: 10, seenMs: 50, lookMs: 3_600_000 };
beforeAll(async () => {
  [here, there] = await twoProcesses(live);
});
afterAll(async () => {
  await there.close();
  await here.close();
});

async function twoProcesses(settings: Partial<LiveSettings>): Promise<[Harness, Harness]> {
  const one = await createHarness({ live: settings });
  const database = { ...one.services.database, close: async () => undefined };
  return [one, await createHarness({ live: settings, database })];
}

type Stream = Awaited<ReturnType<typeof follow>>;
const until = (stream: Stream, condition: (newest: ChatMessage) => boolean) =>
  stream.until(() => stream.all("message_changed").some(condition));
const elsewhere = (user: TestUser, process = there): TestUser => ({
  ...user,
  api: process.clientFor(user.token),
});

describe("a change", () => {
  it("reaches every subscriber of every process, as what everybody may see", async () => {
    const { topicId, owner, member } = await chatRoom(here);
    const { id } = await say(member, topicId, "Some words.");
    const streams = [
      await follow(here, owner, topicId),
      await follow(here, member, topicId),
      await follow(there, member, topicId),
    ];
    const expected: Partial<ChatMessage>[] = [];
    const step = async (work: Promise<unknown>, then: Partial<ChatMessage>) => {
      await work;
      expected.push(then);
      const newest = (await history(member, topicId)).messages.find((message) => message.id === id);
      for (const stream of streams) await until(stream, ({ revision }) => revision === newest?.revision);
    };
    const words = { message: "Better." };
    await step(edit(elsewhere(member), id, "Better."), words);
    await step(react(owner, id), { ...words, reactions: [{ emoji: FIRE, count: 1 }] });
    await step(hide(elsewhere(owner), id), { isHidden: true, message: "", reactions: [] });
    await step(hide(owner, id, false), { ...words, isHidden: false });
    await step(remove(elsewhere(owner), id), { isDeleted: true, deletedBy: "admin", message: "" });
    for (const stream of streams) {
      expect(stream.all("message_changed")).toMatchObject(expected);
      expect(JSON.stringify(stream.all("message_changed"))).not.toContain("userReacted");
      await stream.close();
    }
  });

  it("of reactions comes in rounds: a few events for many, and the last has them all", async () => {
    const calmMs = 1_000;
    const [one, two] = await twoProcesses({ ...live, calmMs });
    const { topicId, owner, others } = await chatRoom(one, 12);
    const { id } = await say(owner, topicId, "Who comes?");
    const streams = [await follow(one, owner, topicId), await follow(two, owner, topicId)];
    const began = performance.now();
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(
        others.map((member, n) => react(n % 2 ? elsewhere(member, two) : member, id, round !== 1)),
      );
    }
    for (const stream of streams) {
      await until(stream, ({ reactions }) => reactions[0]?.count === others.length);
      const newest = (await history(owner, topicId)).messages.find((message) => message.id === id);
      await until(stream, ({ revision }) => revision === newest?.revision);
      // Of 36 changes, however long the machine took for them.
      const rounds = (performance.now() - began) / calmMs;
      expect(stream.all("message_changed").length).toBeLessThanOrEqual(Math.ceil(rounds) + 1);
      await stream.close();
    }
    await two.close();
    await one.close();
  });

  it("comes in the order of all messages and changes, also to who was away; several of one message come as the last", async () => {
    const { topicId, owner, member } = await chatRoom(here);
    const [first, second] = [await say(member, topicId, "1"), await say(member, topicId, "2")];
    await edit(member, first.id, "1a");
    const third = await say(owner, topicId, "3");
    await react(owner, second.id);
    await edit(member, first.id, "1b");
    const stream = await follow(here, owner, topicId, second.id);
    await stream.until(() => stream.all("message_changed").length === 2);
    const told = stream.received.flatMap(({ event, id, data }) =>
      event === "presence" ? [] : [[event, id, Object(data).id]],
    );
    expect(told.slice(0, 3)).toEqual([
      ["message", third.id, third.id],
      ["message_changed", "c5", second.id],
      ["message_changed", "c6", first.id],
    ]);
    // From the first change on; and from one that a later change of its message replaced.
    for (const [from, left] of [
      ["c5", 1],
      ["c3", 2],
    ] as const) {
      const again = await follow(here, owner, topicId, from);
      await again.until(() => again.all("message_changed").length === left);
      expect(again.all("reset")).toEqual([]);
      expect(again.all("message_changed").at(-1)).toMatchObject({ id: first.id, message: "1b" });
      await again.close();
    }
    await stream.close();
  });

  it("of a position that the chat has not reached is unknown, and so is what has another form", async () => {
    const { topicId, owner, member } = await chatRoom(here);
    await say(member, topicId, "1");
    for (const id of ["c99", "c", "c1x", "c-1", "c9999999999999999"]) {
      const stream = await follow(here, owner, topicId, id);
      expect((await stream.next()).event).toBe("presence");
      expect((await stream.next()).event).toBe("reset");
      await stream.close();
    }
  });

  it("takes a text back also from those who reconnect at once", async () => {
    for (const takeBack of [
      (author: TestUser, _: TestUser, id: string) => edit(author, id, "never mind"),
      (author: TestUser, _: TestUser, id: string) => remove(author, id),
      (_: TestUser, owner: TestUser, id: string) => hide(owner, id),
    ]) {
      const { topicId, owner, member } = await chatRoom(here);
      const before = await say(owner, topicId, "before");
      // It keeps the room, and what it has in memory.
      const watching = await follow(here, owner, topicId);
      const { id } = await say(member, topicId, "a secret");
      const reply = await say(owner, topicId, "No.", id);
      await watching.until(() => watching.all("message").some((message) => message.id === reply.id));
      await takeBack(member, owner, id);
      await until(watching, (message) => message.id === id);
      const back = await follow(here, owner, topicId, before.id);
      await until(back, (message) => message.id === id);
      expect(back.all("message").map((message) => message.id)).toEqual(
        expect.arrayContaining([id, reply.id]),
      );
      expect(JSON.stringify(back.received)).not.toContain("secret");
      for (const stream of [watching, back]) await stream.close();
    }
  });
});

describe("who reconnects again and again", () => {
  it("has in the end what the history has, whatever changed meanwhile and whichever process wrote it", async () => {
    const { topicId, owner, others } = await chatRoom(here, 3);
    const [ada, bela, reader] = others;
    if (!ada || !bela || !reader) return expect.fail();
    const ids: { id: string; by: TestUser }[] = [];
    const write = async (text: string, by: TestUser) =>
      ids.push({ id: (await say(by, topicId, text)).id, by });
    for (let i = 0; i < 20; i += 1) await write(`seed ${i}`, i % 2 === 0 ? ada : bela);
    const read = (await history(reader, topicId)).messages;

    let isOver = false;
    const writers = [ada, elsewhere(bela)].map(async (writer, which) => {
      for (let i = 0; i < 60; i += 1) {
        const own = ids.filter(({ by }) => by.userId === writer.userId);
        const mine = own[Math.floor(Math.random() * own.length)]?.id ?? "";
        const any = ids[Math.floor(Math.random() * ids.length)]?.id ?? "";
        const acts = [
          () => write(`new ${which} ${i}`, writer),
          () => edit(writer, mine, `edit ${which} ${i}`),
          () => react(writer, any, i % 3 !== 0),
          () => hide(owner, any, i % 2 === 0),
          () => remove(writer, mine),
        ];
        // What was deleted or hidden meanwhile is refused.
        await acts[[0, 1, 1, 2, 2, 2, 3, 4][i % 8] ?? 0]?.().catch(() => undefined);
      }
    });
    const finished = Promise.all(writers).then(async () => {
      isOver = true;
      await say(owner, topicId, "the end");
    });

    const streams: Stream[] = [];
    let lastEventId: string | undefined = read[0]?.id;
    const isEnd = (stream: Stream) => stream.all("message").some(({ message }) => message === "the end");
    for (let visit = 0; ; visit += 1) {
      const stream = await follow(visit % 2 === 0 ? here : there, reader, topicId, lastEventId);
      streams.push(stream);
      const enough = 2 + Math.floor(Math.random() * 5);
      await stream.until((received) => isEnd(stream) || (!isOver && received.length >= enough));
      await stream.close();
      lastEventId = stream.lastEventId ?? lastEventId;
      if (isEnd(stream)) break;
    }
    await finished;
    expect(streams.length).toBeGreaterThan(3);
    expect(streams.flatMap((stream) => stream.all("reset"))).toEqual([]);
    const shown = shownBy(forEverybody(read), streams);
    const { messages } = await history(reader, topicId, { limit: 500 });
    const said = messages.filter(({ type }) => type === "message");
    expect(said.some(({ isDeleted }) => isDeleted)).toBe(true);
    expect(said.some(({ editedAt }) => editedAt !== null)).toBe(true);
    expect(said.map(({ id }) => shown.get(id))).toEqual(forEverybody(said));
  });
});

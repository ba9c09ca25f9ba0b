import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHarness, type Harness } from "@/lib/testing/harness";
import { chatRoom, follow, history, presence, say } from "./testing";

/** Two processes on one database, which signal each other through the back end. */
let here: Harness;
let there: Harness;
// No polling: what one process learns of the other comes by signals.
const live = { graceMs: 100, stateMs: 10, seenMs: 50, lookMs: 3_600_000 };
beforeAll(async () => {
  here = await createHarness({ live });
  const { database } = here.services;
  there = await createHarness({ live, database: { ...database, close: async () => undefined } });
});
afterAll(async () => {
  await there.close();
  await here.close();
});

const named = ({ users }: { readonly users: readonly { readonly userId: string }[] }) =>
  users.map(({ userId }) => userId);

describe("two processes", () => {
  it("send the same messages in the same order, whichever process received them", async () => {
    const { topicId, owner, member } = await chatRoom(here);
    const streams = [await follow(here, owner, topicId), await follow(there, member, topicId)];
    const others = there.clientFor(member.token);
    const sent = Array.from({ length: 40 }, (_, i) =>
      say(i % 2 === 0 ? owner : { ...member, api: others }, topicId, String(i)),
    );
    const said = await Promise.all(sent);
    const order = said.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1)).map(({ id }) => id);
    for (const stream of streams) {
      const messages = () => stream.all("message").filter(({ type }) => type === "message");
      await stream.until(() => messages().length === 40);
      expect(messages().map(({ id }) => id)).toEqual(order);
      await stream.close();
    }
  });

  it("know each other's users: a user in both is present once, and leaves with the last connection", async () => {
    const { topicId, owner, member } = await chatRoom(here);
    const mine = await follow(here, owner, topicId);
    const [a, b] = [await follow(here, member, topicId), await follow(there, member, topicId)];
    const both = String([owner.userId, member.userId]);
    await mine.until(() => String(named(mine.all("presence").at(-1) ?? { users: [] })) === both);
    expect(named(await presence(owner, topicId))).toEqual([owner.userId, member.userId]);
    await a.close();
    await b.close();
    await mine.until(() => mine.all("presence").at(-1)?.count === 1);
    const types = (await history(owner, topicId)).messages.map(({ type }) => type);
    expect(types.toReversed()).toEqual(["join", "join", "leave"]);
    await mine.close();
  });
});

describe("a process that dies", () => {
  it("leaves no users behind: the others announce once that they left, except those who reconnected", async () => {
    const { topicId, owner, others } = await chatRoom(here, 2);
    const [gone, back] = others;
    if (!gone || !back) return expect.fail();
    const third = await createHarness({
      live: { ...live, seenMs: 3_600_000 },
      database: { ...here.services.database, close: async () => undefined },
    });
    const watching = [await follow(here, owner, topicId), await follow(there, owner, topicId)];
    const lost = [await follow(third, gone, topicId), await follow(third, back, topicId)];
    const again = await follow(there, back, topicId);
    for (const stream of watching) await stream.until(() => stream.all("presence").at(-1)?.count === 3);
    // No heartbeat for twenty seconds.
    await sql`update live_processes set seen_at = seen_at - interval '21 seconds'
      where id in (select process_id from chat_connections where user_id = ${gone.userId})`.execute(here.db);
    for (const stream of watching) {
      await stream.until(() => stream.all("message").some(({ type }) => type === "leave"));
      await stream.until(() => stream.all("presence").at(-1)?.count === 2);
    }
    const left = (await history(owner, topicId)).messages.filter(({ type }) => type === "leave");
    expect(left).toMatchObject([{ userId: gone.userId }]);
    const rows = await here.db
      .selectFrom("chat_connections")
      .select("user_id")
      .where("topic_id", "=", topicId)
      .execute();
    expect(rows.map(({ user_id }) => user_id).toSorted()).toEqual(
      [owner.userId, owner.userId, back.userId].toSorted(),
    );
    for (const stream of [...watching, ...lost, again]) await stream.close();
    await third.close();
  });

  it("and was only slow has its users again", async () => {
    const { topicId, owner } = await chatRoom(here);
    const stream = await follow(here, owner, topicId);
    await stream.next("presence");
    // What others do with a process that they consider dead.
    await here.db.deleteFrom("live_processes").execute();
    await expect.poll(async () => named(await presence(owner, topicId))).toEqual([owner.userId]);
    await stream.close();
  });
});

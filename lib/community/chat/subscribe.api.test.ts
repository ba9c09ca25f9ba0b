import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { refusalOf, signIn } from "../testing";
import { chatRoom, follow, history, presence, say } from "./testing";

let h: Harness;
beforeAll(async () => {
  h = await createHarness({ live: { graceMs: 200, stateMs: 10 } });
});
afterAll(() => h.close());

const text = ({ data }: { readonly data: { readonly message: string } }) => data.message;
const ids = (users: readonly { readonly userId: string }[]) => users.map(({ userId }) => userId);

/** Waits until the presence a stream heard of last is this. */
async function heard(stream: Awaited<ReturnType<typeof follow>>, users: readonly TestUser[]) {
  await stream.until(() => {
    const last = stream.all("presence").at(-1);
    return last !== undefined && String(ids(last.users)) === String(ids(users));
  });
}

describe("a stream", () => {
  it("begins with a retry hint and the presence list, then sends messages in order", async () => {
    const { topicId, owner, member } = await chatRoom(h);
    const stream = await follow(h, owner, topicId);
    expect((await stream.next()).data).toMatchObject({ users: [{ userId: owner.userId }], count: 1 });
    expect(stream.retry).toBeGreaterThanOrEqual(1000);
    const said = [];
    for (const words of ["one", "two", "three"]) said.push(await say(member, topicId, words));
    await stream.until(() => stream.all("message").length === 4);
    // A message is the same in the stream as in the history, and its event's id is its own.
    expect(stream.all("message").slice(1)).toEqual(said);
    const events = stream.received.filter(({ event }) => event === "message");
    expect(events.map(({ id }) => id)).toEqual(stream.all("message").map(({ id }) => id));
    await stream.close();
  });

  it("sends nothing of other topics", async () => {
    const [here, there] = [await chatRoom(h), await chatRoom(h)];
    const stream = await follow(h, here.owner, here.topicId);
    await say(there.owner, there.topicId, "elsewhere");
    await say(here.member, here.topicId, "here");
    await stream.next("message");
    expect(text(await stream.next("message"))).toBe("here");
    await stream.close();
  });

  it("that reconnects gets presence, then what it missed, and nothing twice", async () => {
    const { topicId, owner, member } = await chatRoom(h);
    const said = [];
    for (let i = 0; i < 230; i += 1) said.push(await say(member, topicId, String(i)));
    for (const from of [0, 100, 128, 129, 130, 228, 229]) {
      const stream = await follow(h, owner, topicId, said[from]?.id);
      expect((await stream.next()).event).toBe("presence");
      const last = await say(member, topicId, "last");
      await stream.until(() => stream.all("message").some(({ id }) => id === last.id));
      const got = stream.all("message").filter(({ type }) => type === "message");
      said.push(last);
      expect(got).toEqual(said.slice(from + 1));
      await stream.close();
    }
  });

  it("that reconnects with an unknown id is reset", async () => {
    const { topicId, owner, member } = await chatRoom(h);
    const elsewhere = await chatRoom(h);
    const foreign = await say(elsewhere.owner, elsewhere.topicId, "x");
    await say(member, topicId, "before");
    for (const id of [randomUUID(), foreign.id, "no id at all"]) {
      const stream = await follow(h, owner, topicId, id);
      expect((await stream.next()).event).toBe("presence");
      expect((await stream.next()).event).toBe("reset");
      const { message } = await say(member, topicId, "after");
      await stream.until(() => stream.all("message").some((one) => one.message === message));
      expect(stream.all("message").map((one) => one.message)).not.toContain("before");
      await stream.close();
    }
  });

  it("is pinged", async () => {
    const quick = await createHarness({ live: { pingMs: 1_000 } });
    const { topicId, owner } = await chatRoom(quick);
    const stream = await follow(quick, owner, topicId);
    await stream.next("ping");
    await stream.next("ping");
    // A server that stops ends it, with a hint when to reconnect.
    await quick.close();
    await stream.end();
    expect(stream.retry).toBeGreaterThanOrEqual(1000);
  });
});

describe("a stream is refused", () => {
  it("403 to outsiders, 404 where there is no topic, 401 to guests", async () => {
    const { topicId } = await chatRoom(h);
    const outsider = await signIn(h);
    await expect(follow(h, outsider, topicId)).rejects.toThrow(/403.*not_a_member/);
    await expect(follow(h, outsider, randomUUID())).rejects.toThrow(/404.*topic_not_found/);
    await expect(follow(h, { token: "" }, topicId)).rejects.toThrow(/401/);
    expect(await refusalOf(presence(outsider, topicId))).toMatchObject({ code: "not_a_member" });
  });

  it("429 to a user with too many, until one of them ends", async () => {
    const limited = await createHarness({ live: { streamsPerUser: 3 } });
    const { topicId, owner, member } = await chatRoom(limited);
    const streams = [];
    for (let i = 0; i < 3; i += 1) streams.push(await follow(limited, owner, topicId));
    await expect(follow(limited, owner, topicId)).rejects.toThrow(/429.*too_many_streams/);
    await (await follow(limited, member, topicId)).close();
    await streams[0]?.close();
    // The server learns of it when the connection closes.
    const opens = () => follow(limited, owner, topicId).then(Boolean, () => false);
    await expect.poll(opens).toBe(true);
    await limited.close();
  });
});

describe("a stream ends", () => {
  it("when its reader is removed from the topic, and the others' go on", async () => {
    const { topicId, owner, member } = await chatRoom(h);
    const [mine, theirs] = [await follow(h, owner, topicId), await follow(h, member, topicId)];
    await theirs.next("presence");
    await owner.api.call(contract.members.remove, { topicId, userId: member.userId });
    await theirs.end();
    await heard(mine, [owner]);
    await say(owner, topicId, "still here");
    await mine.until(() => mine.all("message").some(({ message }) => message === "still here"));
    expect(theirs.all("message").map(({ message }) => message)).not.toContain("still here");
    await mine.close();
  });

  it("and its reader leaves at once, without the grace period of a reconnect", async () => {
    const patient = await createHarness({ live: { graceMs: 3_600_000, stateMs: 10 } });
    const { topicId, owner, member } = await chatRoom(patient);
    const [mine, theirs] = [await follow(patient, owner, topicId), await follow(patient, member, topicId)];
    await heard(mine, [owner, member]);
    await owner.api.call(contract.members.remove, { topicId, userId: member.userId });
    await heard(mine, [owner]);
    await theirs.end();
    await patient.close();
  });

  it("when its session ends, though the user has others", async () => {
    const { topicId, owner } = await chatRoom(h);
    const again = await h.login(owner.nickname);
    const [here, there] = [await follow(h, owner, topicId), await follow(h, again, topicId)];
    await here.next("presence");
    await again.api.call(contract.auth.endOtherSessions, {});
    await here.end();
    await say(again, topicId, "goes on");
    await there.until(() => there.all("message").some(({ message }) => message === "goes on"));
    await there.close();
  });

  it("when its topic is deleted", async () => {
    const { topicId, owner, member } = await chatRoom(h);
    const stream = await follow(h, member, topicId);
    await say(member, topicId, "x");
    await owner.api.call(contract.topics.delete, { topicId });
    await stream.end();
    const { rows } = await sql<{ left: number }>`
      select (select count(*) from chat_messages where topic_id = ${topicId})
        + (select count(*) from chat_connections where topic_id = ${topicId}) as left`.execute(h.db);
    expect(rows).toEqual([{ left: 0 }]);
  });

  it("within a heartbeat without any signal", async () => {
    const quick = await createHarness({ live: { rightsMs: 50 } });
    const { topicId, owner, member, others } = await chatRoom(quick, 3);
    const [, second, third] = others;
    if (!second || !third) return expect.fail();
    const streams = [];
    for (const who of [member, second, third, owner]) streams.push(await follow(quick, who, topicId));
    await quick.db.deleteFrom("memberships").where("user_id", "=", member.userId).execute();
    await quick.db.deleteFrom("sessions").where("user_id", "=", second.userId).execute();
    await quick.db
      .updateTable("users")
      .set({ deleted_at: new Date() })
      .where("id", "=", third.userId)
      .execute();
    const [a, b, c, d] = streams;
    for (const stream of [a, b, c]) await stream?.end();
    expect(d?.ended).toBe(false);
    await quick.close();
  });
});

describe("presence", () => {
  it("names each user once, whatever they have open, and forgets them with their last stream", async () => {
    const { topicId, owner, member } = await chatRoom(h);
    const first = await follow(h, owner, topicId);
    const others = [await follow(h, member, topicId), await follow(h, member, topicId)];
    await heard(first, [owner, member]);
    expect(ids((await presence(member, topicId)).users)).toEqual(ids([owner, member]));
    await others[0]?.close();
    await others[1]?.close();
    await heard(first, [owner]);
    expect(await presence(owner, topicId)).toMatchObject({ count: 1 });
    const { messages } = await history(owner, topicId);
    const seen = messages.map(({ type, userId }) => [type, userId === member.userId ? "member" : "owner"]);
    expect(seen.toReversed()).toEqual([
      ["join", "owner"],
      ["join", "member"],
      ["leave", "member"],
    ]);
    await first.close();
  });

  it("does not announce a user who reconnects at once", async () => {
    const slow = await createHarness({ live: { graceMs: 1_000, stateMs: 10 } });
    const { topicId, owner, member } = await chatRoom(slow);
    const stream = await follow(slow, owner, topicId);
    const before = await follow(slow, member, topicId);
    await heard(stream, [owner, member]);
    await before.close();
    const after = await follow(slow, member, topicId);
    // The row of the closed connection is deleted later.
    const rows = async () =>
      (
        await slow.db
          .selectFrom("chat_connections")
          .select("id")
          .where("user_id", "=", member.userId)
          .execute()
      ).length;
    await expect.poll(rows).toBe(1);
    const types = (await history(owner, topicId)).messages.map(({ type }) => type);
    expect(types).toEqual(["join", "join"]);
    await after.close();
    await slow.close();
  });

  it("lists a hundred and counts all; then joins and leaves are not written", async () => {
    const { topicId, owner } = await chatRoom(h, 0);
    const process = { id: randomUUID(), seen_at: new Date() };
    await h.db.insertInto("live_processes").values(process).execute();
    await sql`with crowd as (
        insert into users (id, identity_hash, nickname, nickname_key, nickname_set)
        select 'crowd_' || n, 'crowd_' || n, 'crowd_' || n, 'crowd_' || n, true from generate_series(1, 120) n
        returning id
      ) insert into chat_connections (id, topic_id, user_id, process_id, connected_at)
      select gen_random_uuid(), ${topicId}::uuid, id, ${process.id}::uuid,
        now() - interval '1 hour' + substr(id, 7)::int * interval '1 second' from crowd`.execute(h.db);
    const stream = await follow(h, owner, topicId);
    const { data } = await stream.next("presence");
    expect(data.count).toBe(121);
    expect(ids(data.users)).toEqual(Array.from({ length: 100 }, (_, i) => `crowd_${i + 1}`));
    await stream.close();
    await expect.poll(async () => (await presence(owner, topicId)).count).toBe(120);
    expect(await history(owner, topicId)).toEqual({ messages: [], total: 0 });
  });
});

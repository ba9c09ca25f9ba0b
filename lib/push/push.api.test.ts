import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addTo, makePost, makeTopic, signIn } from "@/lib/community/testing";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { takeDue } from "./index";
import { pushEnv, startPushService } from "./testing/stub-push-service";

let service: Awaited<ReturnType<typeof startPushService>>;
let h: Harness;
let owner: TestUser;
let writer: TestUser;
let reader: TestUser;
let topicId: string;
let postId: string;
let clock = 0;
beforeAll(async () => {
  service = await startPushService();
  h = await createHarness({ env: pushEnv, web: service.web, now: () => new Date(Date.now() + clock) });
  owner = await signIn(h, "owner");
  writer = await signIn(h, "writer");
  topicId = (await makeTopic(owner)).id;
  await addTo(h.db, topicId, writer);
});
afterAll(async () => {
  await h.close();
  await service.close();
});
beforeEach(async () => {
  clock = 0;
  service.answer(() => ({ status: 201 }));
  service.received.length = 0;
  await h.db.deleteFrom("push_deliveries").execute();
  reader = await signIn(h, "reader");
  await addTo(h.db, topicId, reader);
  postId = (await makePost(reader, topicId, "A secret title")).id;
});

async function subscribe(user = reader) {
  const { path, ...body } = service.subscribe();
  const { subscription } = await user.api.call(contract.push.add, body);
  return { path, ...body, id: subscription.id };
}
const comment = (content = "Secret words") => writer.api.call(contract.comments.create, { postId, content });
const waiting = () => h.db.selectFrom("push_deliveries").selectAll().execute();
const minutes = (count: number) => count * 60_000;
/** Runs the regular sweep at a later time. */
async function sweepAt(later: number) {
  clock = later;
  h.services.push.wake();
  await h.idle();
}

describe("sending", () => {
  it("sends every browser of the reader what a lock screen may show, encrypted and signed", async () => {
    const [one, two] = [await subscribe(), await subscribe()];
    const { id } = (await comment(`Secret words @${owner.nickname}`)).comment;
    await h.idle();
    expect(service.failures).toEqual([]);
    expect(service.received.map(({ path }) => path).toSorted()).toEqual([one.path, two.path].toSorted());
    for (const { payload, headers } of service.received) {
      expect(payload).toEqual({
        kind: "reply",
        title: "Parley",
        body: "Someone replied to you.",
        url: `/posts/${postId}?comment=${id}`,
        tag: `reply:${postId}`,
      });
      expect(headers).toMatchObject({
        ttl: "86400",
        urgency: "normal",
        topic: expect.stringMatching(/^[\w-]{32}$/),
      });
      expect(headers["user-agent"]).toBe("Parley");
    }
    const [first, second] = service.received;
    expect(first?.headers.topic).not.toBe(second?.headers.topic);
    expect(await waiting()).toEqual([]);
  });

  it("makes every message as long, and gives replies to one post the same topic", async () => {
    await subscribe();
    await comment();
    await h.idle();
    await comment();
    await h.idle();
    const call = { topicId, userId: reader.userId, kind: "mute", reason: "r" } as const;
    await owner.api.call(contract.moderation.sanction, call);
    await h.idle();
    const [a, b, c] = service.received;
    expect([a?.length, b?.length, c?.length]).toEqual([512, 512, 512]);
    expect([a?.headers.topic === b?.headers.topic, b?.headers.topic === c?.headers.topic]).toEqual([
      true,
      false,
    ]);
    expect(c?.payload).toMatchObject({ kind: "member_muted", url: "/alerts" });
  });

  it("does not send what was read meanwhile, nor after a day, nor to a session that ran out", async () => {
    await subscribe();
    service.answer(() => ({ status: 503 }));
    await comment();
    await h.idle();
    const { notifications } = await reader.api.call(contract.notifications.list, {});
    await reader.api.call(contract.notifications.read, { ids: notifications.map(({ id }) => id) });
    await comment();
    await h.idle();
    expect(await waiting()).toHaveLength(2);
    const before = service.received.length;
    await h.db
      .updateTable("push_deliveries")
      .set({ next_at: new Date(0) })
      .execute();
    await sweepAt(minutes(2));
    expect(service.received.length - before).toBe(1);
    await sweepAt(minutes(24 * 60 + 1));
    expect(service.received.length - before).toBe(1);
    expect(await waiting()).toEqual([]);
    await comment();
    await h.idle();
    const sent = service.received.length;
    await h.db
      .updateTable("sessions")
      .set({ expires_at: new Date() })
      .where("user_id", "=", reader.userId)
      .execute();
    await sweepAt(minutes(24 * 60 + 5));
    expect([service.received.length - sent, await waiting()]).toEqual([0, []]);
  });

  it("tries again later and later, five times in less than a day, then gives up", async () => {
    await subscribe();
    service.answer(() => ({ status: 500 }));
    await comment();
    await h.idle();
    const tries: number[] = [];
    for (let at = 0; at < 24 * 60; at += 1) {
      const [row] = await waiting();
      if (!row) break;
      // When it is due, and not half a minute earlier: less may pass here between the two readings of the clock.
      const due = row.next_at.getTime() - Date.now();
      await sweepAt(due - 30_000);
      expect((await waiting())[0]?.attempts).toBe(row.attempts);
      await sweepAt(due + 1_000);
      tries.push(Math.round(due / 60_000));
    }
    expect(tries).toEqual([1, 11, 131, 1211]);
    expect(service.received).toHaveLength(5);
  });

  it("waits as long as the push service asks", async () => {
    await subscribe();
    service.answer(() => ({ status: 429, headers: { "retry-after": "3600" } }));
    await comment();
    await h.idle();
    const [row] = await waiting();
    expect(Math.round(((row?.next_at.getTime() ?? 0) - Date.now()) / 60_000)).toBe(60);
  });

  it.each([404, 410])("%s: forgets the subscription, and no other", async (status) => {
    const [gone, kept] = [await subscribe(), await subscribe()];
    service.answer((path) => ({ status: path === gone.path ? status : 201 }));
    await comment();
    await h.idle();
    const { subscriptions } = await reader.api.call(contract.push.get, {});
    expect(subscriptions.map(({ id }) => id)).toEqual([kept.id]);
    expect(await waiting()).toEqual([]);
  });

  it("loses nothing when a process dies while it sends: the lease ends, and another one sends it", async () => {
    await subscribe();
    service.answer(() => ({ status: 503 }));
    await comment();
    await h.idle();
    await h.db
      .updateTable("push_deliveries")
      .set({ next_at: new Date(0), attempts: 0 })
      .execute();
    service.answer(() => ({ status: 201 }));
    const taken = await Promise.all([takeDue(h.db, new Date(), 20), takeDue(h.db, new Date(), 20)]);
    expect(taken.flat()).toHaveLength(1);
    await sweepAt(minutes(1));
    expect(service.received).toHaveLength(1);
    await sweepAt(minutes(2) + 1_000);
    expect(service.received).toHaveLength(2);
    expect(await waiting()).toEqual([]);
  });

  it("sends nobody what waited for somebody else: a browser that another person uses now", async () => {
    const { path, id, ...body } = await subscribe();
    service.answer(() => ({ status: 503 }));
    await comment();
    await h.idle();
    const moved = await writer.api.call(contract.push.add, { endpoint: body.endpoint, keys: body.keys });
    expect(moved.subscription.id).toBe(id);
    expect((await reader.api.call(contract.push.get, {})).subscriptions).toEqual([]);
    service.answer(() => ({ status: 201 }));
    await sweepAt(minutes(2));
    expect(service.received.map((one) => one.path)).toEqual([path]);
    expect(await waiting()).toEqual([]);
    await writer.api.call(contract.push.remove, { id });
  });
});

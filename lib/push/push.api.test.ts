import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { addTo, makePost, makeTopic, refusalOf, signIn } from "@/lib/community/testing";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { takeDue } from "./outbox";
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
/** What the regular sweep does, at a later time. */
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
        body: "Somebody replied to you.",
        url: `/posts/${postId}#comment-${id}`,
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
      // Straight to when it is due, and not a minute before.
      const due = row.next_at.getTime() - Date.now();
      await sweepAt(due - 1_000);
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
});

describe("subscriptions", () => {
  it("200: the key, and the caller's browsers, latest first", async () => {
    const first = await subscribe();
    const again = await h.login(reader.nickname);
    const second = await subscribe(again);
    const answer = await reader.api.call(contract.push.get, {});
    expect(answer).toEqual({
      publicKey: pushEnv.VAPID_PUBLIC_KEY,
      subscriptions: [
        { id: second.id, label: expect.any(String), createdAt: expect.any(String), isCurrent: false },
        { id: first.id, label: expect.any(String), createdAt: expect.any(String), isCurrent: true },
      ],
    });
  });

  it("201: the same browser again, with another session or person, moves; what waited is not sent there", async () => {
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

  it("201: at most twenty of one user, also at once; the oldest go", async () => {
    const first = await subscribe();
    const others = await Promise.all(Array.from({ length: 24 }, () => subscribe()));
    const { subscriptions } = await reader.api.call(contract.push.get, {});
    expect(subscriptions).toHaveLength(20);
    const known = new Set(others.map(({ id }) => id));
    expect(subscriptions.every(({ id }) => known.has(id) && id !== first.id)).toBe(true);
  });

  it("ends with its session: logout, ending others, withdrawal", async () => {
    const left = async () =>
      (
        await h.db
          .selectFrom("push_subscriptions")
          .select("id")
          .where("user_id", "=", reader.userId)
          .execute()
      ).length;
    const second = await h.login(reader.nickname);
    const third = await h.login(reader.nickname);
    for (const user of [reader, second, third]) await subscribe(user);
    await second.api.call(contract.auth.logout, {});
    expect(await left()).toBe(2);
    await reader.api.call(contract.auth.endOtherSessions, {});
    expect(await left()).toBe(1);
    const { token } = await reader.api.call(contract.auth.refresh, {});
    expect(await left()).toBe(1);
    await h.clientFor(token).call(contract.profile.deleteAccount, {});
    expect(await left()).toBe(0);
  });

  it("200: removes by endpoint or id, and only the caller's own", async () => {
    const [one, two] = [await subscribe(), await subscribe()];
    const remove = (user: TestUser, body: { id?: string; endpoint?: string }) =>
      user.api.call(contract.push.remove, body);
    expect(await remove(writer, { id: one.id })).toEqual({ success: true, removed: 0 });
    expect(await remove(writer, { endpoint: one.endpoint })).toEqual({ success: true, removed: 0 });
    expect(await remove(reader, { id: one.id })).toEqual({ success: true, removed: 1 });
    expect(await remove(reader, { endpoint: two.endpoint })).toEqual({ success: true, removed: 1 });
    expect(await remove(reader, { id: randomUUID() })).toEqual({ success: true, removed: 0 });
  });

  it.each([
    ["https://127.0.0.1/x", "address_not_allowed"],
    ["https://[::1]/x", "address_not_allowed"],
    ["https://10.0.0.1/x", "address_not_allowed"],
    ["https://169.254.169.254/latest/meta-data", "address_not_allowed"],
    ["https://0x7f.1/x", "address_not_allowed"],
    ["https://localhost/x", "address_not_allowed"],
    ["https://push.example:8443/x", "address_not_allowed"],
    ["https://me:secret@push.example/x", "address_not_allowed"],
    ["http://push.example/x", "invalid_request"],
    ["ftp://push.example/x", "invalid_request"],
  ])("400: %s", async (endpoint, code) => {
    const { keys } = service.subscribe();
    expect(await refusalOf(reader.api.call(contract.push.add, { endpoint, keys }))).toMatchObject({
      status: 400,
      code,
      field: "endpoint",
    });
  });

  it("400: keys that are none", async () => {
    const { endpoint, keys } = service.subscribe();
    const offCurve = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]).toString("base64url");
    for (const [wrong, field] of [
      [{ ...keys, p256dh: offCurve }, "keys.p256dh"],
      [{ ...keys, p256dh: "short" }, "keys.p256dh"],
      [{ ...keys, auth: `${"A".repeat(23)}A` }, "keys.auth"],
    ] as const) {
      const call = reader.api.call(contract.push.add, { endpoint, keys: wrong });
      expect(await refusalOf(call)).toMatchObject({ status: 400, code: "invalid_request", field });
    }
  });

  it("503: an installation without keys, which has no key to show either", async () => {
    const plain = await createHarness();
    const user = await signIn(plain);
    expect((await user.api.call(contract.push.get, {})).publicKey).toBeNull();
    const { endpoint, keys } = service.subscribe();
    const call = user.api.call(contract.push.add, { endpoint, keys });
    expect(await refusalOf(call)).toMatchObject({ status: 503, code: "push_unavailable" });
    await plain.close();
  });
});

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { pushEnv, startPushService } from "@/lib/push/testing/stub-push-service";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { refusalOf, signIn } from "../testing";

let service: Awaited<ReturnType<typeof startPushService>>;
let h: Harness;
let writer: TestUser;
let reader: TestUser;
beforeAll(async () => {
  service = await startPushService();
  h = await createHarness({ env: pushEnv, web: service.web });
  writer = await signIn(h, "writer");
});
afterAll(async () => {
  await h.close();
  await service.close();
});
beforeEach(async () => {
  reader = await signIn(h, "reader");
});

async function subscribe(user = reader) {
  const { path, ...body } = service.subscribe();
  const { subscription } = await user.api.call(contract.push.add, body);
  return { ...body, id: subscription.id };
}

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

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Cache } from "@/lib/cache";
import { type OperationSpec, operations } from "@/lib/contract";
import { RateLimiter } from "@/lib/rate-limit";
import type { Services } from "@/lib/runtime/assemble";
import { withServices } from "@/lib/runtime/services";
import { createHarness, type Harness } from "@/lib/testing/harness";
import { dispatch } from "@/lib/testing/routes";
import { addressTag } from "./address";
import { openApiDocument } from "./openapi";

/** Every operation, over its route: its limit is the declared one. */
let h: Harness;
/** Requests counted so far, by key of the cache; a test sets them. */
const counters = new Map<string, number>();
let services: Services;
beforeAll(async () => {
  h = await createHarness({ env: { RATE_LIMITS: "on", TRUST_PROXY: "1" } });
  const { cache: own } = h.services;
  const cache: Cache = {
    get: (key) => own.get(key),
    set: (...entry) => own.set(...entry),
    delete: (key) => own.delete(key),
    publish: (...message) => own.publish(...message),
    subscribe: (...listener) => own.subscribe(...listener),
    close: () => own.close(),
    async increment(key) {
      const value = (counters.get(key) ?? 0) + 1;
      counters.set(key, value);
      return { value, expiresInSeconds: 17 };
    },
  };
  const limiter = new RateLimiter(cache);
  services = { ...h.services, cache, limiter, unknownLimiter: limiter };
});
afterAll(async () => await h.close());

let addresses = 0;
const freshAddress = () => `192.0.2.${++addresses % 250}, 10.0.0.${++addresses}`;

async function send(op: OperationSpec, address: string, token?: string): Promise<Response> {
  const path = op.path.replaceAll(/\{\w+\}/g, "11111111-1111-4111-8111-111111111111");
  const headers = new Headers({ "x-forwarded-for": address });
  if (token) headers.set("authorization", `Bearer ${token}`);
  const request = new Request(`http://localhost:3000${path}`, { method: op.method, headers });
  return await withServices(services, () => dispatch(request));
}

/** What nothing may be known of is counted by the address itself, in memory alone. */
async function addressKey(op: OperationSpec, address: string): Promise<string> {
  if (op.auth === "refused") return `rate:${op.id}:${address.split(", ")[1]}`;
  return `rate:${op.id}:ip:${await addressTag(new Headers({ "x-forwarded-for": address }), services)}`;
}

async function expectRefused(op: OperationSpec, response: Response): Promise<void> {
  expect(response.status).toBe(429);
  expect(await response.json()).toMatchObject({ code: "rate_limited" });
  const named = ["ratelimit-limit", "ratelimit-remaining", "ratelimit-reset", "retry-after"];
  expect(named.map((name) => response.headers.get(name))).toEqual([String(op.limit.points), "0", "17", "17"]);
}

describe.each(operations.map((op) => [op.id, op] as const))("%s", (_, op) => {
  it("lets as many requests of one address through as it declares", async () => {
    const address = freshAddress();
    counters.set(await addressKey(op, address), op.limit.points - 1);
    const last = await send(op, address);
    expect(last.status).not.toBe(429);
    expect(last.headers.get("ratelimit-remaining")).toBe("0");
    await expectRefused(op, await send(op, address));
    expect((await send(op, freshAddress())).status).not.toBe(429);
  });

  // Without a look at the session there is no user to count.
  if (op.auth !== "none" && op.auth !== "refused")
    it("counts a signed-in user, wherever from", async () => {
      const { token, userId } = await h.login();
      const key = `rate:${op.id}:user:${userId}`;
      counters.set(key, op.limit.points);
      // The process remembers for a second that a limit is exceeded.
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
      try {
        await expectRefused(op, await send(op, freshAddress(), token));
        await expectRefused(op, await send(op, freshAddress(), token));
      } finally {
        vi.useRealTimers();
      }
      expect(counters.get(key)).toBe(op.limit.points + 1);
    });

  it("says so in the OpenAPI document", () => {
    const { paths } = openApiDocument([op], "http://localhost:3000");
    expect(Object(paths)[op.path][op.method.toLowerCase()]).toMatchObject({
      "x-ratelimit": { points: op.limit.points, seconds: op.limit.seconds },
      responses: { 429: { headers: { "retry-after": {}, "ratelimit-limit": {} } } },
    });
  });
});

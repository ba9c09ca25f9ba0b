import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SITE_FACTOR } from "@/lib/rate-limit";
import { createDatabase, type Database } from "@/lib/sql/index";
import { emptyTemplate } from "@/lib/testing/empty";
import { ProverRefusal } from "../refusal";
import { clientKeys, Limits } from "./limits";

const options = { secret: Buffer.alloc(32, 1), trustedProxies: 0 };
const settings = { challenges: 3, attempts: 2, requests: 100 };

/** Asks through an app, as from a socket with this address. */
function asking(limits: Limits) {
  const app = new Hono();
  app.get("/price", async (c) => {
    await limits.challenge(c);
    return c.text("0.10");
  });
  app.get("/attempt", async (c) => {
    const attempt = await limits.attempts(c)();
    if (c.req.query("settles")) await attempt.settled();
    return c.text("tried");
  });
  app.onError((error, c) => c.text("", error instanceof ProverRefusal ? error.status : 500));
  return async (path: string, remoteAddress = "192.0.2.1") =>
    (await app.request(path, {}, { incoming: { socket: { remoteAddress } } })).status;
}

describe("limits in the database", () => {
  let database: Database<unknown>;
  beforeAll(async () => {
    database = await createDatabase({ url: "pglite:memory", template: await emptyTemplate() });
  });
  afterAll(async () => {
    await database.close().catch(() => undefined);
  });
  const open = () => Limits.inDatabase(settings, options, database.db);

  it("are one for all processes, and keep no address", async () => {
    const [one, other] = (await Promise.all([open(), open()])).map(asking);
    const statuses = [];
    for (let i = 0; i < 4; i += 1) statuses.push(await (i % 2 === 0 ? one : other)?.("/price"));
    expect(statuses).toEqual([200, 200, 200, 429]);
    expect(await other?.("/price", "192.0.2.2")).toBe(200);
    const rows = await database.pglite?.query("select key, points from rate_limit");
    expect(rows?.rows).toHaveLength(2);
    expect(JSON.stringify(rows?.rows)).not.toContain("192.0.2");
  });

  it("give back what settled", async () => {
    const ask = asking(await open());
    for (let i = 0; i < 5; i += 1) expect(await ask("/attempt?settles=1")).toBe(200);
    expect([await ask("/attempt"), await ask("/attempt"), await ask("/attempt")]).toEqual([200, 200, 429]);
  });

  it("are counted in the process while the database is away", async () => {
    const ask = asking(await open());
    await database.close();
    const statuses = [];
    for (let i = 0; i < 4; i += 1) statuses.push(await ask("/price", "192.0.2.3"));
    expect(statuses).toEqual([200, 200, 200, 429]);
  });
});

describe("the address of a client", () => {
  const addressOf = async (remoteAddress: string, forwarded: string | undefined, proxies: number) => {
    const app = new Hono().get("/", (c) => c.text(clientKeys(c, proxies).key));
    const headers = new Headers(forwarded === undefined ? {} : { "x-forwarded-for": forwarded });
    return await (await app.request("/", { headers }, { incoming: { socket: { remoteAddress } } })).text();
  };

  it("is the socket's, unless proxies of the operator are in front; then what the first of them saw", async () => {
    expect(await addressOf("192.0.2.1", "198.51.100.7", 0)).toBe("192.0.2.1");
    expect(await addressOf("192.0.2.1", "198.51.100.7", 1)).toBe("198.51.100.7");
    expect(await addressOf("192.0.2.1", "1.2.3.4, 198.51.100.7, 192.0.2.9", 2)).toBe("198.51.100.7");
    // A request that did not come through the proxies.
    expect(await addressOf("192.0.2.1", undefined, 2)).toBe("192.0.2.1");
    expect(await addressOf("::ffff:192.0.2.1", undefined, 0)).toBe("192.0.2.1");
  });
});

describe("addresses of one site", () => {
  it("payments F19: share a budget of their own, so that a /48 is not 65,536 budgets", async () => {
    const ask = asking(Limits.inMemory(settings, options));
    let answered = 0;
    for (let i = 0; i < 60; i += 1) {
      if ((await ask("/price", `2001:db8:1:${i.toString(16)}::1`)) === 200) answered += 1;
    }
    expect(answered).toBe(settings.challenges * SITE_FACTOR);
    expect(await ask("/price", "2001:db8:2::1")).toBe(200);
  });
});

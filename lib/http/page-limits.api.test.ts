import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { limitPage } from "./page-limits";

let h: Harness;
let ada: TestUser;
beforeAll(async () => {
  h = await createHarness({ env: { RATE_LIMITS: "on", TRUST_PROXY: "1" } });
  ada = await h.login("ada");
});
afterAll(() => h.close());

const ask = (path: string, address: string, more: Record<string, string> = {}) =>
  limitPage(
    new URL(path, "http://localhost"),
    new Headers({ "x-forwarded-for": address, ...more }),
    h.services,
  );
const as = (user: TestUser) => ({ cookie: `zk-community-session=${user.token}` });

/** Returns how many of these requests pass. */
async function passed(count: number, path: string, address: string, more?: Record<string, string>) {
  let through = 0;
  for (let i = 0; i < count; i += 1) if ((await ask(path, address, more)) === null) through += 1;
  return through;
}

describe("security F10: pages count like the API", () => {
  it("600 a minute for an address of guests, then a plain 429 that says when to come back", async () => {
    expect(await passed(605, "/", "192.0.2.1")).toBe(600);
    const refused = await ask("/topics", "192.0.2.1");
    expect(refused?.status).toBe(429);
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused?.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(refused?.headers.get("ratelimit-limit")).toBe("600");
    expect(await ask("/", "192.0.2.2")).toBeNull();
    // Prefetching has its own limit.
    expect(await ask("/", "192.0.2.1", { "next-router-prefetch": "1" })).toBeNull();
    // A member does not share the address's limit, and a forged token makes no one a member.
    expect(await ask("/", "192.0.2.1", as(ada))).toBeNull();
    const forged = { cookie: "zk-community-session=e30.e30.e30" };
    expect((await ask("/", "192.0.2.1", forged))?.status).toBe(429);
  });

  it("a search through its page is a search", async () => {
    const { points } = contract.search.all.limit;
    expect(await passed(points + 3, "/search?q=a", "192.0.2.3")).toBe(points);
    expect((await ask("/search", "192.0.2.3"))?.status).toBe(429);
  });

  it("a code tried at /invite and one tried at the API share a limit", async () => {
    const { points } = contract.topics.joinByInvite.limit;
    expect(await passed(points - 1, "/invite/AAAAAAAA", "192.0.2.4", as(ada))).toBe(points - 1);
    const join = () => h.send("POST", "/api/topics/join/AAAAAAAA", { token: ada.token, body: {} });
    expect((await join()).status).toBe(404);
    expect((await join()).status).toBe(429);
    expect((await ask("/invite/AAAAAAAA", "192.0.2.4", as(ada)))?.status).toBe(429);
    expect(await ask("/", "192.0.2.4", as(ada))).toBeNull();
  });

  it("a guest tries no more codes, at sign-in neither, which names the topic", async () => {
    const { points } = contract.topics.joinByInvite.limit;
    expect(await passed(points - 1, "/invite/AAAAAAAA", "192.0.2.5")).toBe(points - 1);
    const signIn = "/sign-in?again=1&next=%2Finvite%2FAAAAAAAA";
    expect(await ask(signIn, "192.0.2.5")).toBeNull();
    expect((await ask(signIn, "192.0.2.5"))?.status).toBe(429);
    for (const next of ["/%69nvite/AAAAAAAA", "/topics/../invite/AAAAAAAA"]) {
      expect((await ask(`/sign-in?next=${next}&next=/`, "192.0.2.5"))?.status).toBe(429);
    }
    expect(await ask("/sign-in?next=/topics", "192.0.2.5")).toBeNull();
  });
});

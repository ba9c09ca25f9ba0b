import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type SendOptions, type TestUser } from "@/lib/testing/harness";
import { refreshSession } from "./current";
import { createSessionTokens, sessionSeconds } from "./tokens";

const secret = new TextEncoder().encode("test session secret, long enough to be one");

let h: Harness;
let ada: TestUser;
beforeAll(async () => {
  h = await createHarness();
  ada = await h.login("ada");
});
afterAll(async () => await h.close());

const session = (sent: SendOptions) => h.send("GET", "/api/auth/session", sent);

describe("cookie and bearer", () => {
  it("are the same token", async () => {
    expect((await session({ token: ada.token })).body).toMatchObject({ userId: ada.userId, nickname: "ada" });
    expect((await session({ cookie: ada.token })).body).toMatchObject({
      userId: ada.userId,
      nickname: "ada",
    });
  });

  it("a bad bearer is 401 although the cookie is good", async () => {
    expect((await session({ token: "bad", cookie: ada.token })).status).toBe(401);
  });

  it("an empty Authorization header is 401 although the cookie is good", async () => {
    expect((await session({ headers: { authorization: "" }, cookie: ada.token })).status).toBe(401);
  });

  it("a good bearer wins over another user's cookie", async () => {
    const bob = await h.login("bob");
    expect((await session({ token: bob.token, cookie: ada.token })).body).toMatchObject({
      userId: bob.userId,
    });
  });

  it("a bad token is 401 on paths guests may read", async () => {
    for (const path of ["/api/topics?view=all", "/api/feed", "/api/categories"]) {
      expect((await h.send("GET", path, { token: "bad" })).status, path).toBe(401);
      expect((await h.send("GET", path)).status, path).toBe(200);
    }
  });

  it("signing in works with a dead cookie still in the browser", async () => {
    expect((await h.send("POST", "/api/auth/dev-login", { cookie: "dead", body: {} })).status).toBe(200);
  });

  it("the cookie is httpOnly, Lax, for the whole site, seven days; Secure where the site is https", async () => {
    const plain = await h.send("POST", "/api/auth/dev-login", { body: {} });
    expect(plain.headers.get("set-cookie")).toMatch(
      /^zk-community-session=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=604800$/,
    );
    const { services } = h.services.deployment;
    const secure = await createHarness({
      deployment: { services: { ...services, appUrl: "https://parley.example" } },
    });
    const answer = await secure.send("POST", "/api/auth/dev-login", { body: {} });
    expect(answer.headers.get("set-cookie")).toContain("; Secure;");
    await secure.close();
  });
});

describe("a guest", () => {
  it("has no session, with 200", async () => {
    expect(await session({})).toMatchObject({ status: 200, body: { authenticated: false } });
  });
  it("cannot refresh", async () => {
    expect((await h.send("POST", "/api/auth/refresh")).body).toMatchObject({ code: "not_authenticated" });
  });
  it("may log out: the cookie goes, nothing else happens", async () => {
    const answer = await h.send("POST", "/api/auth/logout");
    expect(answer.body).toEqual({ success: true });
    expect(answer.headers.get("set-cookie")).toMatch(/Max-Age=0/);
  });
});

describe("ending and renewing", () => {
  it("logout ends the token everywhere, as cookie and as bearer, and other sessions go on", async () => {
    const first = await h.login("cleo");
    const second = await h.login("cleo");
    expect((await h.send("POST", "/api/auth/logout", { token: first.token })).status).toBe(200);
    expect((await session({ token: first.token })).status).toBe(401);
    expect((await session({ cookie: first.token })).status).toBe(401);
    expect((await session({ token: second.token })).status).toBe(200);
  });

  it("refresh gives a fresh token for the old one, which ends; verifiedAt stays", async () => {
    const dan = await h.login("dan");
    const before = (await session({ token: dan.token })).body;
    const renewed = await dan.api.call(contract.auth.refresh, {});
    expect(Date.parse(renewed.expiresAt)).toBeGreaterThan(Date.now() + (sessionSeconds - 60) * 1000);
    expect((await session({ token: renewed.token })).body).toEqual(before);
    expect((await session({ token: dan.token })).status).toBe(401);
  });

  it("of 100 parallel refreshes one gets a token: a token must not multiply", async () => {
    const eve = await h.login("eve");
    // All past the check of the token already, which over HTTP happens to let one through at a time.
    const ctx = await h.memberContext(eve.token);
    const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => refreshSession(ctx)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => h.send("POST", "/api/auth/refresh", { token: eve.token })),
    );
    expect(answers.every(({ status, headers }) => status === 401 && !headers.has("set-cookie"))).toBe(true);
  });

  it("a request that was on its way with the old token does not take the new one from its browser", async () => {
    const cyd = await h.login("cyd");
    const renewed = await cyd.api.call(contract.auth.refresh, {});
    const late = await session({ cookie: cyd.token });
    expect([late.status, late.headers.has("set-cookie")]).toEqual([401, false]);
    // A browser that never got the new one is rid of the old one after a minute.
    const longAgo = new Date(Date.now() - 61_000);
    await h.db
      .updateTable("sessions")
      .set({ renewed_at: longAgo })
      .where("user_id", "=", cyd.userId)
      .execute();
    expect((await session({ cookie: cyd.token })).headers.get("set-cookie")).toMatch(/Max-Age=0/);
    // Once the session is over, so is every token it ever had.
    await h.clientFor(renewed.token).call(contract.auth.logout, {});
    for (const cookie of [cyd.token, renewed.token]) {
      const ended = await session({ cookie });
      expect(ended.status).toBe(401);
      expect(ended.headers.get("set-cookie")).toMatch(/^zk-community-session=;.*Max-Age=0/);
    }
  });

  it("a token of a user who is gone is 401", async () => {
    const gus = await h.login("gus");
    await h.db.updateTable("users").set({ deleted_at: new Date() }).where("id", "=", gus.userId).execute();
    expect((await session({ token: gus.token })).status).toBe(401);
  });

  it("tokens end after seven days, by the server's clock", async () => {
    let offset = 0;
    const tokens = createSessionTokens({
      secret,
      audience: "zk-community",
      now: () => new Date(Date.now() + offset),
    });
    const { token } = await tokens.issue({ userId: "u", nickname: "n", verifiedAt: 0 });
    offset = (sessionSeconds - 5) * 1000;
    expect(await tokens.read(token)).not.toBeNull();
    offset = (sessionSeconds + 5) * 1000;
    expect(await tokens.read(token)).toBeNull();
  });

  it("global admins come from ADMIN_USER_IDS, not from the token", async () => {
    const plain = await h.login("hal");
    expect((await session({ token: plain.token })).body).not.toHaveProperty("role");
    const again = await createHarness({
      env: { ADMIN_USER_IDS: `x, ${plain.userId}` },
      database: h.services.database,
    });
    expect((await again.send("GET", "/api/auth/session", { token: plain.token })).body).toMatchObject({
      role: "admin",
    });
    const other = await h.login("hannah");
    expect((await again.send("GET", "/api/auth/session", { token: other.token })).body).not.toHaveProperty(
      "role",
    );
  });
});

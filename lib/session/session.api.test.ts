import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type SendOptions, type TestUser } from "@/lib/testing/harness";
import { refreshSession } from "./sessions";
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

  it("refresh gives a fresh token for the old one, which ends within a minute; verifiedAt stays", async () => {
    const dan = await h.login("dan");
    const before = (await session({ token: dan.token })).body;
    const renewed = await dan.api.call(contract.auth.refresh, {});
    expect(Date.parse(renewed.expiresAt)).toBeGreaterThan(Date.now() + (sessionSeconds - 60) * 1000);
    expect((await session({ token: renewed.token })).body).toEqual(before);
    expect((await session({ token: dan.token })).body).toEqual(before);
    await h.minuteAfterRenewal(dan.userId);
    expect((await session({ token: renewed.token })).body).toEqual(before);
    const late = await session({ cookie: dan.token });
    expect([late.status, late.headers.get("set-cookie")]).toEqual([401, expect.stringMatching(/Max-Age=0/)]);
    await expect(dan.api.call(contract.auth.refresh, {})).rejects.toMatchObject({ status: 401 });
  });

  it("newcomers A7: 100 parallel refreshes of one token get one and the same new token", async () => {
    const eve = await h.login("eve");
    // All are past the token check, which HTTP happens to let through one at a time.
    const ctx = await h.memberContext(eve.token);
    const answers = await Promise.all(Array.from({ length: 100 }, () => refreshSession(ctx)));
    const later = await Promise.all(
      Array.from({ length: 20 }, () => h.send("POST", "/api/auth/refresh", { token: eve.token })),
    );
    const tokens = new Set([...answers, ...later.map(({ body }) => Object(body))].map(({ token }) => token));
    expect([...tokens]).toEqual([expect.stringMatching(/^ey/)]);
    expect(
      await h.db.selectFrom("sessions").select("id").where("user_id", "=", eve.userId).execute(),
    ).toHaveLength(1);
  });

  it("newcomers A7: a token two renewals back answers nothing, within the minute too", async () => {
    const fin = await h.login("fin");
    const second = await fin.api.call(contract.auth.refresh, {});
    await h.clientFor(second.token).call(contract.auth.refresh, {});
    await expect(fin.api.call(contract.auth.refresh, {})).rejects.toMatchObject({ status: 401 });
  });

  it.each(["old", "new"] as const)("newcomers A7: logout with the %s token ends both", async (which) => {
    const cyd = await h.login("cyd");
    const { token } = await cyd.api.call(contract.auth.refresh, {});
    await h.send("POST", "/api/auth/logout", { cookie: which === "old" ? cyd.token : token });
    for (const cookie of [cyd.token, token]) {
      const ended = await session({ cookie });
      expect(ended.status).toBe(401);
      expect(ended.headers.get("set-cookie")).toMatch(/^zk-community-session=;.*Max-Age=0/);
    }
  });

  it("security F19: a refresh by cookie returns no bearer token", async () => {
    const ida = await h.login("ida");
    const answer = await h.send("POST", "/api/auth/refresh", { cookie: ida.token });
    expect(answer.body).toEqual({ userId: ida.userId, nickname: "ida", expiresAt: expect.any(String) });
    const cookie = /^zk-community-session=(ey[^;]+);/.exec(answer.headers.get("set-cookie") ?? "")?.[1] ?? "";
    expect((await session({ cookie })).body).toMatchObject({ nickname: "ida" });
  });

  it("security F17: renewed or not, a session ends 30 days after its proof", async () => {
    let offset = 0;
    const clock = await createHarness({
      database: h.services.database,
      now: () => new Date(Date.now() + offset),
    });
    const day = 24 * 3_600_000;
    let { token }: { token?: string | undefined } = await clock.login("joy");
    for (const days of [6, 12, 18, 24, 29.5]) {
      offset = days * day;
      ({ token } = await clock.clientFor(token).call(contract.auth.refresh, {}));
    }
    offset = 29.9 * day;
    expect((await clock.send("GET", "/api/auth/session", { token })).status).toBe(200);
    offset = 30.1 * day;
    expect((await clock.send("GET", "/api/auth/session", { token })).status).toBe(401);
  });

  it("a token of a user who is gone is 401", async () => {
    const gus = await h.login("gus");
    await h.db.updateTable("users").set({ deleted_at: new Date() }).where("id", "=", gus.userId).execute();
    expect((await session({ token: gus.token })).status).toBe(401);
  });

  it("tokens end after seven days, by the server's clock", async () => {
    let offset = 0;
    const tokens = createSessionTokens({
      secrets: [secret],
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

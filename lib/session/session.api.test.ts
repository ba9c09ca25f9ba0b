import { createHmac, generateKeyPairSync } from "node:crypto";
import { SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type SendOptions, type TestUser } from "@/lib/testing/harness";
import { refreshSession } from "./current";
import { createSessionTokens, sessionSeconds } from "./tokens";

const secret = new TextEncoder().encode("test session secret, long enough to be one");
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });

let h: Harness;
let ada: TestUser;
beforeAll(async () => {
  h = await createHarness();
  ada = await h.login("ada");
});
afterAll(async () => await h.close());

const session = (sent: SendOptions) => h.send("GET", "/api/auth/session", sent);

/** A token that is right in everything but what a test changes. */
function forge(claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}) {
  const now = Math.floor(Date.now() / 1000);
  return new SignJWT({
    userId: ada.userId,
    nickname: "ada",
    verifiedAt: Date.now(),
    iss: "parley",
    aud: "zk-community",
    jti: "forged-token-id",
    iat: now,
    exp: now + 60,
    ...claims,
  }).setProtectedHeader({ alg: "HS256", typ: "session+jwt", ...header });
}

function base64url(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

describe("tokens that are not sessions are 401, as bearer and as cookie", () => {
  const now = () => Math.floor(Date.now() / 1000);
  const cases: Record<string, () => string | Promise<string>> = {
    "no token at all": () => "",
    words: () => "let-me-in",
    "two dots and nothing": () => "..",
    "a header that is no JSON": () => `${Buffer.from("{").toString("base64url")}.e30.AAAA`,
    "alg none, unsigned": () =>
      new UnsecuredJWT({ userId: ada.userId, nickname: "ada", verifiedAt: 1 })
        .setIssuer("parley")
        .setAudience("zk-community")
        .setJti("x")
        .setIssuedAt()
        .setExpirationTime("1h")
        .encode(),
    "alg none over a good signature": async () => {
      const [, payload, signature] = (await forge().sign(secret)).split(".");
      return `${base64url({ alg: "none", typ: "session+jwt" })}.${payload}.${signature}`;
    },
    "alg nOnE": async () => {
      const [, payload] = (await forge().sign(secret)).split(".");
      return `${base64url({ alg: "nOnE", typ: "session+jwt" })}.${payload}.`;
    },
    "HS384 with our secret": () => forge({}, { alg: "HS384" }).sign(secret),
    "HS512 with our secret": () => forge({}, { alg: "HS512" }).sign(secret),
    "RS256 with somebody's key": () => forge({}, { alg: "RS256" }).sign(rsa.privateKey),
    "HS256 with an RSA public key as secret (key confusion)": () =>
      forge().sign(Buffer.from(rsa.publicKey.export({ type: "spki", format: "pem" }))),
    "HS256 with another secret": () => forge().sign(new TextEncoder().encode("x".repeat(42))),
    "HS256 with the user id secret": () =>
      forge().sign(new TextEncoder().encode("test user id secret, which is another one")),
    "typ JWT": () => forge({}, { typ: "JWT" }).sign(secret),
    "no typ": () => forge({}, { typ: undefined }).sign(secret),
    "another issuer": () => forge({ iss: "somebody" }).sign(secret),
    "another community": () => forge({ aud: "another-community" }).sign(secret),
    expired: () => forge({ iat: now() - 100, exp: now() - 1 }).sign(secret),
    "no expiry": () => forge({ exp: undefined }).sign(secret),
    "no id": () => forge({ jti: undefined }).sign(secret),
    "no issue time": () => forge({ iat: undefined }).sign(secret),
    "not yet valid": () => forge({ nbf: now() + 600 }).sign(secret),
    "no user": () => forge({ userId: undefined }).sign(secret),
    "an unknown user": () => forge({ userId: "u_00000000000000000000000000000000" }).sign(secret),
    "a user id that is no text": () => forge({ userId: { $ne: "" } }).sign(secret),
    "an unknown critical header": async () => {
      const [, payload] = (await forge().sign(secret)).split(".");
      const signed = `${base64url({ alg: "HS256", typ: "session+jwt", crit: ["x"], x: 1 })}.${payload}`;
      return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
    },
    "a changed payload": async () => {
      const [header, , signature] = ada.token.split(".");
      return `${header}.${base64url({ userId: "u_other" })}.${signature}`;
    },
    "a changed signature": () => `${ada.token.slice(0, -4)}AAAA`,
    "a cut signature": () => ada.token.split(".").slice(0, 2).join("."),
  };

  it.each(Object.entries(cases))("%s", async (name, make) => {
    const token = await make();
    expect(await session({ headers: { authorization: `Bearer ${token}` } })).toMatchObject({
      status: 401,
      body: { code: "not_authenticated" },
    });
    if (name === "no token at all") return;
    const answer = await session({ cookie: token });
    expect(answer.status).toBe(401);
    // Without this a browser could never read a guest page again: scripts cannot remove the cookie.
    expect(answer.headers.get("set-cookie")).toMatch(/^zk-community-session=;.*Max-Age=0/);
  });

  it("takes the same claims rightly signed, so each case above fails for its own reason", async () => {
    expect((await session({ token: await forge().sign(secret) })).status).toBe(200);
  });

  it.each(["Basic YWRhOmFkYQ==", "bearer", "Token x", "Bearer a b", `Bearer ${"x".repeat(4097)}`])(
    "an Authorization header that is no bearer token is 401, not a guest: %s",
    async (authorization) => {
      expect((await session({ headers: { authorization } })).status).toBe(401);
    },
  );
});

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
    expect((await session({ token: await forge({ role: "admin" }).sign(secret) })).body).not.toHaveProperty(
      "role",
    );
    const admins = await createHarness({ env: { ADMIN_USER_IDS: "nobody" } });
    const root = await admins.login("root");
    const again = await createHarness({ env: { ADMIN_USER_IDS: `x, ${root.userId}` } });
    await again.db
      .insertInto("users")
      .values({
        id: root.userId,
        identity_hash: "r",
        nickname: "root",
        nickname_key: "root",
        nickname_set: true,
        profile_image: null,
        deleted_at: null,
      })
      .execute();
    expect((await again.send("GET", "/api/auth/session", { token: root.token })).body).toMatchObject({
      role: "admin",
    });
    await Promise.all([admins.close(), again.close()]);
  });
});

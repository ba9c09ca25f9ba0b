import { createHmac, generateKeyPairSync } from "node:crypto";
import { CompactEncrypt, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type SendOptions, type TestUser } from "@/lib/testing/harness";

/**
 * What must not pass for a session, as tables with one line per attack. The counts at the end keep a table from
 * shrinking unnoticed.
 */
const secret = new TextEncoder().encode("test session secret, long enough to be one");
const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 });

let h: Harness;
let ada: TestUser;
let bob: TestUser;
beforeAll(async () => {
  h = await createHarness();
  [ada, bob] = await Promise.all([h.login("ada"), h.login("bob")]);
  const at = new Date();
  await h.db
    .insertInto("sessions")
    .values({
      jti: "known",
      user_id: ada.userId,
      label: "test",
      created_at: at,
      last_seen_at: at,
      expires_at: new Date(at.getTime() + 3_600_000),
    })
    .execute();
});
afterAll(async () => await h.close());

const session = (sent: SendOptions) => h.send("GET", "/api/auth/session", sent);
const seconds = () => Math.floor(Date.now() / 1000);

/** A token that is valid except for the test's change; its session is one of ada's. */
function forge(claims: Record<string, unknown> = {}, header: Record<string, unknown> = {}) {
  return new SignJWT({
    userId: ada.userId,
    nickname: "ada",
    verifiedAt: Date.now(),
    iss: "parley",
    aud: "zk-community",
    jti: "known",
    iat: seconds(),
    exp: seconds() + 60,
    ...claims,
  }).setProtectedHeader({ alg: "HS256", typ: "session+jwt", ...header });
}

function base64url(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** The parts of a good token, one of them replaced. */
async function remade(change: { header?: unknown; payload?: unknown; signature?: string }): Promise<string> {
  const [header = "", payload = "", signature = ""] = (await forge().sign(secret)).split(".");
  return [
    change.header === undefined ? header : base64url(change.header),
    change.payload === undefined ? payload : base64url(change.payload),
    change.signature ?? signature,
  ].join(".");
}

/** Our own HMAC over any header and payload. */
async function signedRaw(header: object, payload?: object): Promise<string> {
  const [, good = ""] = (await forge().sign(secret)).split(".");
  const signed = `${base64url(header)}.${payload ? base64url(payload) : good}`;
  return `${signed}.${createHmac("sha256", secret).update(signed).digest("base64url")}`;
}

const ours = { alg: "HS256", typ: "session+jwt" };

const badTokens: Record<string, () => string | Promise<string>> = {
  words: () => "let-me-in",
  "two dots and nothing": () => "..",
  "a header that is no JSON": () => `${Buffer.from("{").toString("base64url")}.e30.AAAA`,
  "a payload that is no JSON": async () =>
    (await remade({})).replace(/\.[^.]+\./, `.${Buffer.from("{").toString("base64url")}.`),
  "a payload that is a list": () => signedRaw(ours, [ada.userId]),
  "alg none, unsigned": () =>
    new UnsecuredJWT({ userId: ada.userId, nickname: "ada", verifiedAt: 1 })
      .setIssuer("parley")
      .setAudience("zk-community")
      .setJti("known")
      .setIssuedAt()
      .setExpirationTime("1h")
      .encode(),
  "alg none over a good signature": () => remade({ header: { alg: "none", typ: "session+jwt" } }),
  "alg nOnE": () => remade({ header: { alg: "nOnE", typ: "session+jwt" }, signature: "" }),
  "alg missing": () => signedRaw({ typ: "session+jwt" }),
  "alg in a list": () => signedRaw({ ...ours, alg: ["HS256"] }),
  "alg in lower case": () => signedRaw({ ...ours, alg: "hs256" }),
  "HS384 with our secret": () => forge({}, { alg: "HS384" }).sign(secret),
  "HS512 with our secret": () => forge({}, { alg: "HS512" }).sign(secret),
  "RS256 with somebody's key": () => forge({}, { alg: "RS256" }).sign(rsa.privateKey),
  "RS256 with the key in its header": () =>
    forge({}, { alg: "RS256", jwk: rsa.publicKey.export({ format: "jwk" }) }).sign(rsa.privateKey),
  "HS256 with an RSA public key as secret (key confusion)": () =>
    forge().sign(Buffer.from(rsa.publicKey.export({ type: "spki", format: "pem" }))),
  "HS256 with another secret": () => forge().sign(new TextEncoder().encode("x".repeat(42))),
  "HS256 with an empty-looking secret": () => forge().sign(new Uint8Array(32)),
  "HS256 with the user id secret": () =>
    forge().sign(new TextEncoder().encode("test user id secret, which is another one")),
  "HS256 with its own key in the header": () =>
    forge({}, { jwk: { kty: "oct", k: Buffer.from("y".repeat(32)).toString("base64url") } }).sign(
      new TextEncoder().encode("y".repeat(32)),
    ),
  "encrypted instead of signed": () =>
    new CompactEncrypt(new TextEncoder().encode(JSON.stringify({ userId: ada.userId })))
      .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
      .encrypt(new Uint8Array(32)),
  "typ JWT": () => forge({}, { typ: "JWT" }).sign(secret),
  "no typ": () => forge({}, { typ: undefined }).sign(secret),
  "an unknown critical header": () => signedRaw({ ...ours, crit: ["x"], x: 1 }),
  "an unencoded payload (b64 false)": () => signedRaw({ ...ours, crit: ["b64"], b64: false }),
  "another issuer": () => forge({ iss: "somebody" }).sign(secret),
  "no issuer": () => forge({ iss: undefined }).sign(secret),
  "another community": () => forge({ aud: "another-community" }).sign(secret),
  "no community": () => forge({ aud: undefined }).sign(secret),
  expired: () => forge({ iat: seconds() - 100, exp: seconds() - 1 }).sign(secret),
  "no expiry": () => forge({ exp: undefined }).sign(secret),
  "an expiry in words": () => signedRaw(ours, { userId: ada.userId, jti: "known", exp: "never" }),
  "no id": () => forge({ jti: undefined }).sign(secret),
  "the id of no session": () => forge({ jti: "never-issued" }).sign(secret),
  "no issue time": () => forge({ iat: undefined }).sign(secret),
  "not yet valid": () => forge({ nbf: seconds() + 600 }).sign(secret),
  "no user": () => forge({ userId: undefined }).sign(secret),
  "an unknown user": () => forge({ userId: "u_00000000000000000000000000000000" }).sign(secret),
  "somebody else's user id over this session": () => forge({ userId: bob.userId }).sign(secret),
  "a user id that is no text": () => forge({ userId: { $ne: "" } }).sign(secret),
  "a user id with a quote": () => forge({ userId: `${ada.userId}' or '1'='1` }).sign(secret),
  "a changed payload": () => remade({ payload: { userId: "u_other" } }),
  "an added role, not signed": async () => {
    const [, payload = ""] = ada.token.split(".");
    const claims: unknown = JSON.parse(Buffer.from(payload, "base64url").toString());
    return remade({ payload: { ...Object(claims), role: "admin" } });
  },
  "a changed signature": () => `${ada.token.slice(0, -4)}AAAA`,
  "a cut signature": () => ada.token.split(".").slice(0, 2).join("."),
  "a fourth part": () => `${ada.token}.AAAA`,
  "two tokens": () => `${ada.token},${ada.token}`,
  oversized: async () => `${await forge({ padding: "x".repeat(10_000) }).sign(secret)}`,
  "an ended session": async () => {
    const { token } = await h.login("cleo");
    await h.send("POST", "/api/auth/logout", { token });
    return token;
  },
  "a refreshed session's old token": async () => {
    const user = await h.login("dan");
    await user.api.call(contract.auth.refresh, {});
    await h.minuteAfterRenewal(user.userId);
    return user.token;
  },
  "a renamed user's old token": async () => {
    const user = await h.login();
    await user.api.call(contract.profile.setNickname, { nickname: "renamed_one" });
    await h.minuteAfterRenewal(user.userId);
    return user.token;
  },
  "a session ended from another device": async () => {
    const [first, second] = [await h.login("eve"), await h.login("eve")];
    await second.api.call(contract.auth.endOtherSessions, {});
    return first.token;
  },
  "a user who is gone": async () => {
    const gus = await h.login("gus");
    await h.db.updateTable("users").set({ deleted_at: new Date() }).where("id", "=", gus.userId).execute();
    return gus.token;
  },
};

describe("tokens that are not sessions are 401, as bearer and as cookie", () => {
  it.each(Object.entries(badTokens))("%s", async (_, make) => {
    const token = await make();
    expect(await session({ headers: { authorization: `Bearer ${token}` } })).toMatchObject({
      status: 401,
      body: { code: "not_authenticated" },
    });
    const answer = await session({ cookie: token });
    expect(answer.status).toBe(401);
    // Otherwise a browser could never read a guest page again: scripts cannot delete the cookie.
    expect(answer.headers.get("set-cookie")).toMatch(/^zk-community-session=;.*Max-Age=0/);
  });

  it("takes the same claims rightly signed, so each line above fails for its own reason", async () => {
    expect((await session({ token: await forge().sign(secret) })).body).toMatchObject({ nickname: "ada" });
    expect((await session({ token: await signedRaw(ours) })).status).toBe(200);
    expect((await session({ token: await remade({}) })).status).toBe(200);
  });
});

const badHeaders = [
  "",
  " ",
  "Bearer",
  "Bearer ",
  "bearer",
  "Basic YWRhOmFkYQ==",
  "Token x",
  "Bearer a b",
  "Bearer\tx",
  "Bearer=x",
  "Bearer x,Bearer y",
  "Bearer ünïcode",
  "Bearer a\u00a0b",
  `Bearer ${"x".repeat(4097)}`,
] as const;

describe("an Authorization header that carries no session is 401, not a guest and not the cookie", () => {
  it.each(badHeaders)("%j", async (authorization) => {
    expect((await session({ headers: { authorization } })).status).toBe(401);
    const beside = await session({ headers: { authorization }, cookie: ada.token });
    expect(beside.status).toBe(401);
    // The cookie was not involved.
    expect(beside.headers.has("set-cookie")).toBe(false);
  });

  it("the scheme has no case, and the bearer wins over another user's cookie", async () => {
    const answer = await session({
      headers: { authorization: `bEARER  ${bob.token}` },
      cookie: ada.token,
    });
    expect(answer.body).toMatchObject({ userId: bob.userId });
  });
});

const cookies: Record<string, readonly [() => string, 200 | 401, "ada" | "guest" | null]> = {
  "alone in the header": [() => `zk-community-session=${ada.token}`, 200, "ada"],
  "among others": [() => `a=b; zk-community-session=${ada.token}; c="d"`, 200, "ada"],
  "with blanks around it": [() => `  zk-community-session =  ${ada.token}  ;x=y`, 200, "ada"],
  "twice, the good one first": [
    () => `zk-community-session=${ada.token}; zk-community-session=bad`,
    200,
    "ada",
  ],
  "twice, the bad one first": [
    () => `zk-community-session=bad; zk-community-session=${ada.token}`,
    401,
    null,
  ],
  "in quotes": [() => `zk-community-session="${ada.token}"`, 401, null],
  "percent-encoded": [() => `zk-community-session=${ada.token.replaceAll(".", "%2E")}`, 401, null],
  empty: [() => "zk-community-session=", 200, "guest"],
  "a name alone": [() => "zk-community-session", 200, "guest"],
  "a name that ends like ours": [() => `x-zk-community-session=${ada.token}`, 200, "guest"],
  "a name in capitals": [() => `ZK-COMMUNITY-SESSION=${ada.token}`, 200, "guest"],
  "nothing but separators": [() => ";;=;", 200, "guest"],
};

describe("the cookie header", () => {
  it.each(Object.entries(cookies))("%s", async (_, [cookie, status, who]) => {
    const answer = await session({ headers: { cookie: cookie() } });
    expect(answer.status).toBe(status);
    if (who === "ada") expect(answer.body).toMatchObject({ userId: ada.userId });
    if (who === "guest") expect(answer.body).toEqual({ authenticated: false });
  });
});

const sites = [null, "same-origin", "none", "same-site", "cross-site", "", "SAME-ORIGIN"] as const;
const origins = [
  null,
  "http://localhost:3000",
  "https://localhost:3000",
  "http://localhost:4000",
  "http://localhost:3000.evil.example",
  "https://evil.example",
  "null",
  "not an origin",
] as const;
/** Development answers under several names: the requested host is ours under either scheme. */
const ourOrigins: readonly (string | null)[] = [null, "http://localhost:3000", "https://localhost:3000"];
const ourSites: readonly (string | null)[] = [null, "same-origin", "none"];
const posts = sites.flatMap((site) => origins.map((origin) => ({ site, origin })));

describe("a post under a cookie, by where it says it comes from", () => {
  it.each(posts)("Sec-Fetch-Site $site, Origin $origin", async ({ site, origin }) => {
    const headers = {
      ...(site !== null && { "sec-fetch-site": site }),
      ...(origin !== null && { origin }),
    };
    const passes = ourSites.includes(site) && ourOrigins.includes(origin);
    // A challenge is a write that does not change the session.
    const post = (sent: SendOptions) => h.send("POST", "/api/auth/challenge", { ...sent, headers });
    expect(await post({ cookie: ada.token })).toMatchObject(
      passes ? { status: 200 } : { status: 403, body: { code: "cross_site" } },
    );
    // No site can make a browser attach a bearer token.
    expect((await post({ token: ada.token })).status).toBe(200);
  });
});

it("has the tables it had", () => {
  expect({
    tokens: Object.keys(badTokens).length,
    headers: badHeaders.length,
    cookies: Object.keys(cookies).length,
    posts: posts.length,
  }).toEqual({ tokens: 53, headers: 14, cookies: 12, posts: 56 });
});

import { randomUUID } from "node:crypto";
import { decodeProtectedHeader, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { general } from "@/lib/community/testing";
import { authOptions } from "@/lib/http/page";
import { createHarness, type Harness } from "@/lib/testing/harness";
import { createRelayTies } from "./relay/ties";
import { createSessionTokens, type SessionClaims } from "./tokens";

const [before, after] = ["b".repeat(32), "a".repeat(32)];
const bytes = (secret: string) => new TextEncoder().encode(secret);

/** Processes on one database: before the rotation, during it (of either step), and after it. */
let old: Harness;
let next: Harness;
let swapped: Harness;
let done: Harness;
beforeAll(async () => {
  old = await createHarness({ env: { SESSION_SECRET: before } });
  const { database } = old.services;
  const harness = (env: Record<string, string>) => createHarness({ env, database });
  next = await harness({ SESSION_SECRET: before, SESSION_SECRET_PREVIOUS: after });
  swapped = await harness({ SESSION_SECRET: after, SESSION_SECRET_PREVIOUS: before });
  done = await harness({ SESSION_SECRET: after });
});
afterAll(() => old?.close());

const statusOf = async (h: Harness, token: string) =>
  (await h.send("GET", "/api/auth/session", { token })).status;
const kidOf = (token: string) => decodeProtectedHeader(token).kid;

describe("a session while SESSION_SECRET changes", () => {
  it("goes on, and has the new secret once it is renewed", async () => {
    const { token } = await old.login();
    for (const [h, status] of [
      [next, 200],
      [swapped, 200],
      [done, 401],
    ] as const) {
      expect(await statusOf(h, token)).toBe(status);
    }
    const { body } = await swapped.send("POST", "/api/auth/refresh", { token });
    const renewed = z.object({ token: z.string() }).parse(body).token;
    expect(kidOf(renewed)).not.toBe(kidOf(token));
    for (const [h, status] of [
      [old, 401],
      [next, 200],
      [swapped, 200],
      [done, 200],
    ] as const) {
      expect(await statusOf(h, renewed)).toBe(status);
    }
  });

  it("is read by pages as by the API", async () => {
    const { token } = await old.login();
    const decode = (h: Harness) =>
      authOptions(h.services).jwt?.decode?.({ token, secret: "", salt: "" }) ?? expect.fail();
    expect(await decode(swapped)).toMatchObject({ jti: expect.any(String) });
    expect(await decode(done)).toBeNull();
  });
});

describe("a token's header", () => {
  const at = Math.floor(Date.now() / 1000);
  const claims: SessionClaims = {
    ...{ userId: "u", nickname: "n", verifiedAt: 0, jti: randomUUID() },
    ...{ iat: at, exp: at + 60 },
  };
  const tokensOf = (...secrets: [string, ...string[]]) => {
    const [first, ...rest] = secrets;
    return createSessionTokens({
      ...{ secrets: [bytes(first), ...rest.map(bytes)], audience: "zk-community", now: () => new Date() },
    });
  };
  const during = tokensOf(after, before);
  const signed = (secret: string, header: { alg?: string; kid?: string }) => {
    const { userId, nickname, verifiedAt, jti, iat, exp } = claims;
    return new SignJWT({ userId, nickname, verifiedAt })
      .setProtectedHeader({ alg: "HS256", typ: "session+jwt", ...header })
      .setIssuer("parley")
      .setAudience("zk-community")
      .setJti(jti)
      .setIssuedAt(iat)
      .setExpirationTime(exp)
      .sign(bytes(secret));
  };

  it("without a key id, as releases before had it, is checked with each secret", async () => {
    for (const secret of [before, after]) {
      expect(await during.read(await signed(secret, {}))).toEqual(claims);
    }
    expect(await during.read(await signed("c".repeat(32), {}))).toBeNull();
  });

  it("names one of our secrets, and the token has to be signed with that one", async () => {
    const [kidBefore, kidAfter] = await Promise.all(
      [before, after].map(async (secret) => kidOf(await tokensOf(secret).sign(claims))),
    );
    expect(await during.read(await signed(before, { kid: kidBefore }))).toEqual(claims);
    expect(await during.read(await signed(before, { kid: kidAfter }))).toBeNull();
    expect(await tokensOf(after).read(await signed(before, { kid: kidBefore }))).toBeNull();
    expect(await during.read(await signed(after, { kid: "another" }))).toBeNull();
  });

  it("chooses no algorithm", async () => {
    const kid = kidOf(await during.sign(claims));
    expect(await during.read(await signed(after, { alg: "HS512", kid }))).toBeNull();
    const none = new UnsecuredJWT({ ...claims }).setIssuer("parley").setAudience("zk-community").encode();
    expect(await during.read(none)).toBeNull();
  });

  it("tells nothing of the secret but whether it is the same", async () => {
    const kids = await Promise.all([before, before, after].map((each) => tokensOf(each).sign(claims)));
    expect(kidOf(kids[0] ?? "")).toBe(kidOf(kids[1] ?? ""));
    expect(kidOf(kids[0] ?? "")).not.toBe(kidOf(kids[2] ?? ""));
    expect(kidOf(kids[0] ?? "")).toMatch(/^[\w-]{11}$/);
  });
});

describe("what else the secret is for", () => {
  it("a request under one Idempotency-Key runs once, whichever processes get it", async () => {
    const { token } = await old.login("ann");
    const twice = async (first: Harness, second: Harness) => {
      const headers = { "idempotency-key": randomUUID() };
      const body = { title: "Once", visibility: "public", proofType: "none", categoryId: general };
      const [one, two] = [
        await first.send("POST", "/api/topics", { token, headers, body }),
        await second.send("POST", "/api/topics", { token, headers, body }),
      ];
      expect(one.status).toBe(201);
      expect(two).toMatchObject({ status: 201, body: one.body });
      expect(two.headers.get("idempotent-replayed")).toBe("true");
    };
    await twice(old, next);
    await twice(next, old);
    await twice(next, swapped);
    await twice(swapped, next);
    const { token: renewed } = await swapped.login("bob");
    const headers = { "idempotency-key": randomUUID() };
    const body = { title: "Once", visibility: "public", proofType: "none", categoryId: general };
    const first = await swapped.send("POST", "/api/topics", { token: renewed, headers, body });
    const second = await done.send("POST", "/api/topics", { token: renewed, headers, body });
    expect(second).toMatchObject({ status: 201, body: first.body });
  });

  it("a proof request stays with its client, and its answer opens", async () => {
    const cookies: string[] = [];
    const ties = (secrets: [string, ...string[]], cookie: string | null = null) => {
      const [first, ...rest] = secrets;
      return createRelayTies({
        ...{ secrets: [bytes(first), ...rest.map(bytes)], secure: true, cookies: cookie },
        setCookie: (value) => cookies.push(value),
      });
    };
    ties([before]).tie("request", 60);
    const cookie = cookies[0]?.split(";")[0] ?? null;
    const sealed = await ties([before]).seal("request", { token: "t" });
    expect(ties([after, before], cookie).isTied("request")).toBe(true);
    expect(await ties([after, before]).open("request", sealed)).toEqual({ token: "t" });
    expect(ties([after], cookie).isTied("request")).toBe(false);
    await expect(ties([after]).open("request", sealed)).rejects.toThrow();
  });
});

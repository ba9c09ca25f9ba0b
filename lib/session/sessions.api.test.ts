import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ApiError } from "@/lib/client";
import { contract } from "@/lib/contract";
import { createHarness, type Harness } from "@/lib/testing/harness";
import { clientLabel } from "./client-label";

let h: Harness;
let offset = 0;
beforeAll(async () => {
  h = await createHarness({ now: () => new Date(Date.now() + offset) });
});
afterAll(async () => await h.close());

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";
const { sessions, endSession, endOtherSessions } = contract.auth;

const listOf = async (token: string) => (await h.clientFor(token).call(sessions, {})).sessions;
const statusOf = async (token: string) => (await h.send("GET", "/api/auth/session", { token })).status;
const codeOf = (error: unknown) => (error instanceof ApiError ? `${error.status} ${error.code}` : error);

describe("GET /api/auth/sessions", () => {
  it("200: the caller's own, latest first, with what the client calls itself and which one this is", async () => {
    const first = await h.login("ada");
    await h.login("bob");
    const second = await h.send("POST", "/api/auth/dev-login", {
      body: { nickname: "ada" },
      headers: { "user-agent": firefox },
    });
    const list = await listOf(first.token);
    expect(list.map(({ label, isCurrent }) => ({ label, isCurrent }))).toEqual([
      { label: "Firefox on Linux", isCurrent: false },
      { label: "Unknown client", isCurrent: true },
    ]);
    const week = 7 * 24 * 3_600_000;
    for (const { createdAt, lastSeenAt, expiresAt } of list) {
      expect(createdAt).toBe(lastSeenAt);
      expect(Math.abs(Date.parse(expiresAt) - Date.parse(createdAt) - week)).toBeLessThan(2000);
    }
    expect((await listOf(Object(second.body).token)).map(({ isCurrent }) => isCurrent)).toEqual([
      true,
      false,
    ]);
  });

  it("200: an expired session is not in it, before it is swept", async () => {
    const { userId } = await h.login("cleo");
    await h.db
      .updateTable("sessions")
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where("user_id", "=", userId)
      .execute();
    expect(await listOf((await h.login("cleo")).token)).toHaveLength(1);
  });

  it("401 for guests", async () => {
    expect((await h.send("GET", "/api/auth/sessions")).status).toBe(401);
  });

  it("a session stays the same one when its token is refreshed or its user renamed", async () => {
    const user = await h.login();
    const [before] = await listOf(user.token);
    const { token = "" } = await user.api.call(contract.auth.refresh, {});
    const renamed = await h.clientFor(token).call(contract.profile.setNickname, { nickname: "same_session" });
    const after = await listOf(Object(renamed).token);
    expect(after.map(({ id }) => id)).toEqual([before?.id]);
    expect(after[0]?.createdAt).toBe(before?.createdAt);
  });

  it("shows no token id", async () => {
    const user = await h.login("dora");
    const [, payload = ""] = user.token.split(".");
    const { jti } = Object(JSON.parse(Buffer.from(payload, "base64url").toString()));
    expect(JSON.stringify(await listOf(user.token))).not.toContain(jti);
  });
});

describe("when a session was last seen", () => {
  it("is written once in five minutes of use, after the answer, and not per request", async () => {
    const { token } = await h.login("emil");
    const seen = async () => {
      await h.idle();
      return (await listOf(token))[0]?.lastSeenAt ?? "";
    };
    const start = await seen();
    offset = 4 * 60_000;
    await statusOf(token);
    expect(await seen()).toBe(start);
    offset = 6 * 60_000;
    await Promise.all(Array.from({ length: 20 }, () => statusOf(token)));
    const later = await seen();
    expect(Date.parse(later) - Date.parse(start)).toBeGreaterThan(5 * 60_000);
    offset = 7 * 60_000;
    await statusOf(token);
    expect(await seen()).toBe(later);
    offset = 0;
  });
});

describe("DELETE /api/auth/sessions/{sessionId}", () => {
  it("200: that one ends at once, the others go on", async () => {
    const [one, two] = [await h.login("fay"), await h.login("fay")];
    const other = (await listOf(two.token)).find(({ isCurrent }) => !isCurrent);
    const answer = await h.send("DELETE", `/api/auth/sessions/${other?.id}`, { token: two.token });
    expect(answer).toMatchObject({ status: 200, body: { success: true } });
    expect(answer.headers.has("set-cookie")).toBe(false);
    expect([await statusOf(one.token), await statusOf(two.token)]).toEqual([401, 200]);
  });

  it("200: ending the own one is a logout, cookie included", async () => {
    const { token } = await h.login("gil");
    const [own] = await listOf(token);
    const answer = await h.send("DELETE", `/api/auth/sessions/${own?.id}`, { cookie: token });
    expect(answer.headers.get("set-cookie")).toMatch(/^zk-community-session=;.*Max-Age=0/);
    expect(await statusOf(token)).toBe(401);
  });

  it("404 session_not_found: another user's, one that ended, none at all, no id", async () => {
    const [hal, ivy] = [await h.login("hal"), await h.login("ivy")];
    const [of] = await listOf(hal.token);
    const end = (id: string) => h.send("DELETE", `/api/auth/sessions/${id}`, { token: ivy.token });
    for (const id of [of?.id ?? "", "11111111-1111-4111-8111-111111111111", "x", "%00"]) {
      expect(await end(id), id).toMatchObject({ status: 404, body: { code: "session_not_found" } });
    }
    expect(await statusOf(hal.token)).toBe(200);
    const [own] = await listOf(ivy.token);
    const spare = await h.login("ivy");
    await end(own?.id ?? "");
    const again = h.clientFor(spare.token).call(endSession, { sessionId: own?.id ?? "" });
    expect(codeOf(await again.catch((error: unknown) => error))).toBe("404 session_not_found");
  });

  it("401 for guests, 403 from another site", async () => {
    const { token } = await h.login("jon");
    const [own] = await listOf(token);
    const path = `/api/auth/sessions/${own?.id}`;
    expect((await h.send("DELETE", path)).status).toBe(401);
    const headers = { origin: "https://evil.example" };
    expect((await h.send("DELETE", path, { cookie: token, headers })).status).toBe(403);
    expect(await statusOf(token)).toBe(200);
  });

  it("a refresh that races the end does not bring the session back", async () => {
    for (let round = 0; round < 10; round += 1) {
      const [one, two] = [await h.login("kim"), await h.login("kim")];
      const id = (await listOf(two.token)).find(({ isCurrent }) => !isCurrent)?.id;
      const [, refreshed] = await Promise.all([
        h.send("DELETE", `/api/auth/sessions/${id}`, { token: two.token }),
        h.send("POST", "/api/auth/refresh", { token: one.token }),
      ]);
      const { token = one.token } = Object(refreshed.body);
      expect(await statusOf(token)).toBe(401);
    }
  });
});

describe("DELETE /api/auth/sessions", () => {
  it("200: every other one ends, this one and other users' go on", async () => {
    const lea = await Promise.all(Array.from({ length: 4 }, () => h.login("lea")));
    const max = await h.login("max");
    const [here, ...others] = lea;
    if (!here) throw new Error("nobody signed in");
    expect(await here.api.call(endOtherSessions, {})).toEqual({ success: true, ended: 3 });
    expect(await here.api.call(endOtherSessions, {})).toEqual({ success: true, ended: 0 });
    expect(await Promise.all(others.map(({ token }) => statusOf(token)))).toEqual([401, 401, 401]);
    expect([await statusOf(here.token), await statusOf(max.token)]).toEqual([200, 200]);
  });

  it("401 for guests", async () => {
    expect((await h.send("DELETE", "/api/auth/sessions")).status).toBe(401);
  });
});

describe("what a client is called", () => {
  it.each([
    [firefox, "Firefox on Linux"],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
      "Safari on iOS",
    ],
    [
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36",
      "Chrome on Windows",
    ],
    ["curl/8.5.0", "curl"],
    ["node", "node"],
    ["Your-own-laptop..verified.by.Parley", "Unknown client"],
    ["Verified.by.Parley/1.0 (X11; Linux x86_64)", "A browser on Linux"],
    ["<script>alert(1)</script>", "Unknown client"],
    ["\u{1f600} agent", "Unknown client"],
    ["", "Unknown client"],
    [null, "Unknown client"],
  ])("%j is %s", (userAgent, label) => {
    expect(clientLabel(userAgent)).toBe(label);
  });

  it("is short, and quick to find, whatever is sent", () => {
    const started = performance.now();
    for (const part of ["a", "Mozilla/5.0 (", "Chrome/1 ", "(((((", "1.1.1.1."]) {
      expect(clientLabel(part.repeat(20_000)).length).toBeLessThanOrEqual(60);
    }
    expect(performance.now() - started).toBeLessThan(500);
  });
});

import { sql } from "kysely";
import { afterEach, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { sweepCache } from "@/lib/runtime/housekeeping";
import type { Environment } from "@/lib/settings/read";
import { backend } from "@/lib/testing/backends";
import { createHarness, type Harness } from "@/lib/testing/harness";
import { addressTag } from "./address";

let h: Harness;
afterEach(async () => await h.close());

const { points, seconds } = contract.auth.logout.limit;
const limited = async (env: Environment = {}) => {
  h = await createHarness({ env: { RATE_LIMITS: "on", TRUST_PROXY: "1", ...env } });
};
const logout = (address: string, token?: string) =>
  h.send("POST", "/api/auth/logout", { token, headers: { "x-forwarded-for": address } });

describe("rate limits", () => {
  it("count down in headers, then answer 429 with retry-after; another address is not touched", async () => {
    await limited();
    const first = await logout("192.0.2.1");
    expect(first.headers.get("ratelimit-limit")).toBe(String(points));
    expect(first.headers.get("ratelimit-remaining")).toBe(String(points - 1));
    expect(Number(first.headers.get("ratelimit-reset"))).toBeLessThanOrEqual(seconds);
    for (let i = 1; i < points; i += 1) expect((await logout("192.0.2.1")).status).toBe(200);
    const refused = await logout("192.0.2.1");
    expect(refused).toMatchObject({ status: 429, body: { code: "rate_limited" } });
    expect(refused.headers.get("ratelimit-remaining")).toBe("0");
    const wait = Number(refused.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(seconds);
    expect((await logout("192.0.2.2")).status).toBe(200);
  });

  it("exactly as many of 100 parallel requests pass as the contract says", async () => {
    await limited();
    const answers = await Promise.all(Array.from({ length: 100 }, () => logout("192.0.2.1")));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(points);
  });

  it("of a signed-in caller follow the user, not the address", async () => {
    await limited();
    const { token } = await h.login("ada");
    const refresh = (address: string, bearer: string) =>
      h.send("GET", "/api/auth/session", { token: bearer, headers: { "x-forwarded-for": address } });
    const one = await refresh("192.0.2.1", token);
    const two = await refresh("192.0.2.2", token);
    expect(Number(two.headers.get("ratelimit-remaining"))).toBe(
      Number(one.headers.get("ratelimit-remaining")) - 1,
    );
  });

  it("count refused credentials against the address, so that guessing is limited", async () => {
    await limited();
    for (let i = 0; i < points; i += 1) expect((await logout("192.0.2.1", "guess")).status).toBe(401);
    expect((await logout("192.0.2.1", "guess")).status).toBe(429);
  });

  it("take the address the nearest proxy saw; what the client wrote before it counts for nothing", async () => {
    await limited();
    for (let i = 0; i < points; i += 1) await logout(`10.0.0.${i}, 192.0.2.1`);
    expect((await logout("10.9.9.9, 192.0.2.1")).status).toBe(429);
    await h.close();
    await limited({ TRUST_PROXY: "0" });
    for (let i = 0; i < points; i += 1) await logout(`192.0.2.${i}`);
    expect((await logout("192.0.2.200")).status).toBe(429);
  });

  it("security F19: count an IPv6 /48 too, which has room for 16 of its /64 and no more", async () => {
    await limited();
    const { points: few } = contract.profile.deleteAccount.limit;
    const ask = async (address: string) =>
      (await h.send("DELETE", "/api/account", { headers: { "x-forwarded-for": address } })).status;
    for (let net = 0; net < 16; net += 1) {
      const address = `2001:db8:1:${net.toString(16)}::1`;
      for (let i = 0; i < few; i += 1) expect(await ask(address)).toBe(401);
      // A refusal for one of them does not count against its neighbors.
      expect(await ask(address)).toBe(429);
    }
    expect(await ask("2001:db8:1:ffff::1")).toBe(429);
    expect(await ask("2001:db8:2::1")).toBe(401);
    // IPv4 has no such networks, however the address is written.
    for (let host = 1; host <= 17; host += 1) {
      for (let i = 0; i < few; i += 1) expect(await ask(`::ffff:192.0.2.${host}`)).toBe(401);
    }
  });

  it("can be switched off in development and not in production", async () => {
    h = await createHarness({ env: { RATE_LIMITS: "off" } });
    expect((await logout("192.0.2.1")).headers.has("ratelimit-limit")).toBe(false);
    await h.close();
    h = await createHarness({ env: { RATE_LIMITS: "off", PARLEY_MODE: "production" } });
    expect((await logout("192.0.2.1")).headers.has("ratelimit-limit")).toBe(true);
  });

  const other = backend().name === "embedded" ? "" : ` (skipped: the cache of ${backend().name} has no rows)`;
  it.skipIf(other)(
    `security F15: no address is in the database or in a key of the cache, and the tag of one changes daily${other}`,
    async () => {
      let clock = Date.now();
      h = await createHarness({
        env: { RATE_LIMITS: "on", TRUST_PROXY: "1" },
        now: () => new Date(clock),
      });
      await logout("192.0.2.77");
      await logout("2001:db8:1:2::3");
      const rows = await sql<{ row: string }>`select c::text as row from cache_entries c`.execute(h.db);
      const counters = () => rows.rows.filter(({ row }) => row.includes("rate:auth.logout:ip:"));
      expect(counters()).toHaveLength(2);
      expect(JSON.stringify(rows.rows)).not.toMatch(/192\.0\.2\.77|2001:db8/);
      const headers = new Headers({ "x-forwarded-for": "192.0.2.77" });
      const today = await addressTag(headers, h.services);
      expect(await addressTag(headers, h.services)).toBe(today);
      expect(JSON.stringify(rows.rows)).toContain(today);
      clock += 24 * 3_600_000;
      expect(await addressTag(headers, h.services)).not.toBe(today);
    },
  );

  it("security F15: counters that ended are deleted on time, without another request", async () => {
    await limited();
    await logout("192.0.2.1");
    const later = new Date(Date.now() + (seconds + 1) * 1000);
    await sweepCache({ db: h.db, now: () => later });
    const left = await h.db
      .selectFrom("cache_entries")
      .select("key")
      .where("key", "like", "rate:%")
      .execute();
    expect(left).toEqual([]);
  });
});

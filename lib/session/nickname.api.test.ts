import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness } from "@/lib/testing/harness";
import { setNickname } from "./nickname";

let h: Harness;
beforeAll(async () => {
  h = await createHarness();
});
afterAll(async () => await h.close());

const put = (token: string | undefined, nickname: unknown) =>
  h.send("PUT", "/api/profile/nickname", { token, body: { nickname } });
const session = (token: string) => h.send("GET", "/api/auth/session", { token });

describe("PUT /api/profile/nickname", () => {
  it("200: sets it, reissues the session as cookie and token; a minute later the old one has ended", async () => {
    const user = await h.login();
    const answer = await put(user.token, "Ada_1");
    expect(answer).toMatchObject({ status: 200, body: { nickname: "Ada_1" } });
    const { token } = await h.clientFor(Object(answer.body).token).call(contract.auth.refresh, {});
    expect((await session(token ?? "")).body).toMatchObject({ userId: user.userId, nickname: "Ada_1" });
    expect(answer.headers.get("set-cookie")).toContain(`zk-community-session=${Object(answer.body).token};`);
    await h.minuteAfterRenewal(user.userId);
    expect((await session(user.token)).status).toBe(401);
  });

  it("newcomers A7: the same call again within a minute answers the same token", async () => {
    const user = await h.login();
    const first = await put(user.token, "Repeated_1");
    const again = await put(user.token, "Repeated_1");
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(Object(again.body).token).toMatch(/^ey/);
  });

  it("security F19: a browser gets the new token as its cookie alone", async () => {
    const user = await h.login();
    const answer = await h.send("PUT", "/api/profile/nickname", {
      cookie: user.token,
      body: { nickname: "By_cookie" },
    });
    expect(answer.body).toEqual({ nickname: "By_cookie" });
    expect(answer.headers.get("set-cookie")).toMatch(/^zk-community-session=ey/);
  });

  it("200: another spelling of one's own name", async () => {
    const user = await h.login("bea");
    expect(await put(user.token, "BEA")).toMatchObject({ status: 200, body: { nickname: "BEA" } });
  });

  it.each(["a", "a".repeat(21), "with space", "ümlaut", "<b>", "", "a-b", null, 12, ["ab"], "ab\n"])(
    "400 for %j",
    async (nickname) => {
      const user = await h.login("carl");
      expect(await put(user.token, nickname)).toMatchObject({ status: 400, body: { field: "nickname" } });
    },
  );

  it("401 for guests", async () => {
    expect((await put(undefined, "dora")).status).toBe(401);
  });

  it("409 nickname_taken in any spelling; the session goes on", async () => {
    await h.login("Emil");
    const other = await h.login("fay");
    for (const nickname of ["Emil", "emil", "EMIL"]) {
      expect(await put(other.token, nickname)).toMatchObject({
        status: 409,
        body: { code: "nickname_taken", field: "nickname" },
      });
    }
    expect((await session(other.token)).body).toMatchObject({ nickname: "fay" });
  });

  it("of 100 users who want one name at once, one gets it", async () => {
    for (let round = 0; round < 3; round += 1) {
      const users = await Promise.all(Array.from({ length: 100 }, () => h.login()));
      const answers = await Promise.all(
        users.map(({ token }, i) => put(token, i % 2 === 0 ? `Rare_${round}` : `rARE_${round}`)),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 409)).toHaveLength(99);
      const holders = await h.db
        .selectFrom("users")
        .select("id")
        .where("nickname_key", "=", `rare_${round}`)
        .execute();
      expect(holders).toHaveLength(1);
    }
  });

  it("of 100 changes with one token none makes a second token", async () => {
    const user = await h.login("gil");
    const ctx = await h.memberContext(user.token);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) => setNickname(ctx, { nickname: `gil_${i}` })),
    );
    const ids = new Set(answers.map(({ token = "" }) => decodeJwt(token).jti));
    expect(ids.size).toBe(1);
    const { nickname } = Object((await session(answers[0]?.token ?? "")).body);
    expect(answers.map((answer) => answer.nickname)).toContain(nickname);
  });
});

describe("security F19: nicknames that could pass for others", () => {
  const taken = { status: 409, body: { code: "nickname_taken", field: "nickname" } };

  it.each([
    "admin",
    "ADM1N".replace("1", "I"),
    "moderator",
    "support",
    "0fficial",
    "par1ey",
    "system",
    "adrnin",
    "_Staff_",
    "mod_era_tor",
    "anon_abcdefgh",
  ])("%s is for nobody", async (nickname) => {
    expect(await put((await h.login()).token, nickname)).toMatchObject(taken);
  });

  it("what looks like somebody's is taken", async () => {
    const paul = await h.login();
    expect(await put(paul.token, "paul_x0")).toMatchObject({ status: 200 });
    for (const alike of ["pauI_x0", "pau1_xO", "PAUL_xo"]) {
      expect(await put((await h.login()).token, alike), alike).toMatchObject(taken);
    }
    const emma = await h.login();
    expect(await put(emma.token, "emma_stone")).toMatchObject({ status: 200 });
    expect(await put((await h.login()).token, "ernrna_stone")).toMatchObject(taken);
    // Users may change the spelling of their own.
    expect(await put(paul.token, "PauI_xO")).toMatchObject({ status: 200 });
  });

  it("of 100 users who want names that look alike, one gets it", async () => {
    const names = ["summer_rain", "surnmer_rain", "sumrner_rain", "surnrner_rain"];
    const users = await Promise.all(Array.from({ length: 100 }, () => h.login()));
    const answers = await Promise.all(
      users.map(({ token }, index) => put(token, names[index % names.length] ?? "")),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it("what looks like a name somebody gave up is reserved as well", async () => {
    const user = await h.login();
    const { body } = await put(user.token, "commander");
    expect(await put(String(Object(body).token), "commander_2")).toMatchObject({ status: 200 });
    expect(await put((await h.login()).token, "cornrnander")).toMatchObject(taken);
  });

  it("what somebody gave up goes back to them at once, and to others after 30 days", async () => {
    let now = new Date();
    const other = await createHarness({ now: () => now });
    const set = (token: string, nickname: string) =>
      other.send("PUT", "/api/profile/nickname", { token, body: { nickname } });
    const [first, second] = [await other.login(), await other.login()];
    const token = async (answer: Promise<{ body: unknown }>) => String(Object((await answer).body).token);
    let mine = await token(set(first.token, "grace"));
    mine = await token(set(mine, "grace_2"));
    for (const alike of ["grace", "GRACE"]) expect(await set(second.token, alike)).toMatchObject(taken);
    mine = await token(set(mine, "grace"));
    await token(set(mine, "grace_3"));
    expect(await set(second.token, "Grace")).toMatchObject(taken);
    now = new Date(now.getTime() + 31 * 86_400_000);
    const third = await other.login();
    const answer = await set(third.token, "Grace");
    expect(answer).toMatchObject({ status: 200 });
    // Its entry has expired, and is rewritten by the statement that deletes expired ones.
    expect(await set(String(Object(answer.body).token), "grace_4")).toMatchObject({ status: 200 });
    await other.close();
  });
});

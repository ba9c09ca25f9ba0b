import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createHarness, type Harness } from "@/lib/testing/harness";

let h: Harness;
beforeAll(async () => {
  h = await createHarness();
});
afterAll(async () => await h.close());

describe("development sign-in", () => {
  it("gives the same user for the same nickname, whatever its case, and a new one without", async () => {
    const kim = await h.login("Kim");
    expect(await h.login("kim")).toMatchObject({ userId: kim.userId, nickname: "Kim" });
    const first = await h.login();
    const second = await h.login();
    expect(first.userId).not.toBe(second.userId);
    expect(first.nickname).toMatch(/^anon_[2-9a-z]{8}$/);
    const answer = await h.send("POST", "/api/auth/dev-login");
    expect(answer.body).toMatchObject({ needsNickname: true });
  });

  it("of 50 parallel first sign-ins all are one user", async () => {
    const users = await Promise.all(Array.from({ length: 50 }, () => h.login("crowd")));
    expect(new Set(users.map(({ userId }) => userId)).size).toBe(1);
  });

  it.each([
    ["DEV_LOGIN is not set", { DEV_LOGIN: undefined }],
    ["DEV_LOGIN is 0", { DEV_LOGIN: "0" }],
    ["production mode, DEV_LOGIN=1", { DEV_LOGIN: "1", PARLEY_MODE: "production" }],
  ])("is 404 when %s, whatever is sent", async (_, env) => {
    const closed = await createHarness({ env });
    for (const body of [{ nickname: "ada" }, { nickname: "!" }, "{"]) {
      expect(await closed.send("POST", "/api/auth/dev-login", { body })).toMatchObject({
        status: 404,
        body: { code: "not_found" },
      });
    }
    await closed.close();
  });
});

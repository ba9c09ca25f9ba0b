import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { getServerSession } from "next-auth";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sweepExpired } from "@/lib/runtime/housekeeping";
import { createHarness, type Harness } from "@/lib/testing/harness";
import { authOptions } from "./page";

let h: Harness;
beforeAll(async () => {
  h = await createHarness();
});
afterAll(async () => await h.close());

/** What next-auth reads from a cookie, as in a server component. */
async function sessionOf(token?: string) {
  const cookies = token === undefined ? {} : { "zk-community-session": token };
  const request = Object.assign(new IncomingMessage(new Socket()), { cookies });
  return await getServerSession(request, new ServerResponse(request), authOptions(h.services));
}

describe("next-auth, reading the session for pages", () => {
  it("knows the caller by the very token the API issued", async () => {
    const ada = await h.login("ada");
    expect((await sessionOf(ada.token))?.caller).toMatchObject({
      userId: ada.userId,
      nickname: "ada",
      nicknameSet: true,
    });
  });
  it("takes a visitor without or with an unreadable cookie for a guest", async () => {
    expect(await sessionOf()).toBeNull();
    expect(await sessionOf("nonsense")).toBeNull();
  });
  it("takes an ended session for a guest", async () => {
    const bob = await h.login("bob");
    await h.send("POST", "/api/auth/logout", { token: bob.token });
    expect((await sessionOf(bob.token))?.caller).toBeNull();
  });
});

describe("housekeeping", () => {
  it("deletes what expired and keeps what has not", async () => {
    const cleo = await h.login("cleo");
    await h.send("POST", "/api/auth/challenge", { token: cleo.token });
    const past = new Date(Date.now() - 1000);
    await h.db
      .insertInto("sessions")
      .values({
        jti: "old",
        user_id: cleo.userId,
        label: "",
        created_at: past,
        last_seen_at: past,
        expires_at: past,
      })
      .execute();
    await sweepExpired(h.services);
    const kept = await h.db.selectFrom("sessions").select("jti").where("user_id", "=", cleo.userId).execute();
    expect(kept).toHaveLength(1);
    expect(kept[0]?.jti).not.toBe("old");
    const open = () =>
      h.db.selectFrom("challenges").select("id").where("user_id", "=", cleo.userId).execute();
    expect(await open()).toHaveLength(1);
    await sweepExpired({ ...h.services, now: () => new Date(Date.now() + 301_000) });
    expect(await open()).toHaveLength(0);
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { FRESH_PROOF_MS } from "@/lib/session/fresh-proof";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { addTo, makeTopic, refusalOf, signIn } from "../testing";

let h: Harness;
let clock = Date.now();
beforeAll(async () => {
  h = await createHarness({ now: () => new Date(clock) });
});
afterAll(() => h.close());

const setRole = (user: TestUser, topicId: string, userId: string, role: "owner" | "admin" | "member") =>
  user.api.call(contract.members.setRole, { topicId, userId, role });
const withdraw = (user: TestUser) => user.api.call(contract.profile.deleteAccount, {});
const stale = { status: 403, code: "fresh_proof_required" };

describe("security F19: what cannot be undone takes a proof of the last ten minutes", () => {
  it("deleting the account: 403 and nothing is gone; renewing the session does not help, signing in again does", async () => {
    const user = await signIn(h);
    clock += FRESH_PROOF_MS + 1;
    const refused = await h.send("DELETE", "/api/account", { token: user.token });
    expect(refused).toMatchObject({ status: 403, body: { code: "fresh_proof_required" } });
    expect(Object(refused.body).error).toMatch(/sign in again/i);
    const { token } = await user.api.call(contract.auth.refresh, {});
    const renewed = h.clientFor(token);
    expect(await refusalOf(renewed.call(contract.profile.deleteAccount, {}))).toMatchObject(stale);
    expect((await h.send("GET", "/api/auth/session", { token })).body).toMatchObject({ userId: user.userId });
    const again = await h.login(user.nickname);
    expect(again.userId).toBe(user.userId);
    expect(await withdraw(again)).toEqual({ success: true });
  });

  it("transferring a topic: 403 and the owner stays; a missing right is reported first; other roles need no proof", async () => {
    const [owner, heir] = [await signIn(h), await signIn(h)];
    const { id } = await makeTopic(owner);
    await addTo(h.db, id, heir);
    clock += FRESH_PROOF_MS + 1;
    expect(await refusalOf(setRole(owner, id, heir.userId, "owner"))).toMatchObject(stale);
    expect(await refusalOf(setRole(heir, id, owner.userId, "owner"))).toMatchObject({
      code: "role_required",
    });
    expect(await setRole(owner, id, heir.userId, "admin")).toMatchObject({ transferred: false });
    const { members } = await owner.api.call(contract.members.list, { topicId: id });
    expect(members.map(({ role }) => role)).toEqual(["owner", "admin"]);
    const again = await h.login(owner.nickname);
    // At the end of the ten minutes.
    clock += FRESH_PROOF_MS;
    expect(await setRole(again, id, heir.userId, "owner")).toEqual({
      success: true,
      role: "owner",
      transferred: true,
    });
  });

  it("a development sign-in can be given an older proof", async () => {
    const user = await signIn(h);
    const seconds = FRESH_PROOF_MS / 1000;
    const login = (provenSecondsAgo: number) =>
      h.guest.call(contract.auth.devLogin, { nickname: user.nickname, provenSecondsAgo });
    const { token: old } = await login(seconds + 1);
    expect(await refusalOf(h.clientFor(old).call(contract.profile.deleteAccount, {}))).toMatchObject(stale);
    const { token } = await login(seconds);
    expect(await h.clientFor(token).call(contract.profile.deleteAccount, {})).toEqual({ success: true });
    expect(await h.send("POST", "/api/auth/dev-login", { body: { provenSecondsAgo: -1 } })).toMatchObject({
      status: 400,
      body: { field: "provenSecondsAgo" },
    });
  });
});

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import type { Harness, TestUser } from "@/lib/testing/harness";
import { addTo, type Cast, createCast, membersOf, refusalOf, signIn } from "../testing";
import { impose, lift, person } from "./testing";

let cast: Cast;
let h: Harness;
let owner: TestUser;
let admin: TestUser;
let member: TestUser;
let outsider: TestUser;
let clock = Date.now();
beforeAll(async () => {
  cast = await createCast({ now: () => new Date(clock) });
  ({ h, owner, admin, member, outsider } = cast);
});
afterAll(() => h.close());

const place: Cast["place"] = (visibility) => cast.place(visibility);
const hour = 3_600_000;
const inHours = (hours: number) => new Date(clock + hours * hour).toISOString();
const list = (user: TestUser, topicId: string, query: object = {}) =>
  user.api.call(contract.moderation.sanctions, { topicId, ...query });

describe("list", () => {
  it("200: those in force, latest first, page by page; a later one replaces, an ended one is gone", async () => {
    const topicId = await place();
    const users = [];
    for (let i = 0; i < 5; i += 1) {
      const user = await signIn(h, "sanctioned");
      await addTo(h.db, topicId, user);
      clock += 1;
      await impose(owner, topicId, user, i % 2 ? "ban" : "mute", { until: inHours(i + 1) });
      users.push(user);
    }
    const [first = owner] = users;
    clock += 1;
    await impose(admin, topicId, first, "mute", { reason: "Later.", until: null });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await list(owner, topicId, { limit: 2, cursor });
      seen.push(...page.sanctions.map(({ user }) => user.userId));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    const ids = users.map(({ userId }) => userId);
    expect(seen).toEqual([ids[0], ids[4], ids[3], ids[2], ids[1]]);
    expect((await list(owner, topicId)).sanctions[0]).toMatchObject({
      reason: "Later.",
      until: null,
      createdBy: person(admin),
    });
    // The ban of users[1] ends after two hours.
    clock += 2 * hour;
    expect((await list(owner, topicId)).sanctions.map(({ user }) => user.userId)).toEqual([
      ids[0],
      ids[4],
      ids[3],
      ids[2],
    ]);
    clock -= 2 * hour;
    // One user can have a mute and a ban.
    await impose(owner, topicId, first, "ban");
    expect((await list(owner, topicId)).sanctions).toHaveLength(6);
  });
});

describe("400, 401, 403, 404", () => {
  it.each([
    [{ kind: "kick" }, "kind"],
    [{ reason: " " }, "reason"],
    [{ reason: "x".repeat(501) }, "reason"],
    [{ until: "2001-01-01T00:00:00Z" }, "until"],
    [{ until: "tomorrow" }, "until"],
  ])("%j", async (body, field) => {
    const topicId = await place();
    const answer = await h.send("POST", `/api/topics/${topicId}/sanctions`, {
      token: owner.token,
      body: { userId: member.userId, kind: "mute", reason: "r", ...body },
    });
    expect([answer.status, Object(answer.body).field]).toEqual([400, field]);
  });

  it("users whom nobody or no admin may sanction", async () => {
    const topicId = await place();
    const second = await signIn(h, "second");
    await addTo(h.db, topicId, second, "admin");
    for (const kind of ["mute", "ban"] as const) {
      for (const [user, target, code] of [
        [owner, owner, "role_required"],
        [admin, owner, "role_required"],
        [admin, second, "role_required"],
        [admin, admin, "role_required"],
        [member, member, "role_required"],
        [outsider, member, "not_a_member"],
      ] as const) {
        expect(await refusalOf(impose(user, topicId, target, kind))).toMatchObject({ status: 403, code });
      }
    }
    expect(await membersOf(h.db, topicId)).toEqual({ counted: 4, rows: 4 });
    await impose(owner, topicId, second, "mute");
    expect(await refusalOf(lift(second, topicId, second, "mute"))).toMatchObject({ code: "role_required" });
    expect(await refusalOf(lift(admin, topicId, second, "mute"))).toMatchObject({ code: "role_required" });
    const offered = async ({ api }: TestUser) =>
      (await api.call(contract.moderation.sanctions, { topicId })).sanctions.map((one) => one.abilities);
    expect([await offered(owner), await offered(admin), await offered(second)]).toEqual([
      [["lift"]],
      [[]],
      [[]],
    ]);
  });

  it("unknown users, and sanctions that are not in force", async () => {
    const topicId = await place();
    const nobody = { ...outsider, userId: "u_nobody" };
    for (const [target, kind] of [
      [outsider, "mute"],
      [nobody, "mute"],
      [nobody, "ban"],
    ] as const) {
      expect(await refusalOf(impose(owner, topicId, target, kind))).toMatchObject({
        status: 404,
        code: "member_not_found",
        field: "userId",
      });
    }
    const gone = { status: 404, code: "sanction_not_found" };
    expect(await refusalOf(lift(owner, topicId, member, "mute"))).toMatchObject(gone);
    await impose(owner, topicId, member, "mute", { until: inHours(1) });
    expect(await refusalOf(lift(owner, topicId, member, "ban"))).toMatchObject(gone);
    clock += hour;
    expect(await refusalOf(lift(owner, topicId, member, "mute"))).toMatchObject(gone);
    clock -= hour;
    expect(await refusalOf(impose(owner, randomUUID(), member, "ban"))).toMatchObject({
      code: "topic_not_found",
    });
  });

  it("the list and the acts are the staff's", async () => {
    const topicId = await place();
    const path = `/api/topics/${topicId}/sanctions`;
    const body = { userId: member.userId, kind: "mute", reason: "r" };
    for (const method of ["GET", "POST", "DELETE"]) {
      const sent = method === "GET" ? undefined : body;
      expect((await h.send(method, path, { body: sent })).status, method).toBe(401);
      for (const [user, code] of [
        [member, "role_required"],
        [outsider, "not_a_member"],
      ] as const) {
        const answer = await h.send(method, path, { token: user.token, body: sent });
        expect([answer.status, Object(answer.body).code], method).toEqual([403, code]);
      }
    }
    expect(await refusalOf(list(owner, topicId, { cursor: "x" }))).toMatchObject({ field: "cursor" });
  });
});

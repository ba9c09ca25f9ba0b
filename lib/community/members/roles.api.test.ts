import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract, type Role } from "@/lib/contract";
import type { Harness, TestUser } from "@/lib/testing/harness";
import { addTo, type Cast, createCast, gate, membersOf, refusalOf, signIn, verified } from "../testing";

/** Giving roles, handing a topic over, removing. */
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
const list = (user: TestUser, topicId: string, query: object = {}) =>
  user.api.call(contract.members.list, { topicId, ...query });
const setRole = (user: TestUser, topicId: string, target: TestUser, role: Role) =>
  user.api.call(contract.members.setRole, { topicId, userId: target.userId, role });
const remove = (user: TestUser, topicId: string, target: TestUser, reason?: string) =>
  user.api.call(contract.members.remove, { topicId, userId: target.userId, reason });
const roles = async (topicId: string) =>
  (await list(owner, topicId)).members.map(({ nickname, role }) => [nickname.split("_")[0], role]);
const logOf = async (topicId: string) => (await admin.api.call(contract.moderation.log, { topicId })).entries;

describe("PATCH 200: roles", () => {
  it("make and unmake admins, each logged; an unchanged role is not", async () => {
    const topicId = await place();
    const done = { success: true, transferred: false };
    expect(await setRole(owner, topicId, member, "admin")).toEqual({ ...done, role: "admin" });
    expect(await setRole(owner, topicId, member, "admin")).toEqual({ ...done, role: "admin" });
    expect(await setRole(owner, topicId, member, "member")).toEqual({ ...done, role: "member" });
    expect(await setRole(owner, topicId, owner, "owner")).toEqual({ ...done, role: "owner" });
    expect(await logOf(topicId)).toMatchObject([
      { action: "role_changed", subjectId: member.userId, details: { role: "member", previous: "admin" } },
      { action: "role_changed", subjectId: member.userId, details: { role: "admin", previous: "member" } },
    ]);
  });

  it("an admin has their rights at once, and loses them at once", async () => {
    const topicId = await place();
    const queue = () => member.api.call(contract.requests.list, { topicId });
    await setRole(owner, topicId, member, "admin");
    expect((await queue()).requests).toEqual([]);
    await setRole(owner, topicId, member, "member");
    expect(await refusalOf(queue())).toMatchObject({ code: "role_required" });
  });
});

describe("PATCH 200: handing over", () => {
  it("transfers every right of the creator, and the previous owner becomes an admin", async () => {
    const topicId = await place();
    expect(await setRole(owner, topicId, member, "owner")).toEqual({
      success: true,
      role: "owner",
      transferred: true,
    });
    expect(await roles(topicId)).toEqual([
      ["member", "owner"],
      // Before the other admin, having joined before.
      ["owner", "admin"],
      ["admin", "admin"],
    ]);
    const { topic, currentUserRole } = await member.api.call(contract.topics.get, { topicId });
    expect([topic.creatorId, currentUserRole]).toEqual([member.userId, "owner"]);
    expect((await logOf(topicId))[0]).toMatchObject({
      action: "ownership_transferred",
      actorId: owner.userId,
      subjectId: member.userId,
    });
    await member.api.call(contract.topics.update, { topicId, title: "Mine" });
    for (const attempt of [
      () => setRole(owner, topicId, admin, "member"),
      () => owner.api.call(contract.topics.update, { topicId, title: "x" }),
      () => owner.api.call(contract.topics.delete, { topicId }),
      () => remove(owner, topicId, member),
    ]) {
      expect(await refusalOf(attempt())).toMatchObject({ status: 403, code: "role_required" });
    }
    // The previous owner has no obligations left.
    expect(await owner.api.call(contract.topics.leave, { topicId })).toEqual({ success: true });
    await member.api.call(contract.topics.delete, { topicId });
  });

  it("ends a mute of the new owner, which nobody could lift", async () => {
    const topicId = await place();
    const mute = { topicId, userId: member.userId, kind: "mute", reason: "r" } as const;
    await admin.api.call(contract.moderation.sanction, mute);
    await setRole(owner, topicId, member, "owner");
    expect((await member.api.call(contract.topics.get, { topicId })).muted).toBeNull();
    expect((await logOf(topicId)).map(({ action }) => action)).toEqual([
      "ownership_transferred",
      "member_unmuted",
      "member_muted",
    ]);
  });
});

describe("PATCH 400, 401, 403, 404", () => {
  it("callers without the right, impossible targets, and unknown roles", async () => {
    const topicId = await place();
    for (const user of [admin, member]) {
      expect(await refusalOf(setRole(user, topicId, member, "admin"))).toMatchObject({
        status: 403,
        code: "role_required",
      });
      expect(await refusalOf(setRole(user, topicId, user, "owner"))).toMatchObject({ code: "role_required" });
    }
    expect(await refusalOf(setRole(outsider, topicId, member, "admin"))).toMatchObject({
      status: 403,
      code: "not_a_member",
    });
    expect(await refusalOf(setRole(owner, topicId, outsider, "owner"))).toMatchObject({
      status: 404,
      code: "member_not_found",
      field: "userId",
    });
    expect(await refusalOf(setRole(owner, topicId, owner, "admin"))).toMatchObject({ code: "role_required" });
    expect(await refusalOf(setRole(owner, randomUUID(), member, "admin"))).toMatchObject({
      code: "topic_not_found",
    });
    const send = async (body: unknown, token?: string) =>
      (await h.send("PATCH", `/api/topics/${topicId}/members`, { token, body })).status;
    expect(await send({ userId: member.userId, role: "admin" })).toBe(401);
    for (const body of [
      { userId: member.userId },
      { role: "admin" },
      { userId: member.userId, role: "king" },
    ]) {
      expect(await send(body, owner.token)).toBe(400);
    }
    expect(await roles(topicId)).toEqual([
      ["owner", "owner"],
      ["admin", "admin"],
      ["member", "member"],
    ]);
  });
});

describe("DELETE 200", () => {
  it("ends the membership, is counted and logged with its reason", async () => {
    const topicId = await place();
    expect(await remove(admin, topicId, member, "Spam.")).toEqual({ success: true });
    expect(await membersOf(h.db, topicId)).toEqual({ counted: 2, rows: 2 });
    expect((await logOf(topicId))[0]).toMatchObject({
      action: "member_removed",
      actorId: admin.userId,
      actorNickname: admin.nickname,
      subjectId: member.userId,
      subjectNickname: member.nickname,
      reason: "Spam.",
    });
    expect(await remove(owner, topicId, admin)).toEqual({ success: true });
    expect(await membersOf(h.db, topicId)).toEqual({ counted: 1, rows: 1 });
  });

  it("closes every way back for 24 hours: join, invite code, token", async () => {
    const start = clock;
    const topicId = await place();
    const { token } = await owner.api.call(contract.topics.createInvite, { topicId });
    await remove(owner, topicId, member);
    // The old code is invalid, and the new one does not help the removed user.
    const { inviteCode } = (await owner.api.call(contract.topics.get, { topicId })).topic;
    clock += 86_400_000 - 60_000;
    const ways = [`${topicId}/join`, `join/${inviteCode}`, `join/${token}`];
    for (const way of ways) {
      const answer = await h.send("POST", `/api/topics/${way}`, { token: member.token });
      expect([answer.status, Object(answer.body).code], way).toEqual([403, "request_too_soon"]);
      expect(answer.headers.get("retry-after"), way).toBe("60");
    }
    clock += 60_000;
    expect(await member.api.call(contract.topics.joinByInvite, { inviteCode: token })).toMatchObject({
      topicId,
    });
    clock = start;
  });

  it("does not free the identity for another account", async () => {
    const topicId = await place();
    await gate(h.db, topicId, "workspace", { domain: "example.com" });
    const [first, second] = [await signIn(h), await signIn(h)];
    const identityHash = randomUUID();
    for (const user of [first, second]) await verified(h, user, { domain: "example.com", identityHash });
    await first.api.call(contract.topics.join, { topicId });
    await remove(owner, topicId, first);
    expect(await refusalOf(second.api.call(contract.topics.join, { topicId }))).toMatchObject({
      code: "proof_used",
    });
  });
});

describe("DELETE 401, 403, 404", () => {
  it("admins remove plain members only; nobody removes the owner or themselves", async () => {
    const topicId = await place();
    const other = await signIn(h);
    await addTo(h.db, topicId, other, "admin");
    for (const [user, target, code] of [
      [admin, other, "role_required"],
      [admin, owner, "role_required"],
      [admin, admin, "role_required"],
      [owner, owner, "role_required"],
      [member, member, "role_required"],
      [member, admin, "role_required"],
      [outsider, member, "not_a_member"],
    ] as const) {
      expect(await refusalOf(remove(user, topicId, target))).toMatchObject({ status: 403, code });
    }
    const gone = await refusalOf(remove(owner, topicId, outsider));
    expect(gone).toMatchObject({ status: 404, code: "member_not_found" });
    expect(await refusalOf(remove(owner, randomUUID(), member))).toMatchObject({ code: "topic_not_found" });
    const body = { userId: member.userId };
    expect((await h.send("DELETE", `/api/topics/${topicId}/members`, { body })).status).toBe(401);
    expect(await membersOf(h.db, topicId)).toEqual({ counted: 4, rows: 4 });
  });
});

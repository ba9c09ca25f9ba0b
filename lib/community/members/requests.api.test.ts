import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { addTo, makeTopic, membersOf, refusalOf, signIn } from "../testing";

let h: Harness;
let owner: TestUser;
let clock = Date.now();
beforeAll(async () => {
  h = await createHarness({ now: () => new Date(clock) });
  owner = await signIn(h, "owner");
});
afterAll(() => h.close());

const list = (user: TestUser, topicId: string, query: object = {}) =>
  user.api.call(contract.requests.list, { topicId, ...query });
const decide = (user: TestUser, topicId: string, requestId: string, action: "approve" | "reject") =>
  user.api.call(contract.requests.decide, { topicId, requestId, action });
const ask = async (user: TestUser, topicId: string) =>
  await user.api.callWithStatus(contract.topics.join, { topicId });

/** A private topic where this many wait, oldest first. */
async function asked(count = 1) {
  const { id } = await makeTopic(owner, "private");
  const askers: TestUser[] = [];
  for (let i = 0; i < count; i += 1) {
    const asker = await signIn(h, "asker");
    clock += 1;
    await ask(asker, id);
    askers.push(asker);
  }
  const { requests } = await list(owner, id);
  const [first] = requests;
  const [asker] = askers;
  if (!first || !asker) return expect.fail("nobody waits");
  return { topicId: id, askers, asker, requestId: first.id };
}

describe("GET 200", () => {
  it("lists pending requests, oldest first, in pages; with status=all also decided ones", async () => {
    const { topicId, askers, requestId } = await asked(5);
    const { requests } = await list(owner, topicId);
    expect(requests.map((request) => request.userId)).toEqual(askers.map((asker) => asker.userId));
    expect(requests[0]).toEqual({
      id: requestId,
      userId: askers[0]?.userId,
      nickname: askers[0]?.nickname,
      profileImage: null,
      status: "pending",
      createdAt: new Date(clock - 4).toISOString(),
    });
    await decide(owner, topicId, requestId, "approve");
    await decide(owner, topicId, requests[2]?.id ?? "", "reject");
    const states = async (query: object) =>
      (await list(owner, topicId, query)).requests.map(({ status }) => status);
    expect(await states({})).toEqual(["pending", "pending", "pending"]);
    const all = ["approved", "pending", "rejected", "pending", "pending"];
    expect(await states({ status: "all" })).toEqual(all);
    for (const status of [undefined, "all"] as const) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await list(owner, topicId, { status, limit: 2, cursor });
        seen.push(...page.requests.map(({ id }) => id));
        cursor = page.nextCursor ?? undefined;
      } while (cursor);
      expect(seen).toEqual((await list(owner, topicId, { status })).requests.map(({ id }) => id));
    }
    const { nextCursor } = await list(owner, topicId, { limit: 1 });
    const other = list(owner, topicId, { status: "all", cursor: nextCursor ?? "" });
    expect(await refusalOf(other)).toMatchObject({ status: 400, field: "cursor" });
  });
});

describe("PATCH 200", () => {
  it("approving makes the asker a member, is counted and logged", async () => {
    const { topicId, asker, requestId } = await asked();
    expect(await decide(owner, topicId, requestId, "approve")).toEqual({ success: true });
    expect(await membersOf(h.db, topicId)).toEqual({ counted: 2, rows: 2 });
    const seen = await asker.api.call(contract.topics.get, { topicId });
    expect(seen).toMatchObject({ currentUserRole: "member", joinPending: false });
    const { entries } = await asker.api.call(contract.moderation.log, { topicId });
    expect(entries).toMatchObject([{ action: "request_approved", subjectId: asker.userId }]);
  });

  it("an admin may; a rejected user may ask again after 24 hours", async () => {
    const { topicId, asker, requestId } = await asked();
    const admin = await signIn(h, "admin");
    await addTo(h.db, topicId, admin, "admin");
    expect(await decide(admin, topicId, requestId, "reject")).toEqual({ success: true });
    expect(await membersOf(h.db, topicId)).toEqual({ counted: 2, rows: 2 });
    clock += 86_400_000 - 1;
    expect(await refusalOf(ask(asker, topicId))).toMatchObject({ status: 403, code: "request_too_soon" });
    clock += 1;
    expect((await ask(asker, topicId)).status).toBe(202);
    const { entries } = await admin.api.call(contract.moderation.log, { topicId });
    expect(entries).toMatchObject([{ action: "request_rejected", actorId: admin.userId }]);
  });

  it("an invite lets in whom the staff rejected: it is the members' own word", async () => {
    const { topicId, asker, requestId } = await asked();
    await decide(owner, topicId, requestId, "reject");
    const { token } = await owner.api.call(contract.topics.createInvite, { topicId });
    await asker.api.call(contract.topics.joinByInvite, { inviteCode: token });
    expect(await membersOf(h.db, topicId)).toEqual({ counted: 2, rows: 2 });
  });

  it("closes the request of a user who has become a member, and counts them once", async () => {
    const { topicId, asker, requestId } = await asked();
    await addTo(h.db, topicId, asker, "admin");
    expect(await decide(owner, topicId, requestId, "approve")).toEqual({ success: true });
    expect(await membersOf(h.db, topicId)).toEqual({ counted: 2, rows: 2 });
    const { currentUserRole } = await asker.api.call(contract.topics.get, { topicId });
    expect(currentUserRole).toBe("admin");
    expect((await list(owner, topicId)).requests).toEqual([]);
  });
});

describe("PATCH 409", () => {
  it.each(["approve", "reject"] as const)(
    "a request that was answered, whatever is said now: %s",
    async (next) => {
      for (const first of ["approve", "reject"] as const) {
        const { topicId, requestId } = await asked();
        await decide(owner, topicId, requestId, first);
        expect(await refusalOf(decide(owner, topicId, requestId, next))).toMatchObject({
          status: 409,
          code: "join_request_decided",
        });
      }
    },
  );
});

describe("PATCH 403: banned", () => {
  it("does not admit a banned user; the request stays pending", async () => {
    const { topicId, asker, requestId } = await asked();
    const until = new Date(clock + 3_600_000).toISOString();
    const ban = { topicId, userId: asker.userId, kind: "ban", reason: "r", until } as const;
    await owner.api.call(contract.moderation.sanction, ban);
    const answer = await h.send("PATCH", `/api/topics/${topicId}/requests`, {
      token: owner.token,
      body: { requestId, action: "approve" },
    });
    expect([answer.status, Object(answer.body)]).toEqual([
      403,
      expect.objectContaining({ code: "banned", until, error: expect.stringContaining("lift the ban") }),
    ]);
    expect(await membersOf(h.db, topicId)).toEqual({ counted: 1, rows: 1 });
    expect((await list(owner, topicId)).requests).toHaveLength(1);
    await owner.api.call(contract.moderation.lift, { topicId, userId: asker.userId, kind: "ban" });
    expect(await decide(owner, topicId, requestId, "approve")).toEqual({ success: true });
  });
});

describe("401, 403, 404", () => {
  it("callers without the right, and unknown requests", async () => {
    const { topicId, asker, requestId } = await asked();
    const member = await signIn(h);
    await addTo(h.db, topicId, member);
    for (const [user, code] of [
      [member, "role_required"],
      [asker, "not_a_member"],
    ] as const) {
      expect(await refusalOf(list(user, topicId))).toMatchObject({ status: 403, code });
      expect(await refusalOf(decide(user, topicId, requestId, "approve"))).toMatchObject({
        status: 403,
        code,
      });
    }
    const elsewhere = (await makeTopic(owner, "private")).id;
    for (const [place, id] of [
      [topicId, randomUUID()],
      // A request is decided where it was made.
      [elsewhere, requestId],
    ] as const) {
      const refused = await refusalOf(decide(owner, place, id, "approve"));
      expect(refused).toMatchObject({ status: 404, code: "join_request_not_found" });
    }
    expect(await refusalOf(list(owner, randomUUID()))).toMatchObject({ code: "topic_not_found" });
    const path = `/api/topics/${topicId}/requests`;
    expect((await h.send("GET", path)).status).toBe(401);
    expect((await h.send("PATCH", path, { body: { requestId, action: "approve" } })).status).toBe(401);
    for (const body of [
      { requestId },
      { requestId, action: "maybe" },
      { requestId: "x", action: "approve" },
    ]) {
      expect((await h.send("PATCH", path, { token: owner.token, body })).status).toBe(400);
    }
    expect((await list(owner, topicId)).requests).toHaveLength(1);
  });
});

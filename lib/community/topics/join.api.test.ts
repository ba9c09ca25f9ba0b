import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { addTo, gate, makeTopic, membersOf, refusalOf, signIn } from "../testing";

let h: Harness;
let owner: TestUser;
let clock = Date.now();
beforeAll(async () => {
  h = await createHarness({ now: () => new Date(clock) });
  owner = await signIn(h, "owner");
});
afterAll(() => h.close());

const join = (user: TestUser, topicId: string) => user.api.callWithStatus(contract.topics.join, { topicId });

describe("201", () => {
  it("enters a public topic and is counted", async () => {
    const topic = await makeTopic(owner);
    const user = await signIn(h);
    expect(await join(user, topic.id)).toEqual({ status: 201, body: { success: true } });
    expect(await membersOf(h.db, topic.id)).toEqual({ counted: 2, rows: 2 });
    const seen = await user.api.call(contract.topics.get, { topicId: topic.id });
    expect(seen.currentUserRole).toBe("member");
  });
});

describe("202", () => {
  it("asks a private topic, which shows the request as waiting", async () => {
    const topic = await makeTopic(owner, "private");
    const user = await signIn(h);
    expect(await join(user, topic.id)).toEqual({
      status: 202,
      body: { success: true, status: "pending", message: expect.any(String) },
    });
    expect(await user.api.call(contract.topics.get, { topicId: topic.id })).toMatchObject({
      joinPending: true,
      currentUserRole: null,
    });
    expect(await membersOf(h.db, topic.id)).toEqual({ counted: 1, rows: 1 });
  });

  it("asks again 24 hours after a rejection or a removal", async () => {
    const topic = await makeTopic(owner, "private");
    const user = await signIn(h);
    const decided = (hours: number) => new Date(clock - hours * 3_600_000 - 1);
    await h.db
      .insertInto("join_requests")
      .values({ topic_id: topic.id, user_id: user.userId, status: "rejected", decided_at: decided(24) })
      .execute();
    await h.db
      .insertInto("removals")
      .values({ topic_id: topic.id, user_id: user.userId, removed_at: decided(30) })
      .execute();
    expect((await join(user, topic.id)).status).toBe(202);
  });
});

describe("403", () => {
  it("refuses a user who was rejected or removed in the last 24 hours, and says for how long", async () => {
    const user = await signIn(h);
    const asked = await makeTopic(owner, "private");
    const left = await makeTopic(owner);
    await h.db
      .insertInto("join_requests")
      .values({
        topic_id: asked.id,
        user_id: user.userId,
        status: "rejected",
        decided_at: new Date(clock - 23 * 3_600_000),
      })
      .execute();
    await h.db
      .insertInto("removals")
      .values({ topic_id: left.id, user_id: user.userId, removed_at: new Date(clock - 3_600_000) })
      .execute();
    for (const [topic, seconds] of [
      [asked, 3_600],
      [left, 23 * 3_600],
    ] as const) {
      const answer = await h.send("POST", `/api/topics/${topic.id}/join`, { token: user.token });
      expect([answer.status, Object(answer.body).code]).toEqual([403, "request_too_soon"]);
      expect(answer.headers.get("retry-after")).toBe(String(seconds));
    }
  });
});

describe("409", () => {
  it("refuses a member and a second request", async () => {
    const open = await makeTopic(owner);
    const closed = await makeTopic(owner, "private");
    const user = await signIn(h);
    await join(user, open.id);
    await join(user, closed.id);
    expect(await refusalOf(join(user, open.id))).toMatchObject({ status: 409, code: "already_member" });
    expect(await refusalOf(join(user, closed.id))).toMatchObject({ status: 409, code: "request_pending" });
  });
});

// Where several refusals apply, the first of design/api.md's order is the answer.
describe("order", () => {
  it("member before secret, secret before everything else, pending before too soon, too soon before gate", async () => {
    const user = await signIn(h);
    const refuse = async (topicId: string) => (await refusalOf(join(user, topicId))).code;
    const rejected = async (topicId: string) =>
      await h.db
        .insertInto("join_requests")
        .values({ topic_id: topicId, user_id: user.userId, status: "rejected", decided_at: new Date(clock) })
        .execute();
    const gated = async (visibility: "private" | "secret") => {
      const topic = await makeTopic(owner, visibility);
      await gate(h.db, topic.id, "workspace", { domain: "example.com" });
      await rejected(topic.id);
      return topic.id;
    };
    const secret = await gated("secret");
    expect(await refuse(secret)).toBe("topic_secret");
    await addTo(h.db, secret, user);
    expect(await refuse(secret)).toBe("already_member");

    const closed = await gated("private");
    expect(await refuse(closed)).toBe("request_too_soon");
    await h.db
      .insertInto("join_requests")
      .values({ topic_id: closed, user_id: user.userId, status: "pending" })
      .execute();
    expect(await refuse(closed)).toBe("request_pending");
    clock += 25 * 3_600_000;
    await h.db.deleteFrom("join_requests").where("status", "=", "pending").execute();
    expect(await refuse(closed)).toBe("proof_required");
  });
});

import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract, type Role } from "@/lib/contract";
import type { Harness, TestUser } from "@/lib/testing/harness";
import { type Cast, createCast, makeTopic, refusalOf, signIn } from "../testing";

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

describe("GET 200", () => {
  it("owner, admins, then the others by joining, page by page without repeating or skipping", async () => {
    const { id } = await makeTopic(owner);
    // Three share a moment: then the id decides.
    const crowd = await Promise.all(Array.from({ length: 9 }, () => signIn(h, "crowd")));
    for (const [index, user] of crowd.entries()) {
      if (index % 3 === 0) clock += 1000;
      await user.api.call(contract.topics.join, { topicId: id });
    }
    const late = crowd[8] ?? expect.fail();
    await setRole(owner, id, late, "admin");
    const all = (await list(late, id)).members;
    expect(all.map(({ role }) => role)).toEqual(["owner", "admin", ...Array(8).fill("member")]);
    expect(all[1]).toEqual({
      userId: late.userId,
      nickname: late.nickname,
      domains: [],
      role: "admin",
      profileImage: null,
      joinedAt: new Date(clock).toISOString(),
      provenAt: null,
      // No actions on oneself.
      noteCount: 0,
      abilities: [],
    });
    expect(new Set(all.slice(2).flatMap(({ abilities }) => abilities))).toEqual(
      new Set(["mute", "ban", "remove"]),
    );
    expect((await list(owner, id)).members.slice(0, 3).map(({ abilities }) => abilities)).toEqual([
      [],
      ["demote", "transfer", "mute", "ban", "remove"],
      ["promote", "transfer", "mute", "ban", "remove"],
    ]);
    const joined = all.slice(2).map(({ joinedAt }) => joinedAt);
    expect(joined).toEqual(joined.toSorted());
    for (const limit of [1, 2, 3, 4]) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await list(owner, id, { limit, cursor });
        expect(page.members.length).toBeLessThanOrEqual(limit);
        seen.push(...page.members.map(({ userId }) => userId));
        cursor = page.nextCursor ?? undefined;
      } while (cursor);
      expect(seen).toEqual(all.map(({ userId }) => userId));
    }
    const second = await list(late, id, { limit: 2, offset: 3 });
    expect(second.members).toEqual(all.slice(3, 5));
  });

  it("says what the caller is", async () => {
    const topicId = await place();
    for (const [user, role] of [
      [owner, "owner"],
      [admin, "admin"],
      [member, "member"],
    ] as const) {
      expect((await list(user, topicId)).currentUserRole).toBe(role);
    }
  });

  it("q finds nicknames by prefix, in any case, ten at most, without wildcards", async () => {
    const { id } = await makeTopic(owner);
    const named = async (nickname: string) => {
      clock += 1;
      const user = await h.login(nickname);
      await user.api.call(contract.topics.join, { topicId: id });
      return nickname;
    };
    const names = [];
    for (let i = 0; i < 12; i += 1) names.push(await named(`Zebra${i}`));
    await named("z_bra");
    await h.login("zebraoutside");
    const found = async (q: string) => (await list(owner, id, { q })).members.map((m) => m.nickname);
    expect(await found("zEBRA")).toEqual(names.slice(0, 10));
    expect((await list(owner, id, { q: "zebra" })).nextCursor).toBeNull();
    expect(await found("Zebra11")).toEqual(["Zebra11"]);
    expect(await found("z_b")).toEqual(["z_bra"]);
    expect(await found("ebra")).toEqual([]);
    expect(await found("%")).toEqual([]);
    expect(await found(" ")).toHaveLength(14);
  });
});

describe("GET 400, 401, 403, 404", () => {
  it("cursors of other lists", async () => {
    const topicId = await place();
    const opaque = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    for (const cursor of [
      "x",
      opaque(["members", 3, 1, "u"]),
      opaque(["members", 1, 1, "u\0"]),
      opaque(["members", 1, -1, "u"]),
      opaque(["new", 1, 1, "u"]),
      opaque(["members", 1, 1]),
    ]) {
      expect(await refusalOf(list(owner, topicId, { cursor })), cursor).toMatchObject({
        status: 400,
        field: "cursor",
      });
    }
  });

  it("an outsider of any kind of topic, a guest, no topic", async () => {
    for (const visibility of ["public", "secret"] as const) {
      const topicId = await place(visibility);
      expect(await refusalOf(list(outsider, topicId))).toMatchObject({ status: 403, code: "not_a_member" });
      expect((await h.send("GET", `/api/topics/${topicId}/members`)).status).toBe(401);
    }
    expect(await refusalOf(list(owner, randomUUID()))).toMatchObject({ code: "topic_not_found" });
  });
});

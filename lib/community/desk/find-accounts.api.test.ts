import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import type { TestUser } from "@/lib/testing/harness";
import { createWords } from "../moderation/testing";
import { type Cast, createCast, refusalOf, signIn } from "../testing";
import { readOpenWork } from "./open-work";
import { withRole } from "./testing";

/** Finding accounts, and how much waits for whom. */
let cast: Cast;
let reviewer: TestUser;
beforeAll(async () => {
  cast = await createCast();
  reviewer = await withRole(cast.h, "reviewer");
});
afterAll(() => cast.h.close());

const find = async (q: string, by = reviewer) =>
  (await by.api.call(contract.desk.accounts, { q })).accounts.map(({ nickname, role }) => [nickname, role]);

describe("finding an account", () => {
  it("takes the start of a nickname in any case, literally, or a whole user id", async () => {
    const names = ["zq_one", "ZQ_two", "zqXthree"];
    const users = [];
    for (const name of names) users.push(await cast.h.login(name));
    expect(await find("zq_")).toEqual([
      ["zq_one", null],
      ["ZQ_two", null],
    ]);
    expect(await find(users[2]?.userId ?? "")).toEqual([["zqXthree", null]]);
    expect(await find(users[2]?.userId.slice(0, 12) ?? "")).toEqual([]);
    expect(await find(reviewer.nickname)).toEqual([[reviewer.nickname, "reviewer"]]);
  });

  it("is for operators and reviewers", async () => {
    expect(await refusalOf(find("a", cast.member))).toMatchObject({ code: "operator_required" });
  });
});

describe("open work", () => {
  const workOf = (user: TestUser, operator: "operator" | "reviewer" | null = null) =>
    readOpenWork(cast.h.db, { userId: user.userId, operator });

  it("counts each thing once, for the staff of its topic and for operators", async () => {
    const before = await workOf(reviewer, "reviewer");
    const owner = await workOf(cast.owner);
    const { postId } = await createWords(cast);
    for (const by of [cast.outsider, await signIn(cast.h)]) {
      await by.api.call(contract.moderation.reportPost, { postId, reason: "illegal" });
    }
    expect(await workOf(reviewer, "reviewer")).toEqual({ desk: (before.desk ?? 0) + 1, staff: null });
    expect(await workOf(cast.owner)).toEqual({ desk: null, staff: (owner.staff ?? 0) + 1 });
  });

  it("does not count reports about the operator, who is not told of them", async () => {
    const author = await withRole(cast.h, "operator");
    const [before, ofReviewer] = [await workOf(author, "operator"), await workOf(reviewer, "reviewer")];
    const report = { userId: author.userId, reason: "abuse" } as const;
    await cast.outsider.api.call(contract.moderation.reportProfile, report);
    expect(await workOf(author, "operator")).toEqual(before);
    expect((await workOf(reviewer, "reviewer")).desk).toBe((ofReviewer.desk ?? 0) + 1);
  });

  it("is nothing for someone without a role", async () => {
    expect(await workOf(await signIn(cast.h))).toEqual({ desk: null, staff: null });
  });
});

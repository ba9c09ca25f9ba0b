import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import type { Harness, TestUser } from "@/lib/testing/harness";
import { createWords } from "../moderation/testing";
import { type Cast, clientWith, createCast, makePost, signIn } from "../testing";
import { withRole } from "./testing";

/** Operators and reviewers learn that reports wait, without a flood of notifications. */
let cast: Cast;
let h: Harness;
let operator: TestUser;
let reviewer: TestUser;
beforeAll(async () => {
  cast = await createCast();
  h = cast.h;
});
beforeEach(async () => {
  await h.db.deleteFrom("operators").execute();
  operator = await withRole(h, "operator");
  reviewer = await withRole(h, "reviewer");
});
afterAll(() => h.close());

const told = async (user: TestUser) => {
  const { notifications } = await user.api.call(contract.notifications.list, {});
  return notifications.filter(({ kind }) => kind === "desk_report_opened");
};
const readAll = async (user: TestUser) => {
  const [latest] = await told(user);
  if (latest) await user.api.call(contract.notifications.read, { upTo: latest.id });
};
const report = (user: TestUser, postId: string, reason: "illegal" | "spam" = "illegal") =>
  user.api.call(contract.moderation.reportPost, { postId, reason });

describe("a report to the operators", () => {
  it("notifies operators and reviewers, without saying who reported or where", async () => {
    const { postId } = await createWords(cast, "secret");
    await report(cast.admin, postId);
    for (const user of [operator, reviewer]) {
      expect(await told(user)).toMatchObject([
        {
          actor: null,
          topicId: null,
          topicTitle: null,
          postId: null,
          excerpt: null,
          details: { kind: "post", reason: "illegal" },
        },
      ]);
    }
    for (const user of [cast.owner, cast.member, cast.outsider]) expect(await told(user)).toEqual([]);
  });

  it("notifies those in ADMIN_USER_IDS, and not the reporter", async () => {
    const configured = await signIn(h);
    const { postId } = await createWords(cast);
    const adminUserIds = new Set([configured.userId]);
    const asOperator = clientWith(h, operator, { adminUserIds });
    await asOperator.call(contract.moderation.reportPost, { postId, reason: "illegal" });
    expect(await told(configured)).toHaveLength(1);
    expect(await told(operator)).toEqual([]);
  });

  it("is one notification until it is read, however many there are", async () => {
    const topicId = await cast.place();
    const posts = await Promise.all([1, 2, 3, 4].map(() => makePost(cast.member, topicId)));
    await Promise.all(posts.slice(1).map(({ id }) => report(cast.outsider, id)));
    expect(await told(operator)).toHaveLength(1);
    await readAll(operator);
    // Another report of what waits is no news, and what is not for the operators neither.
    await report(cast.owner, posts[1]?.id ?? "");
    await report(cast.owner, posts[0]?.id ?? "", "spam");
    expect(await told(operator)).toHaveLength(1);
    await report(cast.outsider, posts[0]?.id ?? "");
    expect(await told(operator)).toHaveLength(2);
    // The reviewer has not read the first.
    expect(await told(reviewer)).toHaveLength(1);
  });

  it("can be turned off by those with a role, who alone see it in their settings", async () => {
    const settings = async (user: TestUser) =>
      (await user.api.call(contract.notifications.settings, {})).kinds.map(({ kind }) => kind);
    expect(await settings(reviewer)).toContain("desk_report_opened");
    expect(await settings(cast.member)).not.toContain("desk_report_opened");
    await reviewer.api.call(contract.notifications.setKinds, { kinds: ["desk_report_opened"], inApp: false });
    const { postId } = await createWords(cast);
    await report(cast.outsider, postId);
    expect(await told(reviewer)).toEqual([]);
    expect(await told(operator)).toHaveLength(1);
  });
});

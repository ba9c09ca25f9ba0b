import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import type { OperatorRole } from "@/lib/contract/desk";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { clientWith, makePost, makeTopic, refusalOf, signIn } from "../testing";
import { actsSince, ageProof, lastEntry, latestOf, withRole } from "./testing";

/** Roles on the installation: who has them, who grants and takes them, and what they allow. */
let h: Harness;
let operator: TestUser;
let reviewer: TestUser;
let plain: TestUser;
beforeAll(async () => {
  h = await createHarness();
  operator = await withRole(h, "operator");
  reviewer = await withRole(h, "reviewer");
  plain = await signIn(h, "plain");
});
afterAll(() => h.close());

const grant = (by: TestUser, user: TestUser, role: OperatorRole, reason?: string) =>
  by.api.call(contract.desk.grant, { userId: user.userId, role, reason });
const take = (by: TestUser, user: TestUser, reason?: string) =>
  by.api.call(contract.desk.take, { userId: user.userId, reason });
const sessionOf = async (user: TestUser) => (await h.send("GET", "/api/auth/session", user)).body;

describe("granting and taking", () => {
  it("200: the role counts from the next request on, and so does its end", async () => {
    const user = await signIn(h);
    const since = await lastEntry(h);
    expect(await refusalOf(user.api.call(contract.desk.reports, {}))).toMatchObject({
      status: 403,
      code: "operator_required",
    });
    expect(await grant(operator, user, "reviewer", "Helps out.")).toEqual({
      success: true,
      role: "reviewer",
    });
    expect(await latestOf(user)).toMatchObject({
      kind: "operator_granted",
      reason: "Helps out.",
      details: { role: "reviewer" },
      actor: null,
    });
    expect(await sessionOf(user)).toMatchObject({ operator: "reviewer" });
    expect(await user.api.call(contract.desk.reports, {})).toMatchObject({ reports: [] });
    expect(await refusalOf(grant(user, plain, "reviewer"))).toMatchObject({ code: "operator_required" });
    await grant(operator, user, "operator");
    expect(await sessionOf(user)).toMatchObject({ operator: "operator", role: "admin" });
    // Nothing changes, and nothing is logged.
    await grant(operator, user, "operator");
    await take(operator, user, "Moved on.");
    expect(await latestOf(user)).toMatchObject({ kind: "operator_taken", details: { role: "operator" } });
    expect(await refusalOf(user.api.call(contract.desk.reports, {}))).toMatchObject({
      code: "operator_required",
    });
    const about = {
      role: "operator",
      actor_id: operator.userId,
      target_kind: "profile",
      target_id: user.userId,
    };
    expect(await actsSince(h, since)).toMatchObject([
      { ...about, action: "operator_granted", details: { role: "reviewer" }, reason: "Helps out." },
      { ...about, action: "operator_granted", details: { role: "operator" } },
      { ...about, action: "operator_taken", details: { role: "operator" }, reason: "Moved on." },
    ]);
  });

  it("the list has those of the configuration first, and no withdrawn ones", async () => {
    const root = await signIn(h, "root");
    const gone = await withRole(h, "operator");
    await gone.api.call(contract.profile.deleteAccount, {});
    const api = clientWith(h, root, { adminUserIds: new Set([root.userId]) });
    const { operators } = await api.call(contract.desk.operators, {});
    expect(operators.map(({ user, role, isConfigured }) => [user.userId, role, isConfigured])).toEqual([
      [root.userId, "operator", true],
      [operator.userId, "operator", false],
      [reviewer.userId, "reviewer", false],
    ]);
  });

  it("403 for reviewers and others, and without a fresh proof", async () => {
    for (const user of [reviewer, plain]) {
      expect(await refusalOf(grant(user, plain, "operator"))).toMatchObject({ code: "operator_required" });
      expect(await refusalOf(take(user, operator))).toMatchObject({ code: "operator_required" });
    }
    const old = await ageProof(h, operator);
    expect(await refusalOf(grant(old, plain, "reviewer"))).toMatchObject({ code: "fresh_proof_required" });
    expect(await refusalOf(take(old, reviewer))).toMatchObject({ code: "fresh_proof_required" });
  });

  it("404 for nobody and for someone without a role, 409 for those of the configuration", async () => {
    const nobody = { ...plain, userId: "u_none" };
    expect(await refusalOf(grant(operator, nobody, "reviewer"))).toMatchObject({ code: "user_not_found" });
    expect(await refusalOf(take(operator, plain))).toMatchObject({ status: 404, code: "user_not_found" });
    const root = await signIn(h, "root");
    const api = clientWith(h, root, { adminUserIds: new Set([root.userId]) });
    const { userId } = root;
    for (const call of [
      () => api.call(contract.desk.take, { userId }),
      () => api.call(contract.desk.grant, { userId, role: "reviewer" }),
    ]) {
      expect(await refusalOf(call())).toMatchObject({ status: 409, code: "operator_configured" });
    }
  });
});

describe("what a role allows", () => {
  it("operators delete content anywhere, reviewers do not", async () => {
    const owner = await signIn(h, "owner");
    const { id: topicId } = await makeTopic(owner, "secret");
    const { id: postId } = await makePost(owner, topicId);
    expect(await refusalOf(reviewer.api.call(contract.posts.delete, { postId }))).toMatchObject({
      code: "not_a_member",
    });
    await operator.api.call(contract.posts.delete, { postId, reason: "Threats." });
    expect(await latestOf(owner)).toMatchObject({ kind: "post_removed", reason: "Threats." });
    expect(await refusalOf(reviewer.api.call(contract.topics.delete, { topicId }))).toMatchObject({
      code: "not_a_member",
    });
  });

  it("neither reads topics that they are not in", async () => {
    const owner = await signIn(h, "owner");
    const { id: topicId } = await makeTopic(owner, "secret");
    for (const user of [operator, reviewer]) {
      const read = user.api.call(contract.topics.get, { topicId });
      expect(await refusalOf(read)).toMatchObject({ code: "topic_secret" });
    }
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import {
  acceptorOf,
  clientWith,
  general,
  makeTopic,
  onePixel,
  refusalOf,
  signIn,
  someProof,
  verified,
} from "../testing";

let h: Harness;
let user: TestUser;
beforeAll(async () => {
  h = await createHarness();
  user = await signIn(h);
});
afterAll(() => h.close());

const basics = { title: "T", categoryId: general };
const path = "/api/topics";

async function post(body: unknown, token: string | undefined = user.token) {
  const answer = await h.send("POST", path, { token, body });
  const { code, field } = Object(answer.body);
  return { status: answer.status, code, field, body: Object(answer.body) };
}

describe("201", () => {
  it("makes the creator the one owner, and fills every field of the topic", async () => {
    const { status, body } = await post({
      ...basics,
      title: "  A title ",
      description: "About it",
      visibility: "private",
      image: onePixel,
    });
    expect(status).toBe(201);
    expect(body.topic).toEqual({
      id: expect.any(String),
      title: "A title",
      description: "About it",
      creatorId: user.userId,
      requiresCountryProof: false,
      allowedCountries: null,
      excludedCountries: null,
      proofType: "none",
      requiredDomain: null,
      inviteCode: expect.stringMatching(/^[2-9A-HJKMNP-Z]{8}$/),
      visibility: "private",
      requiresApproval: true,
      image: expect.stringMatching(new RegExp(`^http://localhost.*/topics/${user.userId}/[^/]+/[^/]+$`)),
      banner: null,
      score: 12,
      lastActivityAt: expect.any(String),
      categoryId: general,
      category: { id: general, name: "General", slug: "general", icon: "💬" },
      memberCount: 1,
      postCount: 0,
      reproveDays: null,
      slowModeSeconds: null,
      linksAfterPosts: 0,
      rules: null,
      anonymous: "on",
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      abilities: ["write", "moderate", "edit", "delete", "report"],
    });
    const members = await h.db
      .selectFrom("memberships")
      .select(["user_id", "role"])
      .where("topic_id", "=", body.topic.id)
      .execute();
    expect(members).toEqual([{ user_id: user.userId, role: "owner" }]);
  });

  it("is public, ungated and without description unless the body says more", async () => {
    const { body } = await post(basics);
    expect(body.topic).toMatchObject({
      visibility: "public",
      proofType: "none",
      description: null,
      image: null,
    });
  });

  it("gates by a domain that the creator proves, and consumes the proof", async () => {
    const { acceptProof, asked, timesConsumed } = acceptorOf({
      domain: "example.com",
      provider: "provider_a",
    });
    const api = clientWith(h, user, { acceptProof });
    const { topic } = await api.call(contract.topics.create, {
      ...basics,
      proofType: "workspace_a",
      requiredDomain: "Example.com",
      ...someProof,
    });
    expect(topic).toMatchObject({ proofType: "workspace_a", requiredDomain: "example.com" });
    expect(asked[0]?.freshness).toEqual({ challengeId: null, userId: user.userId });
    expect(timesConsumed()).toBe(1);
  });

  it("gates by a domain the creator proved before", async () => {
    const creator = await signIn(h);
    await verified(h, creator, { domain: "example.com", provider: "provider_b" });
    const { topic } = await creator.api.call(contract.topics.create, {
      ...basics,
      proofType: "workspace",
      requiredDomain: "example.com",
    });
    expect(topic.proofType).toBe("workspace");
  });
});

describe("400", () => {
  it.each([
    ["no title", { categoryId: general }, "invalid_request", "title"],
    ["an empty title", { ...basics, title: "  " }, "invalid_request", "title"],
    ["a title of 101 characters", { ...basics, title: "x".repeat(101) }, "invalid_request", "title"],
    ["a NUL byte", { ...basics, title: "a\0b" }, "invalid_request", undefined],
    ["a long description", { ...basics, description: "x".repeat(2001) }, "invalid_request", "description"],
    ["no category", { title: "T" }, "invalid_request", "categoryId"],
    [
      "an unknown category",
      { ...basics, categoryId: crypto.randomUUID() },
      "category_not_found",
      "categoryId",
    ],
    [
      "approval for a public topic",
      { ...basics, requiresApproval: false },
      "invalid_request",
      "requiresApproval",
    ],
    ["an unknown visibility", { ...basics, visibility: "hidden" }, "invalid_request", "visibility"],
    ["an image that is a script", { ...basics, image: "javascript:alert(1)" }, "not_your_upload", "image"],
    [
      "a domain without a workspace proof",
      { ...basics, requiredDomain: "example.com" },
      "invalid_request",
      "requiredDomain",
    ],
    [
      "a workspace proof without a domain",
      { ...basics, proofType: "workspace" },
      "invalid_request",
      "requiredDomain",
    ],
    [
      "countries without a country proof",
      { ...basics, allowedCountries: ["KR"] },
      "invalid_request",
      "allowedCountries",
    ],
    [
      "countries kept out without a country proof",
      { ...basics, proofType: "kyc", excludedCountries: ["KR"] },
      "invalid_request",
      "excludedCountries",
    ],
    [
      "two lists of countries",
      { ...basics, requiresCountryProof: true, allowedCountries: ["KR"], excludedCountries: ["KP"] },
      "invalid_request",
      "excludedCountries",
    ],
    [
      "an empty list of countries",
      { ...basics, requiresCountryProof: true, excludedCountries: [] },
      "invalid_request",
      "excludedCountries",
    ],
    [
      "a country in lower case",
      { ...basics, requiresCountryProof: true, excludedCountries: ["kp"] },
      "invalid_request",
      "excludedCountries.0",
    ],
    [
      "eleven countries",
      { ...basics, requiresCountryProof: true, excludedCountries: Array.from("ABCDEFGHIJK", (c) => `X${c}`) },
      "invalid_request",
      "excludedCountries",
    ],
    ["a kyc gate without a verifier", { ...basics, proofType: "kyc" }, "topic_gate_unsupported", "proofType"],
    [
      "a country proof without countries",
      { ...basics, requiresCountryProof: true },
      "invalid_request",
      "allowedCountries",
    ],
    [
      "two gates at once",
      { ...basics, requiresCountryProof: true, proofType: "kyc" },
      "invalid_request",
      "proofType",
    ],
    [
      "a gate that contradicts itself",
      { ...basics, requiresCountryProof: false, proofType: "country", allowedCountries: ["KR"] },
      "invalid_request",
      "requiresCountryProof",
    ],
    [
      "a gate without a verifier",
      { ...basics, proofType: "country", allowedCountries: ["KR"] },
      "topic_gate_unsupported",
      "proofType",
    ],
    [
      "a consumer mail domain",
      { ...basics, proofType: "workspace", requiredDomain: "GMail.com" },
      "consumer_domain",
      "requiredDomain",
    ],
  ])("%s", async (_, body, code, field) => {
    expect(await post(body)).toMatchObject({ status: 400, code, ...(field && { field }) });
  });

  it("a gate whose proof the creator does not have, with its requirements", async () => {
    const creator = await signIn(h);
    const gated = { ...basics, proofType: "workspace", requiredDomain: "example.com" };
    const { status, code, body } = await post(gated, creator.token);
    expect([status, code]).toEqual([400, "proof_required"]);
    expect(body.proofRequirement).toMatchObject({
      domain: "example.com",
      proofEndpoint: { agent: { joinEndpoint: { url: expect.stringMatching(/\/api\/topics$/) } } },
    });
    const made = await h.db
      .selectFrom("topics")
      .select("id")
      .where("creator_id", "=", creator.userId)
      .execute();
    expect(made).toEqual([]);
  });
});

describe("401 and 403", () => {
  it("a guest, a user without nickname, a proof of another domain", async () => {
    expect(await post(basics, "")).toMatchObject({ status: 401, code: "not_authenticated" });
    const fresh = await h.login();
    expect(await post(basics, fresh.token)).toMatchObject({ status: 403, code: "nickname_required" });
    const { acceptProof } = acceptorOf({ domain: "example.org" });
    const gated = { ...basics, proofType: "workspace", requiredDomain: "example.com", ...someProof } as const;
    const call = clientWith(h, user, { acceptProof }).call(contract.topics.create, gated);
    expect(await refusalOf(call)).toMatchObject({ status: 403, code: "domain_not_allowed" });
  });
});

// The invite code is the only key of a secret topic.
it("gives every topic its own invite code", async () => {
  const topics = await Promise.all(Array.from({ length: 20 }, () => makeTopic(user)));
  expect(new Set(topics.map((topic) => topic.inviteCode)).size).toBe(20);
});

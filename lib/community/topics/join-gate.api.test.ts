import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import {
  acceptorOf,
  clientWith,
  gate,
  general,
  makeTopic,
  membersOf,
  refusalOf,
  signIn,
  someProof,
  verified,
} from "../testing";

let h: Harness;
let owner: TestUser;
const clock = Date.now();
beforeAll(async () => {
  h = await createHarness({ now: () => new Date(clock) });
  owner = await signIn(h, "owner");
});
afterAll(() => h.close());

const join = (user: TestUser, topicId: string) => user.api.callWithStatus(contract.topics.join, { topicId });

async function gatedTopic(domain = "example.com") {
  const topic = await makeTopic(owner);
  await gate(h.db, topic.id, "workspace", { domain });
  return topic;
}

describe("201", () => {
  it("joins a gated topic with a new proof, which is consumed and stored as a verification", async () => {
    const topic = await gatedTopic();
    const user = await signIn(h);
    const { acceptProof, asked, timesConsumed } = acceptorOf({
      domain: "example.com",
      provider: "provider_a",
    });
    const api = clientWith(h, user, { acceptProof });
    await api.call(contract.topics.join, { topicId: topic.id, ...someProof });
    // The challenge must be one of this caller's, whichever: the body names none.
    expect(asked).toEqual([
      {
        submitted: { circuit: "oidc_domain_attestation", ...someProof },
        freshness: { challengeId: null, userId: user.userId },
      },
    ]);
    expect(timesConsumed()).toBe(1);
    const other = await gatedTopic();
    expect((await join(user, other.id)).status).toBe(201);
  });

  it("joins a private topic that asks for no approval, which outsiders cannot read", async () => {
    const { topic } = await owner.api.call(contract.topics.create, {
      title: "For those inside",
      categoryId: general,
      visibility: "private",
      requiresApproval: false,
    });
    expect(topic).toMatchObject({ visibility: "private", requiresApproval: false });
    await gate(h.db, topic.id, "workspace", { domain: "example.com" });
    const user = await signIn(h);
    const read = () => user.api.call(contract.posts.list, { topicId: topic.id });
    expect(await refusalOf(read())).toMatchObject({ status: 403, code: "not_a_member" });
    expect(await refusalOf(join(user, topic.id))).toMatchObject({ status: 402, code: "proof_required" });

    await verified(h, user, { domain: "example.com", provider: "provider_a" });
    expect(await join(user, topic.id)).toEqual({ status: 201, body: { success: true } });
    expect(await read()).toMatchObject({ posts: [] });
    expect(await membersOf(h.db, topic.id)).toEqual({ counted: 2, rows: 2 });
  });

  it("enters a gated topic by a verification of the last 30 days", async () => {
    const topic = await gatedTopic();
    const user = await signIn(h);
    await verified(h, user, { domain: "example.org", provider: "provider_a" });
    await verified(h, user, { domain: "example.com", provider: "provider_a" });
    expect((await join(user, topic.id)).status).toBe(201);
  });

  it("joins a country topic with a list within the topic's", async () => {
    const topic = await makeTopic(owner);
    await gate(h.db, topic.id, "country", { countries: ["JP", "KR"] });
    const user = await signIn(h);
    await verified(h, user, { circuit: "partner_country_attestation", countries: ["KR"] });
    expect((await join(user, topic.id)).status).toBe(201);
  });

  it("lets the same account join again with the same identity", async () => {
    const topic = await gatedTopic();
    const user = await signIn(h);
    await verified(h, user, { domain: "example.com" });
    await join(user, topic.id);
    await h.db.deleteFrom("memberships").where("user_id", "=", user.userId).execute();
    expect((await join(user, topic.id)).status).toBe(201);
  });
});

describe("400", () => {
  it("passes on why a proof is not acceptable, and stores nothing", async () => {
    const topic = await gatedTopic();
    const user = await signIn(h);
    for (const code of ["proof_malformed", "proof_stale", "proof_wrong_scope", "proof_invalid"] as const) {
      const api = clientWith(h, user, { acceptProof: acceptorOf(code).acceptProof });
      const refused = await refusalOf(api.call(contract.topics.join, { topicId: topic.id, ...someProof }));
      expect(refused).toMatchObject({ status: 400, code });
    }
    expect(await membersOf(h.db, topic.id)).toEqual({ counted: 1, rows: 1 });
    const kept = await h.db
      .selectFrom("verifications")
      .select("id")
      .where("user_id", "=", user.userId)
      .execute();
    expect(kept).toEqual([]);
  });

  it("refuses an account of the other provider", async () => {
    const topic = await makeTopic(owner);
    await gate(h.db, topic.id, "workspace_a", { domain: "example.com" });
    const user = await signIn(h);
    const says = { domain: "example.com", provider: "provider_b" } as const;
    const { acceptProof, timesConsumed } = acceptorOf(says);
    const api = clientWith(h, user, { acceptProof });
    expect(
      await refusalOf(api.call(contract.topics.join, { topicId: topic.id, ...someProof })),
    ).toMatchObject({
      status: 400,
      code: "proof_wrong_circuit",
    });
    expect(timesConsumed()).toBe(0);
  });

  it.each([
    [{ proof: someProof.proof }, "publicInputs"],
    [{ publicInputs: someProof.publicInputs }, "proof"],
  ])("refuses half a proof, even from someone who needs none: %j", async (half, field) => {
    const topic = await gatedTopic();
    const user = await signIn(h);
    await verified(h, user, { domain: "example.com" });
    const call = user.api.call(contract.topics.join, { topicId: topic.id, ...half });
    expect(await refusalOf(call)).toEqual({ status: 400, code: "invalid_request", field });
  });

  it("refuses a body that is no proof", async () => {
    const topic = await gatedTopic();
    const user = await signIn(h);
    const path = `/api/topics/${topic.id}/join`;
    const refused = await h.send("POST", path, { token: user.token, body: { proof: "abc" } });
    expect([refused.status, Object(refused.body).code]).toEqual([400, "invalid_request"]);
  });
});

describe("402", () => {
  it("returns the requirements of the proof", async () => {
    const topic = await gatedTopic();
    const user = await signIn(h);
    const answer = await h.send("POST", `/api/topics/${topic.id}/join`, { token: user.token });
    expect(answer.status).toBe(402);
    expect(answer.body).toMatchObject({
      code: "proof_required",
      proofRequirement: {
        type: "workspace",
        circuit: "oidc_domain_attestation",
        domain: "example.com",
        allowedCountries: null,
        guideUrl: "/api/docs/proof-guide/workspace",
        proofEndpoint: {
          agent: { joinEndpoint: { url: expect.stringMatching(`/api/topics/${topic.id}/join$`) } },
        },
      },
    });
  });

  it.each([
    ["has expired", { domain: "example.com", expiresAt: new Date(clock - 1) }],
    ["is of another domain", { domain: "example.org" }],
    ["is of another circuit", { domain: "example.com", circuit: "network_eligibility" }],
  ])("does not accept a verification that %s", async (_, facts) => {
    const topic = await gatedTopic();
    const user = await signIn(h);
    await verified(h, user, facts);
    expect(await refusalOf(join(user, topic.id))).toMatchObject({ status: 402, code: "proof_required" });
  });

  it("does not accept another user's verification", async () => {
    const topic = await gatedTopic();
    await verified(h, await signIn(h), { domain: "example.com" });
    expect(await refusalOf(join(await signIn(h), topic.id))).toMatchObject({ status: 402 });
  });
});

describe("403", () => {
  it("refuses a proof of another domain or country", async () => {
    const user = await signIn(h);
    const domains = await gatedTopic();
    const countries = await makeTopic(owner);
    await gate(h.db, countries.id, "country", { countries: ["KR"] });
    const wrong = [
      [domains, { domain: "example.org" }, "domain_not_allowed"],
      [countries, { circuit: "partner_country_attestation", countries: ["KR", "US"] }, "country_not_allowed"],
    ] as const;
    for (const [topic, says, code] of wrong) {
      const { acceptProof, timesConsumed } = acceptorOf(says);
      const api = clientWith(h, user, { acceptProof });
      expect(
        await refusalOf(api.call(contract.topics.join, { topicId: topic.id, ...someProof })),
      ).toMatchObject({
        status: 403,
        code,
      });
      // Refused proofs stay usable elsewhere.
      expect(timesConsumed()).toBe(0);
    }
  });
});

describe("409", () => {
  it("refuses a second account with the same identity, and leaves no trace of it", async () => {
    const topic = await gatedTopic();
    const [first, second] = [await signIn(h), await signIn(h)];
    const identityHash = randomUUID();
    await verified(h, first, { domain: "example.com", identityHash });
    await verified(h, second, { domain: "example.com", identityHash });
    await join(first, topic.id);
    expect(await refusalOf(join(second, topic.id))).toMatchObject({ status: 409, code: "proof_used" });
    expect(await membersOf(h.db, topic.id)).toEqual({ counted: 2, rows: 2 });
    // Another topic knows nothing of it.
    expect((await join(second, (await gatedTopic()).id)).status).toBe(201);
  });

  it("refuses a second account's request to a private topic as well", async () => {
    const topic = await makeTopic(owner, "private");
    await gate(h.db, topic.id, "workspace", { domain: "example.com" });
    const [first, second] = [await signIn(h), await signIn(h)];
    const identityHash = randomUUID();
    await verified(h, first, { domain: "example.com", identityHash });
    await verified(h, second, { domain: "example.com", identityHash });
    expect((await join(first, topic.id)).status).toBe(202);
    expect(await refusalOf(join(second, topic.id))).toMatchObject({ status: 409, code: "proof_used" });
    const waiting = await h.db
      .selectFrom("join_requests")
      .select("id")
      .where("topic_id", "=", topic.id)
      .execute();
    expect(waiting).toHaveLength(1);
  });
});

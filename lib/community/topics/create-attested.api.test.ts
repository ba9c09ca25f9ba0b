import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { allVerifiers } from "@/lib/testing/deployment";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { countryBody, fakeChain, kycBody, nullifier, type ProofBody, testTrust } from "@/lib/testing/proofs";
import { general, signIn, verified } from "../testing";

/** Topics behind country and kyc gates, whose creator passes them first; the acceptor is the real one. */
let h: Harness;
beforeAll(async () => {
  h = await createHarness({
    trust: testTrust,
    verify: fakeChain().verify,
    deployment: { verifiers: allVerifiers },
  });
});
afterAll(() => h.close());

const basics = { title: "T", categoryId: general };
let identities = 0;
const somebody = () => {
  identities += 1;
  return nullifier(identities);
};

async function create(creator: TestUser, gate: object, body?: ProofBody) {
  const sent = { ...basics, ...gate, ...(body && { proof: body.proof, publicInputs: body.publicInputs }) };
  const answer = await h.send("POST", "/api/topics", { token: creator.token, body: sent });
  return { status: answer.status, body: Object(answer.body) };
}
const challenge = (user: TestUser) => user.api.call(contract.auth.challenge, {});
const topicsOf = async (user: TestUser) =>
  (await h.db.selectFrom("topics").select("id").where("creator_id", "=", user.userId).execute()).length;

describe("201", () => {
  it.each([
    [{ requiresCountryProof: true, allowedCountries: ["KR", "JP", "KR"] }, ["KR", "JP"], null],
    [{ proofType: "country", allowedCountries: ["KR", "JP", "US"] }, ["KR", "JP", "US"], null],
    [{ requiresCountryProof: true, excludedCountries: ["KP", "IR", "KP"] }, null, ["KP", "IR"]],
    [{ proofType: "country", excludedCountries: ["US"] }, null, ["US"]],
  ])("by a country proof: %j", async (gate, allowedCountries, excludedCountries) => {
    const creator = await signIn(h);
    await challenge(creator);
    const { status, body } = await create(creator, gate, countryBody({ nullifier: somebody() }));
    expect(status).toBe(201);
    expect(body.topic).toMatchObject({
      proofType: "country",
      requiresCountryProof: true,
      allowedCountries,
      excludedCountries,
      requiredDomain: null,
    });
    const { topic, proofRequirement } = await h.guest.call(contract.topics.get, { topicId: body.topic.id });
    for (const shown of [topic, proofRequirement]) {
      expect(shown).toMatchObject({ allowedCountries, excludedCountries });
    }
    const { topics } = await h.guest.call(contract.topics.list, { view: "all", sort: "new", limit: 1 });
    expect(topics[0]).toMatchObject({ id: body.topic.id, allowedCountries, excludedCountries });
  });

  it("by a kyc proof, which then binds the wallet to its account in the topic", async () => {
    const [creator, second] = [await signIn(h), await signIn(h)];
    const who = somebody();
    const { nonce } = await challenge(creator);
    const { status, body } = await create(creator, { proofType: "kyc" }, kycBody({ nonce, nullifier: who }));
    expect(status).toBe(201);
    expect(body.topic).toMatchObject({
      proofType: "kyc",
      requiresCountryProof: false,
      allowedCountries: null,
      excludedCountries: null,
    });
    const again = kycBody({ nonce: (await challenge(second)).nonce, nullifier: who });
    const joined = await h.send("POST", `/api/topics/${body.topic.id}/join`, {
      token: second.token,
      body: { proof: again.proof, publicInputs: again.publicInputs },
    });
    expect(joined).toMatchObject({ status: 409, body: { code: "proof_used" } });
  });

  it.each([
    ["partner_country_attestation", true, { proofType: "country", excludedCountries: ["KP"] }],
    ["partner_country_attestation", false, { proofType: "country", excludedCountries: ["KR"] }],
    ["network_eligibility", undefined, { proofType: "kyc" }],
  ])("by an earlier proof of %s (%s)", async (circuit, countriesIncluded, gate) => {
    const creator = await signIn(h);
    const countries = countriesIncluded === undefined ? undefined : ["KR"];
    await verified(h, creator, { circuit, countries, countriesIncluded });
    expect((await create(creator, gate)).status).toBe(201);
  });
});

describe("400 proof_required", () => {
  it.each([
    [{ proofType: "country", excludedCountries: ["KP"] }, null, ["KP"]],
    [{ proofType: "country", allowedCountries: ["KR"] }, ["KR"], null],
    [{ proofType: "kyc" }, null, null],
  ])("says what to prove: %j", async (gate, allowedCountries, excludedCountries) => {
    const creator = await signIn(h);
    const { status, body } = await create(creator, gate);
    expect([status, body.code]).toEqual([400, "proof_required"]);
    expect(body.proofRequirement).toMatchObject({
      type: gate.proofType,
      domain: null,
      allowedCountries,
      excludedCountries,
    });
    expect(await topicsOf(creator)).toBe(0);
  });
});

describe("403", () => {
  it("a creator who is not in the topic's own countries", async () => {
    const creator = await signIn(h);
    await challenge(creator);
    const body = countryBody({ countries: ["KP"], nullifier: somebody() });
    const refused = await create(creator, { proofType: "country", excludedCountries: ["KP"] }, body);
    expect([refused.status, refused.body.code]).toEqual([403, "country_not_allowed"]);
    expect(await topicsOf(creator)).toBe(0);
    // The proof is still good for a topic it fits.
    expect((await create(creator, { proofType: "country", allowedCountries: ["KP"] }, body)).status).toBe(
      201,
    );
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { allVerifiers } from "@/lib/testing/deployment";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import {
  countryBody,
  fakeChain,
  kycBody,
  nullifier,
  type ProofBody,
  proofBody,
  testTrust,
} from "@/lib/testing/proofs";
import { verificationsOf } from "@/lib/testing/verifications";
import { gate, makeTopic, membersOf, refusalOf, signIn } from "../testing";

/** Topics behind country and kyc gates, entered by the real acceptor with a chain that says yes. */
let h: Harness;
let owner: TestUser;
let clockOffset = 0;
const chain = fakeChain();
const day = 24 * 60 * 60 * 1000;
beforeAll(async () => {
  const now = () => new Date(Date.now() + clockOffset);
  h = await createHarness({
    trust: testTrust,
    verify: chain.verify,
    now,
    deployment: { verifiers: allVerifiers },
  });
  owner = await signIn(h, "owner");
});
afterAll(() => h.close());
beforeEach(() => {
  clockOffset = 0;
});

let identities = 0;
const somebody = () => {
  identities += 1;
  return nullifier(identities);
};

type Countries = { countries?: string[]; excluded?: string[] };
/** A topic's lists, and the list of a proof with the side of it that was proven. */
type Case = [name: string, lists: Countries, countries: string[], isIncluded: boolean];
async function countryTopic(lists: Countries, visibility: "public" | "private" | "secret" = "public") {
  const topic = await makeTopic(owner, visibility);
  await gate(h.db, topic.id, "country", lists);
  return topic;
}
async function kycTopic() {
  const topic = await makeTopic(owner);
  await gate(h.db, topic.id, "kyc");
  return topic;
}

const challenge = (user: TestUser) => user.api.call(contract.auth.challenge, {});
/** Joins with a proof, or without one. */
const enter = (user: TestUser, topicId: string, body?: ProofBody) =>
  user.api.callWithStatus(contract.topics.join, {
    topicId,
    ...(body && { proof: body.proof, publicInputs: body.publicInputs }),
  });
/** The same after asking for a challenge. */
async function enterFresh(user: TestUser, topicId: string, body: ProofBody) {
  await challenge(user);
  return await enter(user, topicId, body);
}
async function enterKyc(user: TestUser, topicId: string, facts: Parameters<typeof kycBody>[0] = {}) {
  const { nonce } = await challenge(user);
  return await enter(user, topicId, kycBody({ nonce, nullifier: somebody(), ...facts }));
}

const kept = async (user: TestUser) => await verificationsOf(h, user.userId);

describe("201: the countries the proof leaves possible are within those of the topic", () => {
  it.each<Case>([
    ["the topic's own list", { countries: ["KR", "JP"] }, ["KR", "JP"], true],
    ["a part of it, in another order", { countries: ["US", "JP", "KR"] }, ["KR", "JP"], true],
    ["none of those kept out", { excluded: ["KP", "IR"] }, ["IR", "KP"], false],
    ["none of more than those", { excluded: ["KP"] }, ["IR", "KP", "US"], false],
    ["one of others than those kept out", { excluded: ["KP", "IR"] }, ["KR", "US"], true],
  ])("%s", async (_, lists, countries, isIncluded) => {
    const topic = await countryTopic(lists);
    const user = await signIn(h);
    const body = countryBody({ countries, isIncluded, nullifier: somebody() });
    expect((await enterFresh(user, topic.id, body)).status).toBe(201);
    expect(await kept(user)).toEqual([
      { circuit: body.circuit, domain: null, countries, countriesIncluded: isIncluded },
    ]);
  });

  it("a verified person", async () => {
    const user = await signIn(h);
    expect((await enterKyc(user, (await kycTopic()).id)).status).toBe(201);
    expect(await kept(user)).toEqual([
      { circuit: "network_eligibility", domain: null, countries: null, countriesIncluded: null },
    ]);
  });

  it("a private topic is asked, a secret one entered by its code", async () => {
    const user = await signIn(h);
    const asked = await countryTopic({ excluded: ["KP"] }, "private");
    const body = countryBody({ countries: ["KP"], isIncluded: false, nullifier: somebody() });
    expect((await enterFresh(user, asked.id, body)).status).toBe(202);
    const secret = await countryTopic({ excluded: ["KP"] }, "secret");
    const invited = await signIn(h);
    const inviteCode = secret.inviteCode ?? expect.fail();
    const preview = await invited.api.call(contract.topics.getInvite, { inviteCode });
    expect(preview.topic).toMatchObject({ allowedCountries: null, excludedCountries: ["KP"] });
    await challenge(invited);
    const { proof, publicInputs } = countryBody({ countries: ["US"], nullifier: somebody() });
    const joined = await invited.api.call(contract.topics.joinByInvite, { inviteCode, proof, publicInputs });
    expect(joined).toEqual({ success: true, topicId: secret.id });
  });
});

describe("30 days: an accepted proof replaces a new one, on the same side of its list", () => {
  it("of where one lives", async () => {
    const user = await signIn(h);
    const body = countryBody({ countries: ["KR"], nullifier: somebody() });
    await enterFresh(user, (await countryTopic({ countries: ["KR"] })).id, body);
    for (const lists of [{ countries: ["JP", "KR"] }, { excluded: ["KP", "US"] }]) {
      expect((await enter(user, (await countryTopic(lists)).id)).status).toBe(201);
    }
    for (const lists of [{ countries: ["JP"] }, { excluded: ["KR", "KP"] }]) {
      const refused = await refusalOf(enter(user, (await countryTopic(lists)).id));
      expect(refused).toMatchObject({ status: 402, code: "proof_required" });
    }
  });

  it("of where one does not live", async () => {
    const user = await signIn(h);
    const body = countryBody({ countries: ["KP", "IR"], isIncluded: false, nullifier: somebody() });
    await enterFresh(user, (await countryTopic({ excluded: ["KP", "IR"] })).id, body);
    for (const excluded of [["KP"], ["IR"], ["IR", "KP"]]) {
      expect((await enter(user, (await countryTopic({ excluded })).id)).status).toBe(201);
    }
    for (const lists of [{ excluded: ["KP", "US"] }, { countries: ["KP", "IR"] }, { countries: ["KR"] }]) {
      const refused = await refusalOf(enter(user, (await countryTopic(lists)).id));
      expect(refused).toMatchObject({ status: 402, code: "proof_required" });
    }
  });

  it("and no longer; then the same statement needs a new proof", async () => {
    const user = await signIn(h);
    const facts = { countries: ["KR"], nullifier: somebody() };
    const topics = [];
    for (const _ of [1, 2, 3]) topics.push((await countryTopic({ countries: ["KR"] })).id);
    const [first = "", second = "", third = ""] = topics;
    await enterFresh(user, first, countryBody(facts));
    clockOffset = 30 * day - 60_000;
    // The session of a user who was active today, with a proof that is a month old.
    const api = (await h.login(user.nickname)).api;
    const later = { ...user, api };
    expect((await enter(later, second)).status).toBe(201);
    clockOffset = 30 * day + 60_000;
    expect(await refusalOf(enter(later, third))).toMatchObject({ status: 402 });
    expect((await enterFresh(later, third, countryBody(facts))).status).toBe(201);
  });

  it("the later of two proofs of one list replaces the earlier, the other side of it does not", async () => {
    const user = await signIn(h);
    const nullifierOfUser = somebody();
    for (const isIncluded of [true, false, true]) {
      const body = countryBody({ countries: ["KR"], isIncluded, nullifier: nullifierOfUser });
      const lists = isIncluded ? { countries: ["KR"] } : { excluded: ["KR"] };
      await enterFresh(user, (await countryTopic(lists)).id, body);
    }
    expect((await kept(user)).map((row) => row.countriesIncluded).sort()).toEqual([false, true]);
  });
});

describe("403 country_not_allowed, and the proof stays unused", () => {
  it.each<Case>([
    ["a list that reaches further", { countries: ["KR", "JP"] }, ["KR", "US"], true],
    ["another country", { countries: ["KR"] }, ["US"], true],
    ["elsewhere than in some countries", { countries: ["KR"] }, ["US"], false],
    ["elsewhere than in the very list", { countries: ["KR"] }, ["KR"], false],
    ["perhaps one that is kept out", { excluded: ["KP", "IR"] }, ["KR", "IR"], true],
    ["none of only some that are kept out", { excluded: ["KP", "IR"] }, ["KP", "US"], false],
  ])("%s", async (_, lists, countries, isIncluded) => {
    const topic = await countryTopic(lists);
    const user = await signIn(h);
    const body = countryBody({ countries, isIncluded, nullifier: somebody() });
    expect(await refusalOf(enterFresh(user, topic.id, body))).toMatchObject({
      status: 403,
      code: "country_not_allowed",
    });
    expect(await kept(user)).toEqual([]);
    const fitting = await countryTopic(isIncluded ? { countries } : { excluded: countries });
    expect((await enter(user, fitting.id, body)).status).toBe(201);
  });
});

describe("400", () => {
  it("a proof of another circuit than the gate's", async () => {
    const [country, kyc] = [await countryTopic({ countries: ["KR"] }), await kycTopic()];
    const user = await signIn(h);
    const { nonce } = await challenge(user);
    const wrong = [
      [country.id, kycBody({ nonce })],
      [country.id, proofBody({ nonce })],
      [kyc.id, countryBody()],
      [kyc.id, proofBody({ nonce })],
      [kyc.id, kycBody({ circuit: "regional_attestation", nonce })],
    ] as const;
    for (const [topicId, body] of wrong) {
      const refused = await refusalOf(enter(user, topicId, body));
      expect(refused, body.circuit).toMatchObject({ status: 400, code: "proof_wrong_circuit" });
    }
  });

  it("a kyc proof that answers no challenge of this caller", async () => {
    const topic = await kycTopic();
    const [ada, eve] = [await signIn(h), await signIn(h)];
    const { nonce } = await challenge(ada);
    await challenge(eve);
    const adas = kycBody({ nonce, nullifier: somebody() });
    expect(await refusalOf(enter(eve, topic.id, adas))).toMatchObject({
      status: 400,
      code: "proof_wrong_challenge",
    });
    const action = { domainSeparator: nullifier(1), actionHash: nullifier(2) };
    expect(await refusalOf(enterKyc(ada, topic.id, { action }))).toMatchObject({
      status: 400,
      code: "proof_wrong_challenge",
    });
    expect((await enter(ada, topic.id, adas)).status).toBe(201);
  });

  it("a country proof that its bearer did not ask a challenge for", async () => {
    const topic = await countryTopic({ countries: ["KR"] });
    const body = countryBody({ countries: ["KR"], nullifier: somebody() });
    expect(await refusalOf(enter(await signIn(h), topic.id, body))).toMatchObject({
      status: 400,
      code: "proof_wrong_challenge",
    });
  });
});

describe("409", () => {
  it("the same wallet under a second account, in this topic only", async () => {
    const facts = { countries: ["KR"], nullifier: somebody() };
    const byCountry = (user: TestUser, topicId: string) => enterFresh(user, topicId, countryBody(facts));
    const byKyc = (user: TestUser, topicId: string) =>
      enterKyc(user, topicId, { nullifier: facts.nullifier });
    for (const [make, come] of [
      [() => countryTopic({ countries: ["KR"] }), byCountry],
      [kycTopic, byKyc],
    ] as const) {
      const [topic, other] = [await make(), await make()];
      const [first, second] = [await signIn(h), await signIn(h)];
      expect((await come(first, topic.id)).status).toBe(201);
      expect(await refusalOf(come(second, topic.id))).toMatchObject({ status: 409, code: "proof_used" });
      expect(await membersOf(h.db, topic.id)).toEqual({ counted: 2, rows: 2 });
      expect(await kept(second)).toEqual([]);
      expect((await come(second, other.id)).status).toBe(201);
    }
  });

  it("a proof that was used, in whatever topic and under whatever account", async () => {
    const [topic, other] = [
      await countryTopic({ countries: ["KR"] }),
      await countryTopic({ countries: ["KR"] }),
    ];
    const [ada, eve] = [await signIn(h), await signIn(h)];
    const body = countryBody({ countries: ["KR"], nullifier: somebody() });
    await enterFresh(ada, topic.id, body);
    for (const user of [ada, eve]) {
      expect(await refusalOf(enterFresh(user, other.id, body))).toMatchObject({
        status: 409,
        code: "proof_used",
      });
    }
  });
});

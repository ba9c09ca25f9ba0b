import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { gate, makeTopic } from "@/lib/community/testing";
import { allVerifiers } from "@/lib/testing/deployment";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { countryBody, fakeChain, kycBody, nullifier, proofBody, testTrust } from "@/lib/testing/proofs";
import { asks, type ProofRequest } from "./testing";

/** Proofs for a gate: the phone proves, the requesting client joins with the proof. */
const chain = fakeChain();
let offset = 0;
let h: Harness;
let owner: TestUser;
let relay: ReturnType<typeof asks>;
beforeAll(async () => {
  h = await createHarness({
    verify: chain.verify,
    trust: testTrust,
    deployment: { verifiers: allVerifiers },
    now: () => new Date(Date.now() + offset),
  });
  owner = await h.login("owner");
  relay = asks(h);
});
afterAll(async () => await h.close());
beforeEach(() => {
  chain.answer = "valid";
  offset = 0;
});

let people = 1000;
const somebody = () => nullifier(++people);
const ask = (user: TestUser, body: object = { circuitType: "oidc_domain_attestation" }) =>
  relay.ask({ token: user.token, body });
const join = (user: TestUser, topicId: string, body: object) =>
  h.send("POST", `/api/topics/${topicId}/join`, { token: user.token, body });

async function gatedTopic(
  ...terms: Parameters<typeof gate> extends [unknown, unknown, ...infer T] ? T : never
) {
  const { id } = await makeTopic(owner);
  await gate(h.db, id, ...terms);
  return id;
}
/** What the requesting client has after the phone answered. */
async function handedOver(asked: ProofRequest) {
  const { body } = await relay.poll(asked, "?mode=proof");
  const { proof, publicInputs } = Object(body);
  return { body, fields: { proof, publicInputs } };
}

describe("a proof for a join, made on a phone", () => {
  it("is handed to the asking client and opens the gate for it", async () => {
    const user = await h.login("uma");
    const topicId = await gatedTopic("workspace", { domain: "guild.example" });
    const asked = await ask(user);
    expect((await relay.poll(asked, "?mode=proof")).body).toMatchObject({ status: "pending" });
    const { nonce } = await relay.look(asked);
    const proof = proofBody({ nonce, nullifier: somebody(), domain: "guild.example" });
    expect((await relay.answer(asked, proof)).status).toBe(202);

    const { body, fields } = await handedOver(asked);
    expect(body).toEqual({ status: "completed", ...proof });
    // The response may get lost; only its requester can use the proof, and only once.
    expect((await handedOver(asked)).fields).toEqual(fields);
    expect((await join(user, topicId, fields)).status).toBe(201);
    expect(await join(user, topicId, fields)).toMatchObject({ status: 409 });
  });

  it("makes no user and no verification: only the join does something", async () => {
    const user = await h.login("vic");
    const asked = await ask(user);
    const { nonce } = await relay.look(asked);
    const count = async () =>
      (await h.db.selectFrom("users").select("id").execute()).length +
      (await h.db.selectFrom("verifications").select("id").execute()).length +
      (await h.db.selectFrom("used_proofs").select("statement_hash").execute()).length;
    const before = await count();
    await relay.answer(asked, proofBody({ nonce, nullifier: somebody() }));
    await handedOver(asked);
    expect(await count()).toBe(before);
  });

  it("of a wallet's attestation, for kyc and country gates alike", async () => {
    const user = await h.login("wim");
    const kyc = await gatedTopic("kyc");
    const asked = await ask(user, { circuitType: "network_eligibility" });
    const { nonce } = await relay.look(asked);
    await relay.answer(asked, kycBody({ nonce, nullifier: somebody() }));
    expect((await join(user, kyc, (await handedOver(asked)).fields)).status).toBe(201);

    const country = await gatedTopic("country", { countries: ["KR", "JP"] });
    const second = await ask(user, {
      circuitType: "partner_country_attestation",
      countryList: ["KR", "JP"],
    });
    await relay.answer(second, countryBody({ nullifier: somebody() }));
    expect((await join(user, country, (await handedOver(second)).fields)).status).toBe(201);
  });

  it("as one blob of public inputs comes out as a list", async () => {
    const user = await h.login("xia");
    const asked = await ask(user);
    const { nonce } = await relay.look(asked);
    const { proof, publicInputs } = proofBody({ nonce, nullifier: somebody() });
    const blob = `0x${publicInputs.map((word) => word.slice(2)).join("")}`;
    const body = { proof, publicInputs: blob };
    await h.send("POST", `/api/auth/proof-request/${asked.requestId}`, { body });
    expect((await handedOver(asked)).fields).toEqual({ proof, publicInputs });
  });

  it("is worth nothing to anybody else: not to another member, not as a sign-in", async () => {
    const [user, thief] = [await h.login("yan"), await h.login("zoe")];
    const topicId = await gatedTopic("workspace", { domain: "example.org" });
    const asked = await ask(user);
    const { nonce } = await relay.look(asked);
    const proof = proofBody({ nonce, nullifier: somebody() });
    await relay.answer(asked, proof);
    const { fields } = await handedOver(asked);
    await h.send("POST", "/api/auth/challenge", { token: thief.token });
    expect(await join(thief, topicId, fields)).toMatchObject({
      status: 400,
      body: { code: "proof_wrong_challenge" },
    });
    const challenge = await h.send("POST", "/api/auth/challenge");
    const verify = { challengeId: Object(challenge.body).challengeId, result: proof };
    expect((await h.send("POST", "/api/auth/verify/ai", { body: verify })).status).toBe(400);
    expect((await join(user, topicId, fields)).status).toBe(201);
  });

  it("404 for another client's poll, its own session or not", async () => {
    const user = await h.login("abe");
    const asked = await ask(user);
    await relay.answer(asked, proofBody({ nonce: (await relay.look(asked)).nonce, nullifier: somebody() }));
    const other = await ask(user);
    for (const sent of [{}, { token: user.token }, { headers: { cookie: other.cookie } }]) {
      const answer = await h.send("GET", `/api/auth/poll/${asked.requestId}?mode=proof`, sent);
      expect(answer).toMatchObject({ status: 404, body: { code: "proof_request_unknown" } });
    }
  });

  it("400 for a poll without mode=proof, pending and completed: no session comes of it", async () => {
    const user = await h.login("bea");
    const asked = await ask(user);
    const refused = { status: 400, body: { code: "invalid_request", field: "mode" } };
    expect(await relay.poll(asked)).toMatchObject(refused);
    await relay.answer(asked, proofBody({ nonce: (await relay.look(asked)).nonce, nullifier: somebody() }));
    const answer = await relay.poll(asked);
    expect(answer).toMatchObject(refused);
    expect(answer.headers.has("set-cookie")).toBe(false);
  });

  it("400 proof_wrong_challenge: made for somebody else's request", async () => {
    const [cy, di] = [await h.login("cy"), await h.login("di")];
    const [mine, theirs] = [await ask(cy), await ask(di)];
    const { nonce } = await relay.look(theirs);
    const proof = proofBody({ nonce, nullifier: somebody() });
    expect((await relay.answer(mine, proof)).body).toMatchObject({ code: "proof_wrong_challenge" });
    expect((await relay.poll(mine, "?mode=proof")).body).toMatchObject({
      status: "failed",
      code: "proof_wrong_challenge",
    });
  });

  it("of 20 answers at once one is handed over", async () => {
    const asked = await ask(await h.login("edo"));
    const { nonce } = await relay.look(asked);
    const proofs = Array.from({ length: 20 }, () => proofBody({ nonce, nullifier: somebody() }));
    const answers = await Promise.all(proofs.map((proof) => relay.answer(asked, proof)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, ...Array(19).fill(409)]);
    const won = proofs[answers.findIndex(({ status }) => status === 202)];
    expect((await handedOver(asked)).fields.proof).toBe(won?.proof);
  });

  it("lies sealed in the table: nothing of it can be read there, nor under another request's name", async () => {
    const user = await h.login("fin");
    const [asked, other] = [await ask(user), await ask(user)];
    const { nonce } = await relay.look(asked);
    const proof = proofBody({ nonce, nullifier: somebody() });
    await relay.answer(asked, proof);
    const row = await h.db
      .selectFrom("proof_requests")
      .selectAll()
      .where("id", "=", asked.requestId)
      .executeTakeFirstOrThrow();
    const readable = `${JSON.stringify(row)}${Buffer.from(row.answer ?? "", "base64url").toString("latin1")}`;
    expect(row.answer).toBeTruthy();
    for (const secret of [proof.proof.slice(2, 40), proof.publicInputs[0] ?? "", asked.cookie.split("=")[1]])
      expect(readable).not.toContain(secret);
    await h.db
      .updateTable("proof_requests")
      .set({ status: "completed", answer: row.answer })
      .where("id", "=", other.requestId)
      .execute();
    expect((await relay.poll(other, "?mode=proof")).status).toBe(500);
  });
});

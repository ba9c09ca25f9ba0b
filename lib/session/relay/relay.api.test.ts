import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { scopeWord } from "@/lib/proofs/derivations";
import { allVerifiers } from "@/lib/testing/deployment";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { countryBody, fakeChain, kycBody, nullifier, proofBody, testTrust } from "@/lib/testing/proofs";
import { verificationsOf } from "@/lib/testing/verifications";
import { asks, type ProofRequest } from "./testing";

const chain = fakeChain();
let offset = 0;
let h: Harness;
let ada: TestUser;
let relay: ReturnType<typeof asks>;
beforeAll(async () => {
  h = await createHarness({
    verify: chain.verify,
    trust: testTrust,
    deployment: { verifiers: allVerifiers },
    now: () => new Date(Date.now() + offset),
  });
  ada = await h.login("ada");
  relay = asks(h);
});
afterAll(async () => await h.close());
beforeEach(() => {
  chain.answer = "valid";
  offset = 0;
});

let identities = 100;
/** A proof for a request, by a new user. */
function proofFor(nonce: string, facts: Parameters<typeof proofBody>[0] = {}) {
  identities += 1;
  return proofBody({ nonce, nullifier: nullifier(identities), ...facts });
}
async function answeredSignIn(): Promise<ProofRequest> {
  const asked = await relay.ask();
  expect((await relay.answer(asked, proofFor((await relay.look(asked)).nonce))).status).toBe(202);
  return asked;
}
const unknown = { status: 404, body: { code: "proof_request_unknown" } };

describe("POST /api/auth/proof-request", () => {
  it("200: a sign-in by default; five minutes, a deep link, a code of six digits, a cookie for its poll only", async () => {
    const asked = await relay.ask();
    expect(asked.body).toMatchObject({
      circuitType: "oidc_domain_attestation",
      scope: "zk-community",
      expiresIn: 300,
      deepLink: `http://localhost:3000/phone/${asked.requestId}`,
    });
    expect(asked.code).toMatch(/^\d{6}$/);
    expect(asked.setCookie).toMatch(
      new RegExp(
        `^zk-community-proof-request=[\\w-]{43}; Path=/api/auth/poll/${asked.requestId}; HttpOnly; SameSite=Lax; Max-Age=300$`,
      ),
    );
  });

  it("200: two requests share neither id, code's request, cookie nor nonce", async () => {
    const [one, two] = [await relay.ask(), await relay.ask()];
    expect(one.requestId).not.toBe(two.requestId);
    expect(one.cookie).not.toBe(two.cookie);
    expect((await relay.look(one)).nonce).not.toBe((await relay.look(two)).nonce);
  });

  it.each([
    ["an unknown circuit", { circuitType: "regional_attestation" }, 400, "invalid_request"],
    ["another community's scope", { scope: "elsewhere" }, 400, "proof_wrong_scope"],
    [
      "a country proof without countries",
      { circuitType: "partner_country_attestation" },
      400,
      "invalid_request",
    ],
    ["countries that are none", { countryList: ["Korea"] }, 400, "invalid_request"],
    ["a domain that is none", { domain: "not a domain" }, 400, "invalid_request"],
    ["another provider", { provider: "provider_z" }, 400, "invalid_request"],
  ])("%s is refused", async (_, body, status, code) => {
    expect(await h.send("POST", "/api/auth/proof-request", { body, token: ada.token })).toMatchObject({
      status,
      body: { code },
    });
  });

  it("400 unknown_circuit where the installation has no verifier for it", async () => {
    const bare = await createHarness({ deployment: { verifiers: {} } });
    expect((await bare.send("POST", "/api/auth/proof-request")).body).toMatchObject({
      code: "unknown_circuit",
    });
    await bare.close();
  });

  it("401: a guest cannot ask for a country proof, which signs nobody in", async () => {
    const body = { circuitType: "partner_country_attestation", countryList: ["KR"] };
    expect((await h.send("POST", "/api/auth/proof-request", { body })).status).toBe(401);
  });
});

describe("GET /api/auth/proof-request/{requestId}", () => {
  it("200 for a phone that knows the address: what to prove, who asks, the same code", async () => {
    const asked = await relay.ask({
      token: ada.token,
      body: { circuitType: "partner_country_attestation", countryList: ["KR", "JP"] },
      headers: { "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0" },
    });
    expect(await relay.look(asked)).toMatchObject({
      requestId: asked.requestId,
      circuitType: "partner_country_attestation",
      scope: "zk-community",
      code: asked.code,
      countryList: ["KR", "JP"],
      isIncluded: true,
      domain: null,
      provider: null,
      purpose: "proof",
      status: "pending",
      requester: { client: "Firefox on Linux", nickname: "ada" },
    });
    const signIn = await relay.look(await relay.ask({ token: ada.token }));
    expect(signIn).toMatchObject({ purpose: "sign_in", requester: { nickname: null } });
  });

  it("404 for an unknown one, an expired one, and what cannot be one", async () => {
    const asked = await relay.ask();
    offset = 301_000;
    for (const id of [asked.requestId, "pr_unknown", "x".repeat(200), "%00", "a%2Fb"]) {
      expect(await h.send("GET", `/api/auth/proof-request/${id}`), id).toMatchObject(unknown);
    }
  });
});

describe("a sign-in by phone", () => {
  it("security F18: the asker sees whose account it would be before its browser is signed in", async () => {
    const asked = await relay.ask();
    const { nonce } = await relay.look(asked);
    await relay.answer(asked, proofFor(nonce, { domain: "look.example" }));
    for (let i = 0; i < 2; i += 1) {
      const shown = await relay.poll(asked, "?mode=look");
      expect(shown.body).toEqual({
        status: "completed",
        userId: expect.stringMatching(/^u_/),
        nickname: expect.stringMatching(/^anon_/),
        needsNickname: true,
      });
      expect(shown.headers.has("set-cookie")).toBe(false);
    }
    expect((await relay.poll(asked)).body).toMatchObject({ status: "completed", token: expect.any(String) });
  });

  it("202, then the asking client's poll starts the session, once", async () => {
    const asked = await relay.ask();
    expect((await relay.poll(asked)).body).toMatchObject({ status: "pending", expiresIn: 300 });
    const { nonce } = await relay.look(asked);
    const answer = await relay.answer(asked, proofFor(nonce, { domain: "phone.example" }));
    expect(answer).toMatchObject({ status: 202, body: { success: true } });
    // The phone is not signed in: it answered for another device.
    expect(answer.headers.has("set-cookie")).toBe(false);

    const done = await relay.poll(asked);
    expect(done.body).toMatchObject({ status: "completed", needsNickname: true });
    const { token, userId } = Object(done.body);
    expect(done.headers.get("set-cookie")).toContain(`zk-community-session=${token};`);
    expect((await h.send("GET", "/api/auth/session", { token })).body).toMatchObject({ userId });
    expect(await verificationsOf(h, userId)).toMatchObject([{ domain: "phone.example" }]);

    expect(await relay.poll(asked)).toMatchObject(unknown);
    expect((await relay.look(asked)).status).toBe("completed");
  });

  it("200 by an attested wallet, when a guest asks for that", async () => {
    const asked = await relay.ask({ body: { circuitType: "network_eligibility" } });
    const { nonce, purpose } = await relay.look(asked);
    expect(purpose).toBe("sign_in");
    expect((await relay.answer(asked, kycBody({ nonce, nullifier: nullifier(7) }))).status).toBe(202);
    expect((await relay.poll(asked)).body).toMatchObject({ status: "completed" });
  });

  it("404 for every other client's poll: no cookie, another request's, a made-up one, the phone's session", async () => {
    const asked = await answeredSignIn();
    const other = await relay.ask();
    const poll = (sent: object) => h.send("GET", `/api/auth/poll/${asked.requestId}`, sent);
    const tie = "zk-community-proof-request";
    for (const sent of [
      {},
      { headers: { cookie: other.cookie } },
      { headers: { cookie: `${tie}=${"A".repeat(43)}` } },
      { headers: { cookie: `${tie}=` } },
      { token: ada.token },
    ]) {
      const answer = await poll(sent);
      expect(answer).toMatchObject(unknown);
      expect(answer.headers.has("set-cookie")).toBe(false);
    }
    expect((await relay.poll(asked)).body).toMatchObject({ status: "completed" });
  });

  it("409 for a second answer, the same or another, before and after the session started", async () => {
    const asked = await relay.ask();
    const proof = proofFor((await relay.look(asked)).nonce);
    expect((await relay.answer(asked, proof)).status).toBe(202);
    const refused = { status: 409, body: { code: "proof_request_answered" } };
    expect(await relay.answer(asked, proof)).toMatchObject(refused);
    await relay.poll(asked);
    expect(await relay.answer(asked, proofFor("x"))).toMatchObject(refused);
  });

  it("uses the proof up: it serves no other sign-in", async () => {
    const asked = await relay.ask();
    const proof = proofFor((await relay.look(asked)).nonce);
    await relay.answer(asked, proof);
    const other = await h.guest.call(contract.auth.challenge, {});
    const replay = { challengeId: other.challengeId, result: proof };
    expect((await h.send("POST", "/api/auth/verify/ai", { body: replay })).body).toMatchObject({
      code: "proof_used",
    });
  });

  it("400: a proof for one request does not answer another, which fails by it", async () => {
    const [mine, theirs] = [await relay.ask(), await relay.ask()];
    const proof = proofFor((await relay.look(theirs)).nonce);
    expect(await relay.answer(mine, proof)).toMatchObject({
      status: 400,
      body: { code: "proof_wrong_challenge" },
    });
    const failed = await relay.poll(mine);
    expect(failed).toMatchObject({ status: 200, body: { status: "failed", code: "proof_wrong_challenge" } });
    expect(failed.headers.has("set-cookie")).toBe(false);
    expect((await relay.look(mine)).status).toBe("failed");
    // The one it was made for is not touched.
    expect((await relay.answer(theirs, proof)).status).toBe(202);
  });

  it.each([
    ["proof_invalid", () => undefined, {}],
    ["proof_wrong_scope", () => undefined, { scope: scopeWord("elsewhere") }],
    ["proof_untrusted_issuer", () => undefined, { modulus: (1n << 2047n) + 99n }],
    ["proof_wrong_audience", () => undefined, { audience: "somebody-elses-client" }],
  ])("400 %s ends the request", async (code, _, facts) => {
    if (code === "proof_invalid") chain.answer = "invalid";
    const asked = await relay.ask();
    const { nonce } = await relay.look(asked);
    expect(await relay.answer(asked, proofFor(nonce, facts))).toMatchObject({ status: 400, body: { code } });
    expect((await relay.poll(asked)).body).toMatchObject({ status: "failed", code });
    chain.answer = "valid";
    expect((await relay.answer(asked, proofFor(nonce))).status).toBe(409);
  });

  it("400 without touching the request: a body that is no proof", async () => {
    const asked = await relay.ask();
    for (const body of [{}, { proof: "abc", publicInputs: [] }, { proof: "0x00" }]) {
      const answer = await h.send("POST", `/api/auth/proof-request/${asked.requestId}`, { body });
      expect(answer).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    }
    expect((await relay.poll(asked)).body).toMatchObject({ status: "pending" });
  });

  it("400 proof_wrong_circuit: a proof of another circuit than was asked for", async () => {
    const asked = await relay.ask();
    expect(await relay.answer(asked, countryBody())).toMatchObject({
      status: 400,
      body: { code: "proof_wrong_circuit" },
    });
  });

  it("503 when the chain cannot be asked: nothing is used up, the phone may try again", async () => {
    chain.answer = "unavailable";
    const asked = await relay.ask();
    const proof = proofFor((await relay.look(asked)).nonce);
    expect(await relay.answer(asked, proof)).toMatchObject({
      status: 503,
      body: { code: "verification_unavailable" },
    });
    expect((await relay.poll(asked)).body).toMatchObject({ status: "pending" });
    chain.answer = "valid";
    expect((await relay.answer(asked, proof)).status).toBe(202);
  });

  it("404 for answer and poll when five minutes are over, answered or not", async () => {
    const [open, done] = [await relay.ask(), await answeredSignIn()];
    const proof = proofFor((await relay.look(open)).nonce);
    offset = 301_000;
    expect(await relay.answer(open, proof)).toMatchObject(unknown);
    expect(await relay.poll(open)).toMatchObject(unknown);
    expect(await relay.poll(done)).toMatchObject(unknown);
  });

  it("400: mode=proof asks a sign-in for what it is not, and takes nothing away", async () => {
    const asked = await answeredSignIn();
    expect(await relay.poll(asked, "?mode=proof")).toMatchObject({ status: 400, body: { field: "mode" } });
    expect((await relay.poll(asked)).body).toMatchObject({ status: "completed" });
  });

  it("404 when its user withdrew meanwhile", async () => {
    const asked = await answeredSignIn();
    await h.db
      .updateTable("users")
      .set({ deleted_at: new Date() })
      .where("nickname_set", "=", false)
      .execute();
    expect(await relay.poll(asked)).toMatchObject(unknown);
  });

  it("of 20 answers at once one counts, and one user is made", async () => {
    const asked = await relay.ask();
    const { nonce } = await relay.look(asked);
    const before = await countUsers();
    const answers = await Promise.all(Array.from({ length: 20 }, () => relay.answer(asked, proofFor(nonce))));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, ...Array(19).fill(409)]);
    expect(await countUsers()).toBe(before + 1);
    expect((await relay.poll(asked)).body).toMatchObject({ status: "completed" });
  });

  it("of 20 polls at once one starts a session", async () => {
    const asked = await answeredSignIn();
    const polls = await Promise.all(Array.from({ length: 20 }, () => relay.poll(asked)));
    expect(polls.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(polls.filter(({ headers }) => headers.has("set-cookie"))).toHaveLength(1);
    const { userId } = Object(polls.find(({ status }) => status === 200)?.body);
    const sessions = await h.db.selectFrom("sessions").select("id").where("user_id", "=", userId).execute();
    expect(sessions).toHaveLength(1);
  });
});

async function countUsers(): Promise<number> {
  return (await h.db.selectFrom("users").select("id").execute()).length;
}

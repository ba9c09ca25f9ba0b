import { numberToHex } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { scopeWord } from "@/lib/proofs/derivations";
import { FIELD_MODULUS } from "@/lib/proofs/words";
import { createHarness, type Harness } from "@/lib/testing/harness";
import { fakeChain, nullifier, proofBody, selfMadeModulus, testTrust } from "@/lib/testing/proofs";
import { verificationsOf } from "@/lib/testing/verifications";

let h: Harness;
let clockOffset = 0;
const chain = fakeChain();
const now = () => new Date(Date.now() + clockOffset);
beforeAll(async () => {
  h = await createHarness({ trust: testTrust, verify: chain.verify, now });
});
afterAll(async () => await h.close());
beforeEach(() => {
  chain.answer = "valid";
  chain.asked.length = 0;
  clockOffset = 0;
});

const seconds = () => Math.floor(now().getTime() / 1000);
const challenge = (token?: string) => h.clientFor(token).call(contract.auth.challenge, {});
const verify = (challengeId: string, result: unknown, extra: object = {}) =>
  h.send("POST", "/api/auth/verify/ai", { body: { challengeId, result, ...extra } });

let identities = 100;
/** An identity no other test uses. */
const somebody = () => {
  identities += 1;
  return nullifier(identities);
};

describe("200: a proof that answers its challenge signs in", () => {
  it("makes the user at the first time and finds it again", async () => {
    const who = somebody();
    const first = await challenge();
    const answer = await verify(first.challengeId, proofBody({ nonce: first.nonce, nullifier: who }));
    expect(answer).toMatchObject({ status: 200, body: { needsNickname: true } });
    expect(answer.headers.get("set-cookie")).toMatch(/^zk-community-session=/);
    const second = await challenge();
    const again = await verify(second.challengeId, proofBody({ nonce: second.nonce, nullifier: who }));
    expect(again.body).toMatchObject({ userId: Object(answer.body).userId });
  });

  it("takes a token without nonce that is younger than the challenge (device flow)", async () => {
    const { challengeId } = await challenge();
    expect(await verify(challengeId, proofBody({ nullifier: somebody() }))).toMatchObject({ status: 200 });
  });

  it("takes the public inputs as one blob too", async () => {
    const { challengeId, nonce } = await challenge();
    const body = proofBody({ nonce, nullifier: somebody() });
    const blob = `0x${body.publicInputs.map((word) => word.slice(2)).join("")}`;
    expect((await verify(challengeId, { ...body, publicInputs: blob })).status).toBe(200);
  });

  it("keeps circuit, provider and domain for 30 days, and nothing that names the person", async () => {
    const who = somebody();
    const { challengeId, nonce } = await challenge();
    const body = proofBody({ nonce, nullifier: who, domain: "kept.example" });
    const { userId } = Object((await verify(challengeId, body)).body);
    expect(await verificationsOf(h, userId)).toMatchObject([
      { circuit: body.circuit, domain: "kept.example" },
    ]);
    const row = await h.db
      .selectFrom("verifications")
      .selectAll()
      .where("user_id", "=", userId)
      .executeTakeFirstOrThrow();
    expect(row.expires_at.getTime() - row.verified_at.getTime()).toBe(30 * 86_400_000);
    const stored = JSON.stringify([
      row,
      await h.db.selectFrom("users").selectAll().execute(),
      await h.db.selectFrom("used_proofs").selectAll().execute(),
    ]);
    expect(stored).not.toContain(who.slice(2));
    expect(stored).not.toContain(nonce);
  });

  it("asks our verifier about exactly what was sent; what the client says about verifiers and chains is not read", async () => {
    const { challengeId, nonce } = await challenge();
    const body = proofBody({ nonce, nullifier: somebody() });
    const forged = {
      verification: { chainId: 1, verifierAddress: `0x${"66".repeat(20)}`, rpcUrl: "http://evil.example" },
      verifierAddress: `0x${"66".repeat(20)}`,
      rpcUrl: "http://evil.example",
      chainId: 1,
      valid: true,
    };
    expect((await verify(challengeId, { ...body, ...forged }, forged)).status).toBe(200);
    expect(chain.asked).toEqual([
      { circuit: "oidc_domain_attestation", proof: body.proof, publicInputs: body.publicInputs },
    ]);
    chain.answer = "invalid";
    const next = await challenge();
    const refused = proofBody({ nonce: next.nonce, nullifier: somebody() });
    expect((await verify(next.challengeId, { ...refused, ...forged }, forged)).body).toMatchObject({
      code: "proof_invalid",
    });
  });
});

describe("each check alone refuses; nothing is asked of the chain, and the challenge stays open", () => {
  type Refused = [name: string, status: number, code: string, make: (nonce: string) => unknown];
  const words = (nonce: string) => proofBody({ nonce }).publicInputs;
  const withWord = (nonce: string, index: number, value: bigint) => ({
    ...proofBody({ nonce }),
    publicInputs: words(nonce).with(index, numberToHex(value, { size: 32 })),
  });
  const cases: Refused[] = [
    [
      "an unknown circuit",
      400,
      "unknown_circuit",
      (n) => ({ ...proofBody({ nonce: n }), circuit: "my_circuit" }),
    ],
    [
      "a circuit without configured verifier",
      400,
      "unknown_circuit",
      (n) => ({ ...proofBody({ nonce: n }), circuit: "network_eligibility" }),
    ],
    ["an empty proof", 400, "proof_malformed", (n) => ({ ...proofBody({ nonce: n }), proof: "0x" })],
    [
      "a public input too few",
      400,
      "proof_malformed",
      (n) => ({ ...proofBody({ nonce: n }), publicInputs: words(n).slice(1) }),
    ],
    [
      "a public input too many",
      400,
      "proof_malformed",
      (n) => ({ ...proofBody({ nonce: n }), publicInputs: [...words(n), words(n)[0]] }),
    ],
    [
      "a short word",
      400,
      "proof_malformed",
      (n) => ({ ...proofBody({ nonce: n }), publicInputs: ["0x00", ...words(n).slice(1)] }),
    ],
    ["half a blob", 400, "proof_malformed", (n) => ({ ...proofBody({ nonce: n }), publicInputs: "0x0011" })],
    [
      "a word above the field modulus",
      400,
      "proof_not_canonical",
      (n) => withWord(n, 100, FIELD_MODULUS + 1n),
    ],
    ["a byte word of 256", 400, "proof_not_canonical", (n) => withWord(n, 100, 256n)],
    ["a dirty tail of the domain", 400, "proof_not_canonical", (n) => withWord(n, 81, 1n)],
    ["a limb of 121 bits", 400, "proof_not_canonical", (n) => withWord(n, 0, 1n << 120n)],
    ["an unknown provider", 400, "proof_not_canonical", (n) => withWord(n, 147, 2n)],
    ["a dirty tail of the nonce", 400, "proof_not_canonical", (n) => withWord(n, 211, 1n)],
    [
      "another community's scope",
      400,
      "proof_wrong_scope",
      (n) => proofBody({ nonce: n, scope: scopeWord("somewhere-else") }),
    ],
    [
      "a self-signed issuer",
      400,
      "proof_untrusted_issuer",
      (n) => proofBody({ nonce: n, modulus: selfMadeModulus }),
    ],
    [
      "the right key under another provider's rules",
      400,
      "proof_untrusted_issuer",
      (n) => proofBody({ nonce: n, provider: "provider_b" }),
    ],
    ["a nonce of its own", 400, "proof_wrong_challenge", () => proofBody({ nonce: "my-own-nonce" })],
    [
      "a nonce that spans a quote",
      400,
      "proof_not_canonical",
      (n) => withWord(n, 148, BigInt('"'.charCodeAt(0))),
    ],
    ["no nonce, 11 minutes old", 400, "proof_stale", () => proofBody({ iat: seconds() - 660 })],
    ["no nonce, older than the challenge", 400, "proof_stale", () => proofBody({ iat: seconds() - 5 })],
    ["no nonce, from the future", 400, "proof_stale", () => proofBody({ iat: seconds() + 120 })],
  ];
  it.each(cases)("%s: %i %s", async (_, status, code, make) => {
    const { challengeId, nonce } = await challenge();
    expect(await verify(challengeId, make(nonce))).toMatchObject({ status, body: { code } });
    expect(chain.asked).toEqual([]);
    expect((await verify(challengeId, proofBody({ nonce, nullifier: somebody() }))).status).toBe(200);
  });

  it("401 challenge_unknown: one that never was", async () => {
    expect(await verify("ch_nothing", proofBody())).toMatchObject({
      status: 401,
      body: { code: "challenge_unknown" },
    });
  });

  it("401 challenge_unknown: after five minutes", async () => {
    const { challengeId, nonce, expiresIn } = await challenge();
    expect(expiresIn).toBe(300);
    clockOffset = 301_000;
    expect((await verify(challengeId, proofBody({ nonce, nullifier: somebody() }))).body).toMatchObject({
      code: "challenge_unknown",
    });
  });
});

describe("the chain's word", () => {
  it("400 proof_invalid when it says no, and the challenge stays open for the right proof", async () => {
    const { challengeId, nonce } = await challenge();
    const body = proofBody({ nonce, nullifier: somebody() });
    chain.answer = "invalid";
    expect(await verify(challengeId, body)).toMatchObject({ status: 400, body: { code: "proof_invalid" } });
    chain.answer = "valid";
    expect((await verify(challengeId, body)).status).toBe(200);
  });

  it("503 verification_unavailable when it cannot be asked, with retry-after, and nothing is used up", async () => {
    const { challengeId, nonce } = await challenge();
    const body = proofBody({ nonce, nullifier: somebody() });
    chain.answer = "unavailable";
    const answer = await verify(challengeId, body);
    expect(answer).toMatchObject({ status: 503, body: { code: "verification_unavailable" } });
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(JSON.stringify(answer.body)).not.toContain("asleep");
    chain.answer = "valid";
    expect((await verify(challengeId, body)).status).toBe(200);
  });
});

describe("stolen and repeated proofs", () => {
  it("a proof under the thief's own challenge is refused", async () => {
    const victim = await challenge();
    const thief = await challenge();
    const stolen = proofBody({ nonce: victim.nonce, nullifier: somebody() });
    expect((await verify(thief.challengeId, stolen)).body).toMatchObject({ code: "proof_wrong_challenge" });
    expect((await verify(victim.challengeId, stolen)).status).toBe(200);
  });

  it("the same proof again: 401, its challenge is used", async () => {
    const { challengeId, nonce } = await challenge();
    const body = proofBody({ nonce, nullifier: somebody() });
    await verify(challengeId, body);
    expect(await verify(challengeId, body)).toMatchObject({
      status: 401,
      body: { code: "challenge_unknown" },
    });
  });

  it("a proof without nonce again under another open challenge: 409", async () => {
    const [first, second] = [await challenge(), await challenge()];
    const body = proofBody({ nullifier: somebody() });
    expect((await verify(first.challengeId, body)).status).toBe(200);
    expect(await verify(second.challengeId, body)).toMatchObject({
      status: 409,
      body: { code: "proof_used" },
    });
    const upper = { ...body, publicInputs: body.publicInputs.map((w) => `0x${w.slice(2).toUpperCase()}`) };
    expect((await verify(second.challengeId, upper)).body).toMatchObject({ code: "proof_used" });
  });

  it("100 parallel sign-ins with one challenge and one proof: one session", async () => {
    const { challengeId, nonce } = await challenge();
    const body = proofBody({ nonce, nullifier: somebody() });
    const answers = await Promise.all(Array.from({ length: 100 }, () => verify(challengeId, body)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(99);
    expect(answers.filter(({ headers }) => headers.has("set-cookie"))).toHaveLength(1);
  });

  it("100 parallel sign-ins with one challenge and 100 proofs without nonce: one session", async () => {
    const { challengeId } = await challenge();
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => verify(challengeId, proofBody({ nullifier: somebody() }))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it("a signed-in user's challenge signs nobody else in", async () => {
    const who = somebody();
    const first = await challenge();
    const mine = await verify(first.challengeId, proofBody({ nonce: first.nonce, nullifier: who }));
    const { token } = Object(mine.body);
    const own = await challenge(token);
    const other = proofBody({ nonce: own.nonce, nullifier: somebody() });
    expect((await verify(own.challengeId, other)).body).toMatchObject({ code: "proof_wrong_challenge" });
    expect((await verify(own.challengeId, proofBody({ nonce: own.nonce, nullifier: who }))).status).toBe(200);
  });
});

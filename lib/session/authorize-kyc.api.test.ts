import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { countrySignalHash, eligibilitySignalHash, scopeWord } from "@/lib/proofs/derivations";
import { attestersOf } from "@/lib/proofs/trust/attesters";
import { allVerifiers } from "@/lib/testing/deployment";
import { createHarness, type Harness, type TestUser } from "@/lib/testing/harness";
import { countryBody, fakeChain, kycBody, nullifier, proofBody, testTrust } from "@/lib/testing/proofs";
import { verificationsOf } from "@/lib/testing/verifications";

/** What makes an eligibility proof acceptable, in joins and at sign-in. */
let h: Harness;
let clockOffset = 0;
const chain = fakeChain();
beforeAll(async () => {
  const now = () => new Date(Date.now() + clockOffset);
  h = await createHarness({
    trust: testTrust,
    verify: chain.verify,
    now,
    deployment: { verifiers: allVerifiers },
  });
});
afterAll(async () => await h.close());
beforeEach(() => {
  chain.answer = "valid";
  chain.asked.length = 0;
  clockOffset = 0;
});

const circuit = "network_eligibility";
const challenge = (token?: string) => h.clientFor(token).call(contract.auth.challenge, {});
const join = (user: TestUser, body: ReturnType<typeof kycBody>) =>
  h.services.acceptProof(body, { challengeId: null, userId: user.userId });
const verify = (challengeId: string, result: unknown) =>
  h.send("POST", "/api/auth/verify/ai", { body: { challengeId, result } });

let identities = 0;
/** An identity no other test uses. */
const somebody = () => {
  identities += 1;
  return nullifier(identities);
};

describe("a proof whose signal hash is that of the caller's own open challenge", () => {
  it("is accepted once, asks our verifier, and says nothing but that", async () => {
    const ada = await h.login("ada");
    const { nonce } = await challenge(ada.token);
    const body = kycBody({ nonce, nullifier: somebody() });
    const accepted = await join(ada, body);
    expect(accepted).toMatchObject({
      circuit,
      provider: null,
      domain: null,
      countries: null,
      countriesIncluded: null,
    });
    expect(chain.asked).toEqual([body]);
    await h.db.transaction().execute((trx) => accepted.consume(trx));
    await expect(h.db.transaction().execute((trx) => accepted.consume(trx))).rejects.toMatchObject({
      code: "proof_used",
      status: 409,
    });
    await expect(join(ada, body)).rejects.toMatchObject({ code: "proof_used" });
  });

  it("is accepted by the formula that guides name", async () => {
    const ada = await h.login("ada");
    const { nonce, scope } = await challenge(ada.token);
    const signalHash = scopeWord(`network_eligibility:${scope}:${nonce}`);
    await expect(join(ada, kycBody({ signalHash, nullifier: somebody() }))).resolves.toBeDefined();
  });

  it("is found among twenty challenges, and may name its own", async () => {
    const bob = await h.login("bob");
    const first = await challenge(bob.token);
    const { nonce, challengeId } = await challenge(bob.token);
    for (let i = 0; i < 19; i += 1) await challenge(bob.token);
    await expect(join(bob, kycBody({ nonce, nullifier: somebody() }))).resolves.toBeDefined();
    const old = kycBody({ nonce: first.nonce, nullifier: somebody() });
    await expect(join(bob, old)).rejects.toMatchObject({ code: "proof_wrong_challenge" });
    const named = (id: string) => h.services.acceptProof(old, { challengeId: id, userId: bob.userId });
    await expect(named(first.challengeId)).resolves.toBeDefined();
    await expect(named(challengeId)).rejects.toMatchObject({ code: "proof_wrong_challenge" });
  });

  it("is not crowded out by the challenges of others", async () => {
    const [fay, gus] = [await h.login("fay"), await h.login("gus")];
    const { nonce } = await challenge(fay.token);
    for (let i = 0; i < 21; i += 1) await challenge(i % 2 === 0 ? gus.token : undefined);
    await expect(join(fay, kycBody({ nonce, nullifier: somebody() }))).resolves.toBeDefined();
    await expect(join(fay, countryBody({ nullifier: somebody() }))).resolves.toBeDefined();
  });

  it("uses up that challenge and no other", async () => {
    const cleo = await h.login("cleo");
    const [first, second] = [await challenge(cleo.token), await challenge(cleo.token)];
    const accepted = await join(cleo, kycBody({ nonce: first.nonce, nullifier: somebody() }));
    await h.db.transaction().execute((trx) => accepted.consume(trx));
    const again = kycBody({ nonce: first.nonce, nullifier: somebody() });
    await expect(join(cleo, again)).rejects.toMatchObject({ code: "proof_wrong_challenge" });
    const other = kycBody({ nonce: second.nonce, nullifier: somebody() });
    await expect(join(cleo, other)).resolves.toBeDefined();
  });

  it("is one identity whatever the challenge, and another than the same nullifier of another circuit", async () => {
    const dan = await h.login("dan");
    const who = somebody();
    const hashes: string[] = [];
    for (const _ of [1, 2]) {
      const { nonce } = await challenge(dan.token);
      hashes.push((await join(dan, kycBody({ nonce, nullifier: who }))).identityHash);
    }
    hashes.push((await join(dan, countryBody({ nullifier: who }))).identityHash);
    hashes.push((await join(dan, proofBody({ nullifier: who }))).identityHash);
    expect(new Set(hashes).size).toBe(3);
    expect(hashes[0]).toBe(hashes[1]);
  });
});

describe("each check alone refuses before the chain is asked, and uses nothing up", () => {
  const action = { domainSeparator: nullifier(7), actionHash: nullifier(8) };
  type Refused = [name: string, code: string, make: (nonce: string) => ReturnType<typeof kycBody>];
  const cases: Refused[] = [
    ["a nonce of its own", "proof_wrong_challenge", () => kycBody({ nonce: "my-own" })],
    [
      "the challenge under another scope",
      "proof_wrong_challenge",
      (nonce) => kycBody({ signalHash: eligibilitySignalHash(circuit, "elsewhere", nonce) }),
    ],
    [
      "the challenge under another circuit",
      "proof_wrong_challenge",
      (nonce) =>
        kycBody({ signalHash: eligibilitySignalHash("regional_attestation", "zk-community", nonce) }),
    ],
    ["no signal", "proof_wrong_challenge", () => kycBody({ signalHash: nullifier(0) })],
    [
      "an action, although the challenge is signed as well",
      "proof_wrong_challenge",
      (nonce) => kycBody({ nonce, action }),
    ],
    [
      "another community's scope",
      "proof_wrong_scope",
      (nonce) => kycBody({ nonce, scope: scopeWord("elsewhere") }),
    ],
    [
      "attesters of nobody's choice",
      "proof_untrusted_issuer",
      (nonce) => kycBody({ nonce, merkleRoot: nullifier(9) }),
    ],
    [
      "the production attesters in a development installation",
      "proof_untrusted_issuer",
      (nonce) => kycBody({ nonce, merkleRoot: attestersOf("production")[circuit].root }),
    ],
    [
      "the test network's attesters",
      "proof_wrong_circuit",
      (nonce) => kycBody({ nonce, merkleRoot: attestersOf("development").regional_attestation.root }),
    ],
    [
      "a proof of the test network's circuit",
      "proof_wrong_circuit",
      (nonce) => kycBody({ circuit: "regional_attestation", nonce }),
    ],
    [
      "a country proof under this circuit's name",
      "proof_wrong_circuit",
      () => ({ ...countryBody(), circuit }),
    ],
    [
      "an id-token proof under this circuit's name",
      "proof_wrong_circuit",
      () => ({ ...proofBody(), circuit }),
    ],
  ];

  it.each(cases)("%s: %s, in a join", async (_, code, make) => {
    const user = await h.login();
    const { nonce } = await challenge(user.token);
    await expect(join(user, make(nonce))).rejects.toMatchObject({ code, status: 400 });
    expect(chain.asked).toEqual([]);
    await expect(join(user, kycBody({ nonce, nullifier: somebody() }))).resolves.toBeDefined();
  });

  it.each(cases)("%s: %s, at sign-in", async (_, code, make) => {
    const { challengeId, nonce } = await challenge();
    expect(await verify(challengeId, make(nonce))).toMatchObject({ status: 400, body: { code } });
    expect(chain.asked).toEqual([]);
    expect((await verify(challengeId, kycBody({ nonce, nullifier: somebody() }))).status).toBe(200);
  });

  it("an action proof is told what it is good for", async () => {
    const user = await h.login();
    const { nonce } = await challenge(user.token);
    await expect(join(user, kycBody({ nonce, action }))).rejects.toThrow(/authorizes that action only/);
  });

  it("somebody else's challenge, a guest's, and none at all", async () => {
    const [ada, eve] = [await h.login("ada"), await h.login("eve")];
    const [adas, guests] = [await challenge(ada.token), await challenge()];
    for (const { nonce, challengeId } of [adas, guests]) {
      const body = kycBody({ nonce, nullifier: somebody() });
      for (const id of [null, challengeId]) {
        const call = h.services.acceptProof(body, { challengeId: id, userId: eve.userId });
        await expect(call).rejects.toMatchObject({ code: "proof_wrong_challenge" });
      }
    }
    expect(chain.asked).toEqual([]);
  });

  it("a challenge of five minutes ago", async () => {
    const user = await h.login();
    const { nonce } = await challenge(user.token);
    clockOffset = 301_000;
    const late = kycBody({ nonce, nullifier: somebody() });
    await expect(join(user, late)).rejects.toMatchObject({ code: "proof_wrong_challenge" });
    await challenge(user.token);
    await expect(join(user, late)).rejects.toMatchObject({ code: "proof_wrong_challenge" });
  });
});

describe("sign-in", () => {
  it("makes the user of this wallet in this community and finds it again", async () => {
    const who = somebody();
    const users: string[] = [];
    for (const _ of [1, 2]) {
      const { challengeId, nonce } = await challenge();
      const answer = await verify(challengeId, kycBody({ nonce, nullifier: who }));
      expect(answer).toMatchObject({ status: 200, body: { needsNickname: true } });
      users.push(Object(answer.body).userId);
    }
    expect(users[0]).toBe(users[1]);
    const kept = await verificationsOf(h, users[0] ?? "");
    expect(kept).toEqual([{ circuit, domain: null, countries: null, countriesIncluded: null }]);
  });

  it("is never by a country: nothing in such a proof was made for this sign-in", async () => {
    const { challengeId } = await challenge();
    const signalHash = countrySignalHash(
      `0x${"ab".repeat(20)}`,
      "zk-community",
      "partner_country_attestation",
    );
    expect(await verify(challengeId, countryBody({ signalHash, nullifier: somebody() }))).toMatchObject({
      status: 400,
      body: { code: "proof_wrong_circuit" },
    });
    expect(chain.asked).toEqual([]);
  });

  it("a proof on its way is worth nothing under another challenge", async () => {
    const [victim, thief] = [await challenge(), await challenge()];
    const stolen = kycBody({ nonce: victim.nonce, nullifier: somebody() });
    expect((await verify(thief.challengeId, stolen)).body).toMatchObject({ code: "proof_wrong_challenge" });
    expect((await verify(victim.challengeId, stolen)).status).toBe(200);
  });
});

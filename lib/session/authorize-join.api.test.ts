import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness } from "@/lib/testing/harness";
import { nullifier, proofBody, testTrust } from "@/lib/testing/proofs";

let h: Harness;
beforeAll(async () => {
  h = await createHarness({ trust: testTrust, verify: async () => "valid" });
});
afterAll(async () => await h.close());

const seconds = () => Math.floor(Date.now() / 1000);
const challenge = (token?: string) => h.clientFor(token).call(contract.auth.challenge, {});
const verify = (challengeId: string, result: unknown) =>
  h.send("POST", "/api/auth/verify/ai", { body: { challengeId, result } });

let identities = 0;
/** An identity no other test uses. */
const somebody = () => {
  identities += 1;
  return nullifier(identities);
};

describe("proofs handed in by a signed-in user (joins)", () => {
  const join = (userId: string, body: ReturnType<typeof proofBody>) =>
    h.services.acceptProof(body, { challengeId: null, userId });

  it("finds the user's own open challenge by the nonce", async () => {
    const ada = await h.login("ada");
    const { nonce } = await challenge(ada.token);
    const accepted = await join(ada.userId, proofBody({ nonce, nullifier: somebody() }));
    expect(accepted).toMatchObject({ domain: "example.org", provider: "provider_a" });
    await h.db.transaction().execute((trx) => accepted.consume(trx));
    await expect(h.db.transaction().execute((trx) => accepted.consume(trx))).rejects.toMatchObject({
      code: "proof_used",
    });
  });

  it("takes a token without nonce that is younger than an open challenge of this user, and only then", async () => {
    const bob = await h.login("bob");
    await expect(join(bob.userId, proofBody({ nullifier: somebody() }))).rejects.toMatchObject({
      code: "proof_stale",
    });
    await challenge(bob.token);
    await expect(join(bob.userId, proofBody({ iat: seconds() - 5 }))).rejects.toMatchObject({
      code: "proof_stale",
    });
    await expect(join(bob.userId, proofBody({ nullifier: somebody() }))).resolves.toBeDefined();
  });

  it("refuses another user's challenge, and a guest's: whoever sees a proof could spend it", async () => {
    const [ada, bob] = [await h.login("ada"), await h.login("bob")];
    const foreign = await challenge(bob.token);
    const guests = await challenge();
    for (const { nonce } of [foreign, guests]) {
      await expect(join(ada.userId, proofBody({ nonce, nullifier: somebody() }))).rejects.toMatchObject({
        code: "proof_wrong_challenge",
      });
    }
  });

  it("refuses them also when the challenge is named by its id", async () => {
    const [ada, bob] = [await h.login("ada"), await h.login("bob")];
    const { nonce, challengeId } = await challenge(bob.token);
    const named = h.services.acceptProof(proofBody({ nonce, nullifier: somebody() }), {
      challengeId,
      userId: ada.userId,
    });
    await expect(named).rejects.toMatchObject({ code: "proof_wrong_challenge" });
  });

  it("refuses a proof that was used at sign-in: 409", async () => {
    const { challengeId } = await challenge();
    const body = proofBody({ nullifier: somebody() });
    const { token, userId } = Object((await verify(challengeId, body)).body);
    await challenge(token);
    await expect(join(userId, body)).rejects.toMatchObject({ code: "proof_used", status: 409 });
  });

  it("a join that fails after acceptance leaves proof and challenge unused", async () => {
    const cleo = await h.login("cleo");
    const { nonce } = await challenge(cleo.token);
    const body = proofBody({ nonce, nullifier: somebody() });
    const accepted = await join(cleo.userId, body);
    const failing = h.db.transaction().execute(async (trx) => {
      await accepted.consume(trx);
      throw new Error("the join failed");
    });
    await expect(failing).rejects.toThrow("the join failed");
    await expect(join(cleo.userId, body)).resolves.toBeDefined();
  });
});

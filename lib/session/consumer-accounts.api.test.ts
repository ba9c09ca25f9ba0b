import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { ANONYMOUS_ID } from "@/lib/contract/anonymous-author";
import { createHarness, type Harness } from "@/lib/testing/harness";
import { fakeChain, nullifier, proofBody, testTrust } from "@/lib/testing/proofs";

const chain = fakeChain();
let people = 9000;

/** Signs in with a proof of an address at this domain. @returns the answer */
async function signIn(h: Harness, domain: string, who = nullifier(people++)) {
  const { challengeId, nonce } = await h.guest.call(contract.auth.challenge, {});
  const result = proofBody({ nonce, nullifier: who, domain });
  return await h.send("POST", "/api/auth/verify/ai", { body: { challengeId, result } });
}
const harness = async (env: Record<string, string>) =>
  await createHarness({ verify: chain.verify, trust: testTrust, env });

describe("CONSUMER_ACCOUNTS=refuse", () => {
  let h: Harness;
  beforeAll(async () => {
    h = await harness({ CONSUMER_ACCOUNTS: "refuse" });
  });
  afterAll(() => h.close());

  it("403 consumer_account for a new account, and nothing of it remains", async () => {
    const refused = await signIn(h, "gmail.com");
    expect(refused).toMatchObject({ status: 403, body: { code: "consumer_account" } });
    // The one that stands for whoever writes anonymously is there from the beginning.
    const accounts = await h.db.selectFrom("users").select("id").execute();
    expect(accounts).toEqual([{ id: ANONYMOUS_ID }]);
    expect(await h.db.selectFrom("used_proofs").select("statement_hash").execute()).toEqual([]);
    expect(await signIn(h, "example.org")).toMatchObject({ status: 200 });
  });

  it("existing accounts go on", async () => {
    const before = await createHarness({
      verify: chain.verify,
      trust: testTrust,
      database: h.services.database,
    });
    const who = nullifier(people++);
    const first = await signIn(before, "gmail.com", who);
    expect(first.status).toBe(200);
    expect(await signIn(h, "gmail.com", who)).toMatchObject({
      status: 200,
      body: { userId: Object(first.body).userId },
    });
  });
});

describe("CONSUMER_ACCOUNTS=limit", () => {
  it("such accounts are new for longer", async () => {
    const h = await harness({ CONSUMER_ACCOUNTS: "limit", SPAM_LIMITS: "on" });
    const missing = async (domain: string) => {
      const { token } = Object((await signIn(h, domain)).body);
      const { newAccount } = await h.clientFor(String(token)).call(contract.profile.getLimits, {});
      return newAccount?.acceptedMissing;
    };
    expect([await missing("gmail.com"), await missing("example.org")]).toEqual([10, 3]);
    await h.close();
  });
});

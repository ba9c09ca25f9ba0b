import { type Hex, numberToHex } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { scopeWord } from "@/lib/proofs/derivations";
import { attestersOf } from "@/lib/proofs/trust/attesters";
import { FIELD_MODULUS } from "@/lib/proofs/words";
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

/** What makes a country proof acceptable, and how its bytes matter. */
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

const circuit = "partner_country_attestation";
const challenge = (token?: string) => h.clientFor(token).call(contract.auth.challenge, {});
const join = (user: TestUser, body: ProofBody, challengeId: string | null = null) =>
  h.services.acceptProof(body, { challengeId, userId: user.userId });

async function consume(user: TestUser, body: ProofBody): Promise<void> {
  const accepted = await join(user, body);
  await h.db.transaction().execute((trx) => accepted.consume(trx));
}

let identities = 0;
/** An identity no other test uses. */
const somebody = () => {
  identities += 1;
  return nullifier(identities);
};

const openChallenges = async (user: TestUser) =>
  (await h.db.selectFrom("challenges").select("id").where("user_id", "=", user.userId).execute()).length;

describe("a country proof in a join", () => {
  it("says the list and on which side of it the holder lives", async () => {
    const ada = await h.login("ada");
    await challenge(ada.token);
    const body = countryBody({ nullifier: somebody() });
    expect(await join(ada, body)).toMatchObject({
      circuit,
      domain: null,
      countries: ["KR", "JP"],
      countriesIncluded: true,
    });
    expect(chain.asked).toEqual([body]);
    const elsewhere = countryBody({ countries: ["KP"], isIncluded: false, nullifier: somebody() });
    expect(await join(ada, elsewhere)).toMatchObject({ countries: ["KP"], countriesIncluded: false });
  });

  it("needs an open challenge of this user, and uses one up: the youngest, or the one named", async () => {
    const [ada, bob] = [await h.login("ada_2"), await h.login("bob")];
    await challenge(bob.token);
    await challenge();
    const body = countryBody({ nullifier: somebody() });
    await expect(join(ada, body)).rejects.toMatchObject({ code: "proof_wrong_challenge", status: 400 });
    expect(chain.asked).toEqual([]);
    await challenge(ada.token);
    await challenge(ada.token);
    await consume(ada, body);
    expect(await openChallenges(ada)).toBe(1);
    await consume(ada, countryBody({ nullifier: somebody() }));
    expect(await openChallenges(ada)).toBe(0);
    const { challengeId } = await challenge(bob.token);
    const named = join(ada, countryBody({ nullifier: somebody() }), challengeId);
    await expect(named).rejects.toMatchObject({ code: "proof_wrong_challenge" });
  });

  it("takes no challenge of five minutes ago", async () => {
    const user = await h.login();
    await challenge(user.token);
    clockOffset = 301_000;
    const late = join(user, countryBody({ nullifier: somebody() }));
    await expect(late).rejects.toMatchObject({ code: "proof_wrong_challenge" });
  });

  it("is used once, by whomever, in whatever case it is written", async () => {
    const [ada, eve] = [await h.login("ada"), await h.login("eve")];
    const body = countryBody({ nullifier: somebody() });
    await challenge(ada.token);
    await consume(ada, body);
    const upper: ProofBody = { ...body, proof: `0x${body.proof.slice(2).toUpperCase()}` };
    for (const user of [ada, eve]) {
      await challenge(user.token);
      for (const again of [body, upper]) {
        await expect(join(user, again)).rejects.toMatchObject({ code: "proof_used", status: 409 });
      }
    }
  });

  it("may state the same thing again by a new proof, which a verification that ran out asks for", async () => {
    const ada = await h.login("ada");
    const facts = { nullifier: somebody() };
    for (const _ of [1, 2]) {
      await challenge(ada.token);
      await consume(ada, countryBody(facts));
    }
  });

  const refused: [name: string, code: string, facts: Parameters<typeof countryBody>[0]][] = [
    ["another community's scope", "proof_wrong_scope", { scope: scopeWord("elsewhere") }],
    ["attesters of nobody's choice", "proof_untrusted_issuer", { merkleRoot: nullifier(9) }],
    [
      "the production attesters in a development installation",
      "proof_untrusted_issuer",
      { merkleRoot: attestersOf("production")[circuit].root },
    ],
  ];
  it.each(refused)("is refused with %s: %s", async (_, code, facts) => {
    const user = await h.login();
    await challenge(user.token);
    const call = join(user, countryBody({ nullifier: somebody(), ...facts }));
    await expect(call).rejects.toMatchObject({ code, status: 400 });
    expect(chain.asked).toEqual([]);
    expect(await openChallenges(user)).toBe(1);
  });

  it("keeps challenge and proof when the chain says no, or nothing", async () => {
    const user = await h.login();
    await challenge(user.token);
    const body = countryBody({ nullifier: somebody() });
    for (const [answer, code] of [
      ["invalid", "proof_invalid"],
      ["unavailable", "verification_unavailable"],
    ] as const) {
      chain.answer = answer;
      await expect(join(user, body)).rejects.toMatchObject({ code });
    }
    chain.answer = "valid";
    await consume(user, body);
  });

  it("whose transaction fails leaves proof and challenge unused", async () => {
    const user = await h.login();
    await challenge(user.token);
    const body = countryBody({ nullifier: somebody() });
    const accepted = await join(user, body);
    const failing = h.db.transaction().execute(async (trx) => {
      await accepted.consume(trx);
      throw new Error("the join failed");
    });
    await expect(failing).rejects.toThrow("the join failed");
    await consume(user, body);
  });

  it("whose public inputs are another circuit's is named as such", async () => {
    const user = await h.login();
    await challenge(user.token);
    for (const other of [kycBody(), proofBody()]) {
      await expect(join(user, { ...other, circuit })).rejects.toMatchObject({
        code: "proof_wrong_circuit",
        message: expect.stringContaining(other.circuit),
      });
    }
  });
});

describe("the bytes of a proof of any circuit are read in one form", () => {
  /** Order of the BN254 base field (EIP-196), repeated here on purpose. */
  const q = 0x30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47n;
  const word = (value: bigint): string => numberToHex(value, { size: 32 }).slice(2);
  const rest = word(5n);
  const spellings: [name: string, code: string, proof: Hex][] = [
    ["a word that is the order", "proof_not_canonical", `0x${word(q)}${rest}`],
    ["a word that is the order and a little", "proof_not_canonical", `0x${rest}${word(q + 5n)}`],
    ["a word of ones", "proof_not_canonical", `0x${rest}${"ff".repeat(32)}${rest}`],
    ["a byte too many", "proof_not_canonical", `0x${rest}00`],
    ["a byte too few", "proof_not_canonical", `0x${rest.slice(2)}`],
    ["nothing", "proof_malformed", "0x"],
  ];
  const bodies = [
    (nonce: string) => proofBody({ nonce, nullifier: somebody() }),
    (nonce: string) => kycBody({ nonce, nullifier: somebody() }),
    () => countryBody({ nullifier: somebody() }),
  ];

  it.each(spellings)("%s: %s", async (_, code, proof) => {
    const user = await h.login();
    const { nonce } = await challenge(user.token);
    for (const body of bodies) {
      await expect(join(user, { ...body(nonce), proof })).rejects.toMatchObject({
        code,
        details: { field: "proof" },
      });
    }
    expect(chain.asked).toEqual([]);
  });

  it("the largest coordinate is one", async () => {
    const user = await h.login();
    const { nonce } = await challenge(user.token);
    for (const body of bodies) {
      const proof: Hex = `0x${word(q - 1n)}${word(FIELD_MODULUS)}`;
      await expect(join(user, { ...body(nonce), proof })).resolves.toBeDefined();
    }
  });
});

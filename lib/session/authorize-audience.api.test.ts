import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { contract } from "@/lib/contract";
import { createHarness, type Harness } from "@/lib/testing/harness";
import {
  deviceClientId,
  fakeChain,
  nullifier,
  proofBody,
  trustedModulus,
  webClientId,
} from "@/lib/testing/proofs";
import type { AcceptorParts } from "./authorize";

/** A second issuer of the same provider, with clients of its own. */
const partnerModulus = trustedModulus + 2n;
const partner = { webClientId: "partner-web", deviceClientId: "partner-agent" };
/** An issuer where one client serves browser and agents. */
const singleModulus = trustedModulus + 4n;
const single = { webClientId: "only-client", deviceClientId: "only-client" };
/** Two entries that share a key, as tenants of one provider do. */
const sharedModulus = trustedModulus + 6n;

const trust: AcceptorParts["trust"] = {
  async signersOf(provider, modulus) {
    if (provider !== "provider_a") return [];
    if (modulus === trustedModulus) return [{ webClientId, deviceClientId }];
    if (modulus === partnerModulus) return [partner];
    if (modulus === singleModulus) return [single];
    return modulus === sharedModulus ? [{ webClientId, deviceClientId }, partner] : [];
  },
};

let h: Harness;
const chain = fakeChain();
beforeAll(async () => {
  h = await createHarness({ trust, verify: chain.verify });
});
afterAll(async () => await h.close());
beforeEach(() => {
  chain.answer = "valid";
  chain.asked.length = 0;
});

const challenge = (token?: string) => h.clientFor(token).call(contract.auth.challenge, {});
const verify = (challengeId: string, result: unknown) =>
  h.send("POST", "/api/auth/verify/ai", { body: { challengeId, result } });

let identities = 500;
const somebody = () => {
  identities += 1;
  return nullifier(identities);
};

describe("a proof from another client's token", () => {
  type Refused = [name: string, facts: (nonce: string) => Parameters<typeof proofBody>[0]];
  const cases: Refused[] = [
    ["that carries our challenge's nonce", (nonce) => ({ nonce, audience: "another-client" })],
    ["without nonce, minutes old", () => ({ nonce: null, audience: "another-client" })],
    ["with a client id that ours begins with", (nonce) => ({ nonce, audience: webClientId.slice(0, -1) })],
    ["with a client id that begins with ours", (nonce) => ({ nonce, audience: `${webClientId}s` })],
    ["with our client id in capitals", (nonce) => ({ nonce, audience: webClientId.toUpperCase() })],
    ["with our client id at another issuer", (nonce) => ({ nonce, modulus: partnerModulus })],
    [
      "with another issuer's client id under our issuer's key",
      (nonce) => ({ nonce, audience: partner.webClientId }),
    ],
    ["of the web client, without nonce", () => ({ nonce: null, audience: webClientId })],
  ];

  it.each(cases)("%s is refused before the chain is asked, and uses nothing up", async (_, facts) => {
    const { challengeId, nonce } = await challenge();
    expect(await verify(challengeId, proofBody(facts(nonce)))).toMatchObject({
      status: 400,
      body: { code: "proof_wrong_audience" },
    });
    expect(chain.asked).toEqual([]);
    expect((await verify(challengeId, proofBody({ nonce, nullifier: somebody() }))).status).toBe(200);
  });

  it.each(cases)("%s is refused from a signed-in user too (joins)", async (_, facts) => {
    const user = await h.login();
    const { nonce } = await challenge(user.token);
    const join = h.services.acceptProof(proofBody(facts(nonce)), { challengeId: null, userId: user.userId });
    await expect(join).rejects.toMatchObject({ code: "proof_wrong_audience", status: 400 });
    expect(chain.asked).toEqual([]);
  });
});

describe("circuits F3: a proof of a service account", () => {
  it.each(["gserviceaccount.com", "free-project.iam.gserviceaccount.com", "appspot.gserviceaccount.com"])(
    "of %s, made for our device client without a browser, is refused and uses nothing up",
    async (domain) => {
      const { challengeId, nonce } = await challenge();
      for (const facts of [{ nonce: null, audience: deviceClientId }, { nonce }]) {
        expect(await verify(challengeId, proofBody({ ...facts, domain }))).toMatchObject({
          status: 400,
          body: { code: "proof_machine_account" },
        });
      }
      expect(chain.asked).toEqual([]);
      const person = proofBody({ nonce, nullifier: somebody(), domain: "notgserviceaccount.com" });
      expect((await verify(challengeId, person)).status).toBe(200);
    },
  );
});

describe("our own clients", () => {
  it.each([
    ["the web client with the challenge's nonce", { audience: webClientId }, true],
    ["the device client with the challenge's nonce", { audience: deviceClientId }, true],
    ["the device client without nonce", { audience: deviceClientId }, false],
    ["a partner's web client under its key", { audience: "partner-web", modulus: partnerModulus }, true],
    [
      "a partner's device client under its key",
      { audience: "partner-agent", modulus: partnerModulus },
      false,
    ],
    ["one client for both, without nonce", { audience: "only-client", modulus: singleModulus }, false],
    [
      "either entry's client under a shared key",
      { audience: "partner-agent", modulus: sharedModulus },
      false,
    ],
  ])("%s: 200", async (_, facts, withNonce) => {
    const { challengeId, nonce } = await challenge();
    const body = proofBody({ nonce: withNonce ? nonce : null, nullifier: somebody(), ...facts });
    expect((await verify(challengeId, body)).status).toBe(200);
  });

  it("a shared key does not make the web client's proof without nonce good", async () => {
    const { challengeId } = await challenge();
    const body = proofBody({ nonce: null, audience: "partner-web", modulus: sharedModulus });
    expect((await verify(challengeId, body)).body).toMatchObject({ code: "proof_wrong_audience" });
  });
});

describe("public inputs of the audience", () => {
  it("are read in their one form: none, a dirty tail and the shorter list of older proofs are refused", async () => {
    const { challengeId, nonce } = await challenge();
    const body = proofBody({ nonce });
    const word = (value: number): `0x${string}` => `0x${value.toString(16).padStart(64, "0")}`;
    for (const [index, value] of [
      [310, 0],
      [310, webClientId.length - 1],
      [310, 97],
      [309, 1],
      [214, 0x5c],
      [214, 256],
    ] as const) {
      const publicInputs = body.publicInputs.with(index, word(value));
      expect((await verify(challengeId, { ...body, publicInputs })).body).toMatchObject({
        code: "proof_not_canonical",
      });
    }
    const older = { ...body, publicInputs: body.publicInputs.slice(0, 214) };
    expect((await verify(challengeId, older)).body).toMatchObject({ code: "proof_malformed" });
    expect(chain.asked).toEqual([]);
  });
});

import { beforeAll, describe, expect, it } from "vitest";
import type { Issuer } from "../deployment";
import { ProofInputError, TrustConfigError, TrustUnavailableError } from "../errors";
import { type TestIssuer, testIssuer } from "../testing/tokens";
import { audienceProblem, createTrust, type KeyStore, type SeenKey } from "./index";
import { issuerMatches, type Jwk, rsa2048Modulus } from "./jwks";
import { googleIssuer, microsoftIssuer } from "./pinned";

const HOUR = 3_600_000;
const MINUTE = 60_000;
const google: Issuer = { ...googleIssuer, webClientId: "w", deviceClientId: "d" };
const microsoft: Issuer = { ...microsoftIssuer, webClientId: "w", deviceClientId: "d" };

let first: TestIssuer;
let second: TestIssuer;
let stranger: TestIssuer;
beforeAll(async () => {
  [first, second, stranger] = await Promise.all([testIssuer("k1"), testIssuer("k2"), testIssuer("k1")]);
});
const modulusOf = (issuer: TestIssuer) => rsa2048Modulus(issuer.jwk) ?? expect.fail("test key");

/** A network of key sets and a clock, both ours to change. */
function world(issuers: Issuer[] = [google], store?: KeyStore) {
  const state = { now: 1_800_000_000_000, keys: [] as Jwk[], up: true, fetched: [] as string[] };
  const fetchFn: typeof fetch = async (input) => {
    state.fetched.push(String(input));
    if (!state.up) throw new TypeError("network down");
    return Response.json({ keys: state.keys });
  };
  const trust = createTrust({ mode: "production", issuers }, { fetch: fetchFn, now: () => state.now, store });
  return { state, trust };
}

const tokenOf = (signer: TestIssuer, iss: string, now: number, aud = "d") =>
  signer.sign({ iss, aud, email: "a@b.c", email_verified: true, iat: now / 1000 - 5, exp: now / 1000 + 300 });

describe("trust", () => {
  it("fetches from the pinned address only, and caches", async () => {
    const { state, trust } = world();
    state.keys = [first.jwk];
    expect((await trust.keysFor(google, "k1")).keys).toEqual([first.jwk]);
    await trust.keysFor(google, "k1");
    expect(await trust.signersOf("provider_a", modulusOf(first))).toEqual([google]);
    expect(state.fetched).toEqual([googleIssuer.jwksUri]);
    state.now += HOUR;
    await trust.keysFor(google);
    expect(state.fetched).toHaveLength(2);
  });

  it("fetches once for callers at the same time", async () => {
    const { state, trust } = world();
    state.keys = [first.jwk];
    const sets = await Promise.all([
      trust.keysFor(google),
      trust.keysFor(google),
      trust.keysFor(google, "k1"),
    ]);
    expect(sets.map((set) => set.keys.length)).toEqual([1, 1, 1]);
    expect(state.fetched).toHaveLength(1);
  });

  it("refuses a self-signed issuer, also one that claims a pinned name", async () => {
    const { state, trust } = world();
    state.keys = [first.jwk];
    const request = { scope: "s", provider: "provider_a" as const };
    const own = await tokenOf(stranger, "https://self.test", state.now);
    await expect(trust.oidcInputs({ ...request, jwt: own })).rejects.toMatchObject({
      code: "ISSUER_NOT_TRUSTED",
    });
    const posing = await tokenOf(stranger, google.issuer, state.now);
    await expect(trust.oidcInputs({ ...request, jwt: posing })).rejects.toMatchObject({
      code: "TOKEN_SIGNATURE",
    });
    expect(await trust.signersOf("provider_a", modulusOf(stranger))).toEqual([]);
    expect(state.fetched.every((uri) => uri === googleIssuer.jwksUri)).toBe(true);
    const honest = await tokenOf(first, google.issuer, state.now);
    expect((await trust.oidcInputs({ ...request, jwt: honest })).facts.domain).toBe("b.c");
    await expect(trust.oidcInputs({ ...request, jwt: honest, provider: "provider_b" })).rejects.toMatchObject(
      {
        code: "PROVIDER_MISMATCH",
      },
    );
    await expect(trust.oidcInputs({ ...request, jwt: "x" })).rejects.toBeInstanceOf(ProofInputError);
  });

  it("trusts a key for its own provider only", async () => {
    const { state, trust } = world();
    state.keys = [first.jwk];
    expect(trust.issuerOf(google.issuer, "provider_a")).toEqual(google);
    expect(trust.issuerOf(google.issuer, "provider_b")).toBeNull();
    expect(await trust.signersOf("provider_b", modulusOf(first))).toEqual([]);
  });

  it("ties a key and our clients to one configured issuer", async () => {
    const partner: Issuer = { ...google, issuer: "https://p.test", jwksUri: "https://p.test/keys" };
    const sets = { [google.jwksUri]: [first.jwk], [partner.jwksUri]: [second.jwk] };
    const issuers = [google, { ...partner, webClientId: "pw", deviceClientId: "pd" }];
    const fetchFn: typeof fetch = async (uri) => Response.json({ keys: sets[String(uri)] });
    const now = 1_800_000_000_000;
    const trust = createTrust({ mode: "production", issuers }, { fetch: fetchFn, now: () => now });
    expect(await trust.signersOf("provider_a", modulusOf(first))).toEqual([issuers[0]]);
    expect(await trust.signersOf("provider_a", modulusOf(second))).toEqual([issuers[1]]);
    const request = { scope: "s", provider: "provider_a" as const };
    const own = await tokenOf(second, partner.issuer, now, "pd");
    expect((await trust.oidcInputs({ ...request, jwt: own })).facts.audience).toBe("pd");
    const crossed = await tokenOf(second, partner.issuer, now, "d");
    await expect(trust.oidcInputs({ ...request, jwt: crossed })).rejects.toMatchObject({
      code: "WRONG_AUDIENCE",
    });
  });

  it("refetches for an unknown key at most once a minute", async () => {
    const { state, trust } = world();
    state.keys = [first.jwk];
    await trust.keysFor(google, "k1");
    for (let i = 0; i < 20; i++) await trust.keysFor(google, `foreign-${i}`);
    expect(state.fetched).toHaveLength(1);
    state.now += MINUTE;
    state.keys = [second.jwk];
    await Promise.all([
      trust.keysFor(google, "k2"),
      trust.keysFor(google, "k2"),
      trust.signersOf("provider_a", 5n),
    ]);
    expect(state.fetched).toHaveLength(2);
    expect(await trust.signersOf("provider_a", modulusOf(second))).toEqual([google]);
  });

  it("keeps a rotated key for 24 hours after it was last seen, and no longer", async () => {
    const { state, trust } = world();
    state.keys = [first.jwk];
    await trust.keysFor(google);
    state.now += HOUR;
    state.keys = [second.jwk];
    await trust.keysFor(google);
    state.now += 22 * HOUR;
    expect(await trust.signersOf("provider_a", modulusOf(first))).toEqual([google]);
    expect((await trust.keysFor(google)).keys).toHaveLength(2);
    state.now += 2 * HOUR;
    expect(await trust.signersOf("provider_a", modulusOf(first))).toEqual([]);
    expect(await trust.signersOf("provider_a", modulusOf(second))).toEqual([google]);
  });

  it("lives through an outage with what it knows, then says it cannot tell", async () => {
    const { state, trust } = world();
    state.up = false;
    await expect(trust.keysFor(google)).rejects.toBeInstanceOf(TrustUnavailableError);
    await expect(trust.signersOf("provider_a", 5n)).rejects.toBeInstanceOf(TrustUnavailableError);
    expect(state.fetched).toHaveLength(1);
    state.up = true;
    state.keys = [first.jwk];
    state.now += 5000;
    await trust.keysFor(google);
    state.up = false;
    state.now += 20 * HOUR;
    expect(await trust.signersOf("provider_a", modulusOf(first))).toEqual([google]);
    state.now += 5 * HOUR;
    await expect(trust.signersOf("provider_a", modulusOf(first))).rejects.toBeInstanceOf(
      TrustUnavailableError,
    );
  });

  it("remembers rotated keys across a restart when given a store", async () => {
    const kept = new Map<string, readonly SeenKey[]>();
    const store: KeyStore = {
      read: async (issuer) => kept.get(issuer) ?? [],
      write: async (issuer, keys) => void kept.set(issuer, keys),
    };
    const before = world([google], store);
    before.state.keys = [first.jwk];
    await before.trust.keysFor(google);
    const after = world([google], store);
    after.state.keys = [second.jwk];
    expect(await after.trust.signersOf("provider_a", modulusOf(second))).toEqual([google]);
    expect(await after.trust.signersOf("provider_a", modulusOf(first))).toEqual([google]);
  });

  it("ignores keys it could not use and answers that are no key set", async () => {
    const { state, trust } = world();
    state.keys = [
      { ...first.jwk, e: "Aw" },
      { kty: "EC", kid: "ec" },
    ];
    await expect(trust.keysFor(google)).rejects.toBeInstanceOf(TrustUnavailableError);
    const huge = JSON.stringify({ keys: [first.jwk], x: "y".repeat(300_000) });
    for (const body of ["<html>", "{}", '{"keys":1}', huge]) {
      const fetchFn: typeof fetch = async () => new Response(body);
      const other = createTrust({ mode: "production", issuers: [google] }, { fetch: fetchFn });
      await expect(other.keysFor(google)).rejects.toBeInstanceOf(TrustUnavailableError);
    }
  });

  it("refuses development issuers, plain http and loose patterns at start", () => {
    const create =
      (change: Partial<Issuer>, mode: "production" | "development" = "production") =>
      () =>
        createTrust({ mode, issuers: [{ ...google, ...change }] });
    expect(create({ development: true })).toThrow(TrustConfigError);
    expect(create({ jwksUri: "http://keys.test" })).toThrow(TrustConfigError);
    expect(create({ issuer: "http://accounts.test" })).toThrow(TrustConfigError);
    expect(create({ issuer: "https://{tenantid}.test/" }, "development")).toThrow(TrustConfigError);
    expect(create({ issuer: "https://x.test/{tenantid}/{tenantid}" }, "development")).toThrow(
      TrustConfigError,
    );
    expect(create({ development: true, jwksUri: "http://localhost/keys" }, "development")).not.toThrow();
    expect(() => createTrust({ mode: "production", issuers: [google, microsoft] })).not.toThrow();
  });
});

describe("audienceProblem", () => {
  const clients = { webClientId: "web", deviceClientId: "device" };
  it.each([
    ["web", "n", null],
    ["web", null, "nonce_missing"],
    ["device", "n", null],
    ["device", null, null],
    ["other", "n", "foreign_client"],
    ["other", null, "foreign_client"],
    ["", null, "foreign_client"],
    ["web ", "n", "foreign_client"],
  ])("of a token for %j with nonce %j is %j", (audience, nonce, problem) => {
    expect(audienceProblem(clients, { audience, nonce })).toBe(problem);
  });

  it("is none without nonce where both clients are one", () => {
    const one = { webClientId: "web", deviceClientId: "web" };
    expect(audienceProblem(one, { audience: "web", nonce: null })).toBeNull();
  });
});

describe("issuerMatches", () => {
  it("takes a tenant where the pattern has one, and nothing else", () => {
    const tenant = "72f988bf-86f1-41af-91ab-2d7cd011db47";
    const at = (id: string) => `https://login.microsoftonline.com/${id}/v2.0`;
    expect(issuerMatches(microsoft.issuer, at(tenant))).toBe(true);
    for (const iss of [
      at("common"),
      at(`${tenant}/x`),
      at(tenant).replace("com", "com.evil.test"),
      `${at(tenant)}/`,
      "",
    ]) {
      expect(issuerMatches(microsoft.issuer, iss)).toBe(false);
    }
  });
});

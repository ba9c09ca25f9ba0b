import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { createVerifier, NotSignedIn, type Requirements } from "./server";

const [issuer, clientId] = ["https://parley.example", "2f0e6c7a-0000-4000-8000-000000000001"];
type Keys = Awaited<ReturnType<typeof generateKeyPair>>;
let keys: Keys;
let others: Keys;
let verify: ReturnType<typeof createVerifier>;

beforeAll(async () => {
  keys = await generateKeyPair("RS256");
  others = await generateKeyPair("RS256");
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: "one", alg: "RS256", use: "sig" };
  verify = createVerifier({ issuer, clientId, fetch: async () => Response.json({ keys: [jwk] }) });
});

interface Told {
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly by?: "us" | "others";
  readonly iss?: string;
  readonly aud?: string;
  /** Seconds since it was signed. */
  readonly age?: number;
  /** Seconds from then until it expires. */
  readonly lasts?: number;
}

/** A token as an installation signs it. */
async function tokenOf({ claims = {}, by = "us", iss = issuer, aud = clientId, age = 0, lasts = 600 }: Told) {
  const at = Math.floor(Date.now() / 1000) - age;
  return await new SignJWT({ ...claims })
    .setProtectedHeader({ alg: "RS256", kid: "one" })
    .setIssuer(iss)
    .setAudience(aud)
    .setSubject("s")
    .setIssuedAt(at)
    .setExpirationTime(at + lasts)
    .sign((by === "us" ? keys : others).privateKey);
}

const all = { domain: "acme.example", country_in: ["DE", "FR"], human: true, nonce: "n" };

describe("the verifier of tokens", () => {
  it("returns what a token says, also from an Authorization header", async () => {
    const token = await tokenOf({ claims: all });
    expect(await verify(token)).toMatchObject({ sub: "s", ...all });
    expect(await verify(`Bearer ${token}`)).toMatchObject({ sub: "s", ...all });
  });

  it.each<[string, Requirements]>([
    ["a domain", { domain: "acme.example" }],
    ["one of several domains", { domain: ["other.example", "acme.example"] }],
    ["countries", { countries: ["NL", "FR", "DE"] }],
    ["a person and a nonce", { human: true, nonce: "n" }],
  ])("takes one that fulfils %s", async (_, required) => {
    expect(await verify(await tokenOf({ claims: all }), required)).toMatchObject({ sub: "s" });
  });

  it.each<[string, Requirements, object]>([
    ["another domain", { domain: "other.example" }, all],
    ["no domain", { domain: "acme.example" }, {}],
    ["a country too many", { countries: ["DE"] }, all],
    ["no countries", { countries: ["DE"] }, {}],
    ["an empty list of countries", { countries: ["DE"] }, { country_in: [] }],
    ["nobody verified", { human: true }, { human: "yes" }],
    ["another nonce", { nonce: "m" }, all],
  ])("refuses one with %s", async (_, required, claims) => {
    await expect(verify(await tokenOf({ claims: { ...claims } }), required)).rejects.toThrow(NotSignedIn);
  });

  it.each<[string, Told]>([
    ["that others signed", { by: "others" }],
    ["of another installation", { iss: "https://other.example" }],
    ["for another app", { aud: "2f0e6c7a-0000-4000-8000-000000000002" }],
    ["that has expired", { age: 700 }],
    ["that is old, however long it lasts", { age: 700, lasts: 86_400 }],
    ["from the future", { age: -120 }],
  ])("refuses one %s", async (_, told) => {
    await expect(verify(await tokenOf(told))).rejects.toThrow(NotSignedIn);
  });

  it.each([null, undefined, "", "Bearer", "x.y.z", "Basic abc"])("refuses %s", async (presented) => {
    await expect(verify(presented)).rejects.toThrow(NotSignedIn);
  });

  it("refuses one that nobody signed", async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer, aud: clientId, sub: "s", iat: now, exp: now + 600 };
    await expect(verify(`${part({ alg: "none" })}.${part(claims)}.`)).rejects.toThrow(NotSignedIn);
  });
});

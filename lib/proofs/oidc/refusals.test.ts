import { beforeAll, describe, expect, it } from "vitest";
import { ProofInputError } from "../errors";
import { claims, clients, ISS, NOW, TENANT, without } from "../testing/claims";
import { type TestIssuer, testIssuer, unsignedToken } from "../testing/tokens";
import { buildOidcInputs, type OidcInputsRequest } from "./inputs";

let google: TestIssuer;
beforeAll(async () => {
  google = await testIssuer("key-1");
});

const base = () => ({
  jwks: { keys: [google.jwk] },
  issuer: { issuer: ISS, provider: "provider_a" as const, ...clients },
  scope: "zk-community",
  provider: "provider_a" as const,
  now: NOW * 1000,
});
const build = (jwt: string, over: Partial<OidcInputsRequest> = {}) =>
  buildOidcInputs({ ...base(), jwt, ...over });

describe("refusals", () => {
  const secret = "sEcReT-value";
  async function refused(jwt: string, code: string, field: string, over: Partial<OidcInputsRequest> = {}) {
    const error = await build(jwt, over).then(
      () => expect.fail(`accepted, expected ${code}`),
      (e: unknown) => e,
    );
    expect(error).toBeInstanceOf(ProofInputError);
    expect(error).toMatchObject({ code, field });
    const said = String(error);
    for (const content of [secret, "lovelace", "example.com", claims.nonce, ISS])
      expect(said).not.toContain(content);
  }

  it("of what is not a token", async () => {
    for (const jwt of [
      "",
      "a.b",
      "a.b.c.d",
      `${"a".repeat(9000)}.b.c`,
      "e30.e30.",
      "!!.e30.AA",
      `e30.${secret}=.AA`,
    ]) {
      await refused(jwt, "TOKEN_MALFORMED", "jwt");
    }
    await refused(unsignedToken({ alg: "RS256" }, `{"email":${secret}}`), "TOKEN_MALFORMED", "jwt");
    await refused(unsignedToken({ alg: "RS256" }, `["${secret}"]`), "TOKEN_MALFORMED", "jwt");
    await refused(unsignedToken({ alg: "RS256" }, `${JSON.stringify(claims)} `), "TOKEN_MALFORMED", "jwt");
    await refused(unsignedToken({ kid: "key-1" }, JSON.stringify(claims)), "TOKEN_MALFORMED", "jwt");
    // The last character's unused bits: one token, two spellings.
    const [h = "", p = "", s = ""] = unsignedToken(
      { alg: "RS256", kid: "key-1" },
      JSON.stringify(claims),
    ).split(".");
    expect(s.endsWith("Q")).toBe(true);
    await refused(`${h}.${p}.${s.slice(0, -1)}R`, "TOKEN_MALFORMED", "jwt");
  });

  it("of wrong keys and signatures", async () => {
    const jwt = await google.sign(claims);
    const [h = "", p = "", s = ""] = jwt.split(".");
    const other = await testIssuer("key-1");
    const small = await testIssuer("small", 3072);
    await refused(await other.sign(claims), "TOKEN_SIGNATURE", "jwt");
    await refused(
      await google.sign({ ...claims, sub: "x" }).then((t) => `${h}.${t.split(".")[1]}.${s}`),
      "TOKEN_SIGNATURE",
      "jwt",
    );
    expect(p).not.toBe("");
    await refused(await google.sign(claims, { kid: "key-2" }), "KEY_UNKNOWN", "jwt");
    await refused(await google.sign(claims, { kid: undefined }), "KEY_UNKNOWN", "jwt");
    await refused(jwt, "KEY_UNKNOWN", "jwt", { jwks: { keys: [] } });
    await refused(await small.sign(claims), "KEY_UNSUPPORTED", "jwt", { jwks: { keys: [small.jwk] } });
    for (const change of [{ e: "Aw" }, { kty: "EC" }, { use: "enc" }, { alg: "PS256" }, { n: undefined }]) {
      await refused(jwt, "KEY_UNSUPPORTED", "jwt", { jwks: { keys: [{ ...google.jwk, ...change }] } });
    }
    await refused(jwt, "KEY_UNKNOWN", "jwt", {
      jwks: { keys: [{ ...google.jwk, issuer: "https://other.test" }] },
    });
    for (const alg of ["HS256", "none", "RS384", "PS256"]) {
      await refused(unsignedToken({ alg, kid: "key-1" }, JSON.stringify(claims)), "TOKEN_ALG", "jwt");
    }
  });

  it("of foreign issuers and providers", async () => {
    await refused(await google.sign({ ...claims, iss: "https://evil.test" }), "ISSUER_NOT_TRUSTED", "iss");
    await refused(await google.sign({ ...claims, iss: `${ISS}/` }), "ISSUER_NOT_TRUSTED", "iss");
    await refused(await google.sign({ ...claims, xms_edov: true }), "PROVIDER_MISMATCH", "provider", {
      provider: "provider_b",
    });
    const pattern = { ...base().issuer, issuer: "https://login.example.test/{tenantid}/v2.0" };
    for (const tenant of ["x", "", `${TENANT}/evil`, `${TENANT}.evil`, "{tenantid}"]) {
      const iss = `https://login.example.test/${tenant}/v2.0`;
      await refused(await google.sign({ ...claims, iss }), "ISSUER_NOT_TRUSTED", "iss", { issuer: pattern });
    }
  });

  it("of missing, doubled, nested and mistyped claims", async () => {
    for (const key of ["iss", "exp", "iat", "email"] as const) {
      await refused(await google.sign(without(key)), "CLAIM_MISSING", key);
    }
    await refused(
      await google.sign({ ...without("email"), profile: { email: claims.email } }),
      "CLAIM_MISSING",
      "email",
    );
    const text = JSON.stringify(claims);
    await refused(
      await google.sign(text.replace(/}$/, ',"email":"a@victim.com"}')),
      "CLAIM_INVALID",
      "email",
    );
    await refused(await google.sign(text.replace('"email":', '"email" :')), "CLAIM_INVALID", "email");
    await refused(await google.sign(text.replace('"email":', '"email": ')), "CLAIM_INVALID", "email");
    await refused(await google.sign(text.replace('"iat":', ' "iat":')), "CLAIM_INVALID", "iat");
    for (const [key, value] of [
      ["email", 5],
      ["email", null],
      ["email", ["a@b.c"]],
      ["iat", `${NOW}`],
      ["iat", 1.5],
      ["iat", -1],
      ["iat", 999_999_999],
      ["exp", "never"],
      ["nonce", 7],
      ["nonce", ""],
      ["nonce", "x".repeat(65)],
      ["nonce", '"@victim.com'],
      ["nonce", "a\\b"],
      ["nonce", "é"],
    ] as const) {
      await refused(await google.sign({ ...claims, [key]: value }), "CLAIM_INVALID", key);
    }
  });

  it("of tokens that were made for somebody else's client", async () => {
    for (const aud of ["other-client", "client2", "clien", "Client", "client ", `${ISS}/client`]) {
      await refused(await google.sign({ ...claims, aud }), "WRONG_AUDIENCE", "jwt");
    }
    // Our clients at another issuer are nobody's here.
    const elsewhere = { ...base().issuer, webClientId: "w", deviceClientId: "d" };
    await refused(await google.sign(claims), "WRONG_AUDIENCE", "jwt", { issuer: elsewhere });
  });

  it("circuits F3: of service accounts, which one cloud project makes by the dozen for any audience", async () => {
    for (const domain of [
      "gserviceaccount.com",
      "p.iam.gserviceaccount.com",
      "developer.gserviceaccount.com",
    ]) {
      const robot = { ...without("nonce"), aud: clients.deviceClientId, email: `robot@${domain}` };
      await refused(await google.sign(robot), "MACHINE_ACCOUNT", "email");
    }
    // Domains that only look alike are anybody's.
    for (const domain of ["notgserviceaccount.com", "gserviceaccount.com.example"]) {
      const person = { ...claims, email: `person@${domain}` };
      expect((await build(await google.sign(person))).facts.domain).toBe(domain);
    }
  });

  it("of tokens of the web client without a nonce, which it always sends", async () => {
    const aud = clients.webClientId;
    await refused(await google.sign({ ...without("nonce"), aud }), "WRONG_AUDIENCE", "jwt");
    expect((await build(await google.sign({ ...claims, aud }))).facts.audience).toBe(aud);
    const one = { ...base().issuer, deviceClientId: aud };
    const bare = await build(await google.sign({ ...without("nonce"), aud }), { issuer: one });
    expect(bare.facts).toMatchObject({ audience: aud, nonce: null });
  });

  it("of audiences that are missing, lists, too long or no plain text", async () => {
    await refused(await google.sign(without("aud")), "CLAIM_MISSING", "jwt");
    await refused(await google.sign({ ...without("aud"), extra: { aud: "client" } }), "CLAIM_MISSING", "jwt");
    const escaped = JSON.stringify(claims).replace('"aud":"client"', '"aud":"\\u0063lient"');
    for (const wrong of [[], ["client"], ["client", "other"], "", 7, null, "é", "a\\b", "c".repeat(97)]) {
      await refused(await google.sign({ ...claims, aud: wrong }), "CLAIM_INVALID", "jwt");
    }
    await refused(await google.sign(escaped), "CLAIM_INVALID", "jwt");
  });

  it("of what the circuit cannot walk over: deep nesting, a nonce inside another claim", async () => {
    await refused(await google.sign({ ...claims, deep: [[[[[[1]]]]]] }), "TOKEN_MALFORMED", "jwt");
    expect((await build(await google.sign({ ...claims, deep: [[[[["[[["]]]]] }))).facts.domain).toBe(
      "example.com",
    );
    expect((await build(await google.sign({ deep: [[[[[[1]]]]]], ...claims }))).facts.domain).toBe(
      "example.com",
    );
    await refused(
      await google.sign({ ...without("nonce"), extra: { nonce: "x" } }),
      "CLAIM_INVALID",
      "nonce",
    );
    const quoted = await build(await google.sign({ ...without("nonce"), extra: '"nonce":"x"' }));
    expect(quoted.facts.nonce).toBeNull();
  });

  it("of emails the circuit would not take", async () => {
    const long = `${"a".repeat(64)}@${"d".repeat(60)}.com`;
    const wide = `a@${"d".repeat(65)}`;
    for (const email of [
      "nobody",
      "@b.c",
      "a@",
      "a@b@c",
      "a@Example.com",
      "a@ex_ample.com",
      "a b@c.d",
      'a"@b.c',
      "a\\@b.c",
      "é@b.c",
      "a@b c",
      long,
      wide,
    ]) {
      await refused(await google.sign({ ...claims, email }), "CLAIM_INVALID", "email");
    }
  });

  it("of emails nobody vouches for", async () => {
    await refused(await google.sign(without("email_verified")), "EMAIL_NOT_VERIFIED", "email_verified");
    for (const value of [false, "true", 1, null]) {
      await refused(
        await google.sign({ ...claims, email_verified: value }),
        "EMAIL_NOT_VERIFIED",
        "email_verified",
      );
    }
    const issuer = { ...base().issuer, provider: "provider_b" as const };
    for (const value of [false, 0, "0", "false", "yes"]) {
      const jwt = await google.sign({ ...claims, xms_edov: value });
      await refused(jwt, "EMAIL_NOT_VERIFIED", "xms_edov", { provider: "provider_b", issuer });
    }
  });

  it("of tokens out of their time, and of an empty scope", async () => {
    await refused(await google.sign({ ...claims, exp: NOW - 61 }), "TOKEN_EXPIRED", "exp");
    await refused(await google.sign({ ...claims, iat: NOW + 120 }), "TOKEN_NOT_YET_VALID", "iat");
    await refused(await google.sign(claims), "SCOPE_INVALID", "scope", { scope: "" });
  });
});

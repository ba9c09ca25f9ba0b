import { sha256 } from "@noble/hashes/sha2.js";
import fc from "fast-check";
import { base64url } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { oidcNullifier, scopeWord, sha256State } from "../derivations";
import { ProofInputError } from "../errors";
import { decodeOidcPublicInputs } from "../layouts/oidc";
import { type TestIssuer, testIssuer, unsignedToken } from "../testing/tokens";
import { rsa2048Modulus } from "../trust/jwks";
import { fromLimbs } from "../words";
import { oidcFacts, peekToken } from "./claims";
import { buildOidcInputs, type OidcInputs, type OidcInputsRequest, partialCut } from "./inputs";

const NOW = 1_800_000_000;
const ISS = "https://accounts.example.test";
const TENANT = "0a1b2c3d-0000-4000-8000-0123456789ab";
const claims = {
  iss: ISS,
  aud: "client",
  sub: "1234567890",
  email: "ada.lovelace@example.com",
  email_verified: true,
  nonce: "n0nce-_",
  iat: NOW - 5,
  exp: NOW + 3600,
};

let google: TestIssuer;
beforeAll(async () => {
  google = await testIssuer("key-1");
});

const base = () => ({
  jwks: { keys: [google.jwk] },
  issuer: { issuer: ISS, provider: "provider_a" as const },
  scope: "zk-community",
  provider: "provider_a" as const,
  now: NOW * 1000,
});
const build = (jwt: string, over: Partial<OidcInputsRequest> = {}) =>
  buildOidcInputs({ ...base(), jwt, ...over });
const without = (key: keyof typeof claims) =>
  Object.fromEntries(Object.entries(claims).filter(([k]) => k !== key));

/** What the circuit does with the private part, redone in plain code. */
function replay(built: OidcInputs, jwt: string, verifiedKey = "email_verified") {
  const { inputs } = built;
  const partial = Uint8Array.from(inputs.partial_data.storage.slice(0, inputs.partial_data.len));
  const [header = "", payload = ""] = jwt.split(".");
  const signed = new TextEncoder().encode(`${header}.${payload}`);
  const before = signed.length - partial.length;
  expect(before % 64).toBe(0);
  expect(inputs.full_data_length).toBe(signed.length);
  expect(inputs.partial_hash).toEqual(sha256State(signed.slice(0, before)));

  const decoded = base64url.decode(new TextDecoder().decode(partial.subarray(inputs.base64_decode_offset)));
  const text = String.fromCharCode(...decoded);
  expect(text.endsWith("}")).toBe(true);
  const at = (index: number, literal: string) => {
    expect(text.slice(index, index + literal.length)).toBe(literal);
    expect("{,").toContain(text[index - 1]);
  };
  at(inputs.email_index, '"email":"');
  expect(text.substr(inputs.email_index + 9, inputs.email_length)).toMatch(/^[^"]+$/);
  expect(text[inputs.email_index + 9 + inputs.email_length]).toBe('"');
  at(inputs.email_verified_index, `"${verifiedKey}":`);
  at(inputs.iat_index, `"iat":${built.facts.iat}`);
  if (built.facts.nonce === null) expect(inputs.nonce_index).toBe(0);
  else at(inputs.nonce_index, `"nonce":"${built.facts.nonce}"`);

  const n = fromLimbs(inputs.pubkey_modulus_limbs.map(BigInt));
  const s = fromLimbs(inputs.signature_limbs.map(BigInt));
  let power = s;
  for (let i = 0; i < 16; i++) power = (power * power) % n;
  expect(((power * s) % n).toString(16).slice(-64)).toBe(Buffer.from(sha256(signed)).toString("hex"));
}

describe("buildOidcInputs", () => {
  it("gives inputs and the expected public words of an honest token", async () => {
    const jwt = await google.sign(claims);
    const built = await build(jwt);
    const scope = scopeWord("zk-community");
    expect(built.facts).toEqual({
      modulus: rsa2048Modulus(google.jwk),
      domain: "example.com",
      scope,
      nullifier: oidcNullifier(claims.email, scope),
      provider: "provider_a",
      nonce: claims.nonce,
      iat: claims.iat,
    });
    expect(decodeOidcPublicInputs(built.publicInputs)).toEqual(built.facts);
    expect(JSON.stringify(built.inputs)).not.toContain("lovelace");
    replay(built, jwt);
    expect(oidcFacts(jwt, base())).toEqual({ ...built.facts, modulus: undefined });
    expect(peekToken(jwt)).toEqual({ iss: ISS, kid: "key-1" });
  });

  it("points at the right bytes for any claim order, length and alignment", async () => {
    const orders = fc.record({
      order: fc.shuffledSubarray(Object.keys(claims), { minLength: Object.keys(claims).length }),
      sub: fc.stringMatching(/^[a-z0-9]{1,70}$/),
      name: fc.option(fc.string({ unit: "grapheme", maxLength: 20 })),
      nested: fc.option(
        fc.constantFrom({ email: "x@victim.com" }, ["email", '"email":"a@b"'], { a: [{ iat: 1 }] }),
      ),
      withNonce: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(orders, async ({ order, sub, name, nested, withNonce }) => {
        const payload: Record<string, unknown> = {};
        if (name !== null) payload.name = name;
        for (const key of order) payload[key] = key === "sub" ? sub : claims[key as keyof typeof claims];
        if (!withNonce) delete payload.nonce;
        if (nested !== null) payload.extra = nested;
        const jwt = await google.sign(payload);
        const built = await build(jwt);
        expect(built.facts.nonce).toBe(withNonce ? claims.nonce : null);
        replay(built, jwt);
      }),
      { numRuns: 60 },
    );
  });

  it("accepts every yes of provider_b, and a tenant of a pinned pattern", async () => {
    for (const yes of [true, 1, "1", "true"]) {
      const iss = `https://login.example.test/${TENANT}/v2.0`;
      const jwt = await google.sign({ ...without("email_verified"), iss, xms_edov: yes });
      const built = await build(jwt, {
        provider: "provider_b",
        issuer: { issuer: "https://login.example.test/{tenantid}/v2.0", provider: "provider_b" },
      });
      expect(built.facts.provider).toBe("provider_b");
      replay(built, jwt, "xms_edov");
    }
  });

  it("takes the longest email and domain, and exactly 640 bytes", async () => {
    const email = `${"a".repeat(63)}@${"d".repeat(60)}.com`;
    expect(email.length).toBe(128);
    expect((await build(await google.sign({ ...claims, email }))).facts.domain).toHaveLength(64);
    const { email: first, ...rest } = claims;
    let longest = 0;
    let refused = 0;
    // Payload and header grow by turns, so that every length around the limit occurs.
    for (let step = 0; step < 400; step++) {
      const pad = "x".repeat(200 + Math.floor(step / 4));
      const jwt = await google.sign({ email: first, ...rest, pad }, { typ: "J".repeat(1 + (step % 4)) });
      try {
        longest = Math.max(longest, (await build(jwt)).inputs.partial_data.len);
      } catch (error) {
        expect(error).toMatchObject({ code: "TOKEN_TOO_LONG", field: "jwt" });
        refused++;
      }
    }
    expect(refused).toBeGreaterThan(0);
    expect(longest).toBe(640);
  });
});

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
    const pattern = { issuer: "https://login.example.test/{tenantid}/v2.0", provider: "provider_a" as const };
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
    const issuer = { issuer: ISS, provider: "provider_b" as const };
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

describe("partialCut", () => {
  it("cuts at a block boundary, keeps the byte before the key, and decodes whole groups", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 20, max: 200 }),
        fc.integer({ min: 1, max: 900 }),
        (payloadFrom, earliest) => {
          const cut = partialCut(payloadFrom, earliest, payloadFrom + 1300);
          expect(cut.blockStart % 64).toBe(0);
          expect(cut.decodedFrom).toBeLessThan(earliest);
          const firstChar = cut.blockStart + cut.decodeOffset - payloadFrom;
          expect(firstChar % 4).toBe(0);
          expect((firstChar / 4) * 3).toBe(cut.decodedFrom);
          expect(cut.decodeOffset).toBeLessThan(64);
          if (cut.blockStart > payloadFrom) expect(cut.decodeOffset).toBeLessThan(4);
          // No later boundary would do.
          const next = Math.ceil((cut.blockStart + 64 - payloadFrom) / 4) * 3;
          expect(next).toBeGreaterThanOrEqual(earliest);
        },
      ),
    );
  });
});

import { sha256 } from "@noble/hashes/sha2.js";
import fc from "fast-check";
import { base64url } from "jose";
import { beforeAll, describe, expect, it } from "vitest";
import { oidcNullifier, scopeWord, sha256State } from "../derivations";
import { decodeOidcPublicInputs } from "../layouts/oidc";
import { claims, clients, ISS, NOW, TENANT, without } from "../testing/claims";
import { type TestIssuer, testIssuer } from "../testing/tokens";
import { rsa2048Modulus } from "../trust/jwks";
import { fromLimbs } from "../words";
import { oidcFacts, peekToken } from "./claims";
import { buildOidcInputs, type OidcInputs, type OidcInputsRequest, partialCut } from "./inputs";

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
  at(inputs.audience_index, `"aud":"${built.facts.audience}"`);
  expect(inputs.audience.len).toBe(built.facts.audience.length);
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
      audience: claims.aud,
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
        issuer: { issuer: "https://login.example.test/{tenantid}/v2.0", provider: "provider_b", ...clients },
      });
      expect(built.facts.provider).toBe("provider_b");
      replay(built, jwt, "xms_edov");
    }
  });

  it("takes an audience of 1 to 96 bytes, of the web client with a nonce, wherever it stands", async () => {
    for (const length of [1, 96]) {
      const aud = "c".repeat(length);
      for (const payload of [
        { ...without("aud"), aud },
        { aud, ...without("aud") },
      ]) {
        const jwt = await google.sign(payload);
        const built = await build(jwt, { issuer: { ...base().issuer, webClientId: aud } });
        expect(built.facts.audience).toBe(aud);
        replay(built, jwt);
      }
    }
  });

  it("takes the longest email and domain, and exactly 640 bytes", async () => {
    const email = `${"a".repeat(63)}@${"d".repeat(60)}.com`;
    expect(email.length).toBe(128);
    expect((await build(await google.sign({ ...claims, email }))).facts.domain).toHaveLength(64);
    const { email: first, aud, ...rest } = claims;
    let longest = 0;
    let refused = 0;
    // Payload and header grow by turns, so that every length around the limit occurs.
    for (let step = 0; step < 400; step++) {
      const pad = "x".repeat(200 + Math.floor(step / 4));
      const jwt = await google.sign({ email: first, aud, ...rest, pad }, { typ: "J".repeat(1 + (step % 4)) });
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

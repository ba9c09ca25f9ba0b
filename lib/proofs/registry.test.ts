import fc from "fast-check";
import { concat, type Hex, numberToHex } from "viem";
import { describe, expect, it } from "vitest";
import { circuitIds } from "./deployment";
import { PublicInputError } from "./errors";
import { encodeCountryPublicInputs } from "./layouts/country";
import { encodeEligibilityPublicInputs } from "./layouts/eligibility";
import { assertOidcPublicInputs, encodeOidcPublicInputs, type OidcPublicInputs } from "./layouts/oidc";
import { byteWordMask, circuits, decodePublicInputs } from "./registry";
import { FIELD_MODULUS, fromLimbs, toLimbs } from "./words";

const hex32 = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((b): Hex => `0x${Buffer.from(b).toString("hex")}`);
const nonZeroHex32 = hex32.filter((h) => BigInt(h) !== 0n);
const text = (alphabet: string, min: number, max: number) =>
  fc.array(fc.constantFrom(...alphabet), { minLength: min, maxLength: max }).map((chars) => chars.join(""));

const oidcFacts: fc.Arbitrary<OidcPublicInputs> = fc.record({
  modulus: fc.bigInt(1n << 2047n, (1n << 2048n) - 1n),
  domain: text("abcdefghijklmnopqrstuvwxyz0123456789-.", 1, 64),
  scope: hex32,
  nullifier: hex32,
  provider: fc.constantFrom("provider_a" as const, "provider_b" as const),
  nonce: fc.option(text("ABCDEFabcdef0123456789-_", 1, 64)),
  iat: fc.integer({ min: 1, max: 2 ** 40 }),
  audience: text("ABCDEFabcdef0123456789-_.:/", 1, 96),
});
const countryFacts = fc.record({
  signalHash: hex32,
  merkleRoot: hex32,
  countries: fc.uniqueArray(text("ABCDEFGHIJKLMNOPQRSTUVWXYZ", 2, 2), { minLength: 1, maxLength: 10 }),
  isIncluded: fc.boolean(),
  scope: hex32,
  nullifier: hex32,
});
const eligibilityFacts = fc.record({
  signalHash: hex32,
  action: fc.option(fc.record({ domainSeparator: nonZeroHex32, actionHash: nonZeroHex32 })),
  merkleRoot: hex32,
  scope: hex32,
  nullifier: hex32,
});

const sample: OidcPublicInputs = {
  modulus: (1n << 2047n) + 1n,
  domain: "example.com",
  scope: `0x${"11".repeat(32)}`,
  nullifier: `0x${"22".repeat(32)}`,
  provider: "provider_a",
  nonce: "n-1",
  iat: 1_800_000_000,
  audience: "client.example",
};
const encoders = {
  oidc_domain_attestation: () => encodeOidcPublicInputs(sample),
  partner_country_attestation: () =>
    encodeCountryPublicInputs({
      ...sample,
      signalHash: sample.scope,
      merkleRoot: sample.scope,
      countries: ["DE", "FR"],
      isIncluded: true,
    }),
  network_eligibility: () =>
    encodeEligibilityPublicInputs({
      ...sample,
      signalHash: sample.scope,
      merkleRoot: sample.scope,
      action: null,
    }),
  regional_attestation: () =>
    encodeEligibilityPublicInputs({
      ...sample,
      signalHash: sample.scope,
      merkleRoot: sample.scope,
      action: null,
    }),
};

function fails(
  words: Hex[],
  index: number,
  value: bigint,
  field: string,
  circuit: keyof typeof encoders,
): void {
  const changed = words.map((word, i) => (i === index ? numberToHex(value, { size: 32 }) : word));
  try {
    decodePublicInputs(circuit, changed);
  } catch (error) {
    expect(error).toBeInstanceOf(PublicInputError);
    expect(error).toMatchObject({ field });
    return;
  }
  expect.fail(`word ${index} = ${value} of ${circuit} was accepted`);
}

describe("registry", () => {
  it("has the word counts verifiers of this kind read", () => {
    expect(circuitIds.map((id) => circuits[id].publicWords)).toEqual([311, 150, 192, 192]);
    const at = Object.fromEntries(circuits.oidc_domain_attestation.layout.map((row) => [row.name, row.from]));
    expect(at).toEqual({
      pubkey_modulus_limbs: 0,
      domain: 18,
      domain_len: 82,
      scope: 83,
      nullifier: 115,
      provider: 147,
      nonce: 148,
      nonce_len: 212,
      iat: 213,
      audience: 214,
      audience_len: 310,
    });
    const bytesAlone = (1n << 311n) - 1n - ((1n << 18n) - 1n) - (1n << 213n);
    expect(byteWordMask("oidc_domain_attestation")).toBe(bytesAlone);
    expect(circuits.partner_country_attestation.layout.map((row) => row.from)).toEqual([
      0, 32, 64, 84, 85, 86, 118,
    ]);
  });
});

describe("layouts", () => {
  it("round trip for every circuit, as words and as one blob", () => {
    fc.assert(
      fc.property(oidcFacts, (facts) => {
        const words = encodeOidcPublicInputs(facts);
        const expected = { circuit: "oidc_domain_attestation", ...facts };
        expect(decodePublicInputs("oidc_domain_attestation", words)).toEqual(expected);
        expect(decodePublicInputs("oidc_domain_attestation", concat(words))).toEqual(expected);
      }),
    );
    fc.assert(
      fc.property(countryFacts, (facts) => {
        const words = encodeCountryPublicInputs(facts);
        expect(decodePublicInputs("partner_country_attestation", words)).toMatchObject(facts);
      }),
    );
    fc.assert(
      fc.property(eligibilityFacts, (facts) => {
        const words = encodeEligibilityPublicInputs(facts);
        expect(decodePublicInputs("regional_attestation", concat(words))).toMatchObject(facts);
      }),
    );
  });

  it("limbs are the documented shifts", () => {
    fc.assert(
      fc.property(fc.bigInt(0n, (1n << 2160n) - 1n), (value) => {
        const limbs = toLimbs(value);
        limbs.forEach((limb, i) => {
          expect(limb).toBe((value >> BigInt(i * 120)) & ((1n << 120n) - 1n));
        });
        expect(fromLimbs(limbs)).toBe(value);
      }),
    );
    expect(() => toLimbs(1n << 2160n)).toThrow(RangeError);
    expect(() => toLimbs(-1n)).toThrow(RangeError);
  });

  it("refuse, at every position of every circuit, a word that equals a small one modulo the field", () => {
    for (const circuit of circuitIds) {
      const words = encoders[circuit]();
      words.forEach((word, index) => {
        fails(words, index, BigInt(word) + FIELD_MODULUS, "publicInputs", circuit);
      });
    }
  });

  it("refuse, at every position of every circuit, a value too large for its kind", () => {
    for (const circuit of circuitIds) {
      const words = encoders[circuit]();
      for (const row of circuits[circuit].layout) {
        const field = row.name;
        const limit = {
          limb120: 1n << 120n,
          byte: 256n,
          ascii: 256n,
          length: 97n,
          flag: 2n,
          uint: 1n << 64n,
        };
        for (let i = row.from; i < row.from + row.count; i++)
          fails(words, i, limit[row.encoding], field, circuit);
      }
    }
  });

  it("refuse a modulus beyond 2048 bits, dirty tails, empty and foreign text", () => {
    const words = encoders.oidc_domain_attestation();
    const oidc = "oidc_domain_attestation";
    fails(words, 17, 256n, "pubkey_modulus_limbs", oidc);
    fails(words, 18 + "example.com".length, 1n, "domain", oidc);
    fails(words, 81, 97n, "domain", oidc);
    fails(words, 82, 10n, "domain", oidc);
    fails(words, 82, 0n, "domain_len", oidc);
    for (const char of '@A"\\ \u007f\u0080') fails(words, 18, BigInt(char.charCodeAt(0)), "domain", oidc);
    fails(words, 147, 2n, "provider", oidc);
    fails(words, 151, 1n, "nonce", oidc);
    for (const char of '"\\\n\u0080') fails(words, 148, BigInt(char.charCodeAt(0)), "nonce", oidc);
    fails(words, 213, 0n, "iat", oidc);
    const audienceEnd = 214 + sample.audience.length;
    fails(words, audienceEnd, 1n, "audience", oidc);
    fails(words, 309, 97n, "audience", oidc);
    fails(words, 310, 0n, "audience_len", oidc);
    fails(words, 310, BigInt(sample.audience.length - 1), "audience", oidc);
    fails(words, 310, BigInt(sample.audience.length + 1), "audience", oidc);
    for (const char of '"\\\n\u0080') fails(words, 214, BigInt(char.charCodeAt(0)), "audience", oidc);
    const country = encoders.partner_country_attestation();
    fails(country, 84, 0n, "countries_len", "partner_country_attestation");
    fails(country, 84, 11n, "countries_len", "partner_country_attestation");
    fails(country, 68, 65n, "countries", "partner_country_attestation");
    fails(country, 64, 100n, "countries", "partner_country_attestation");
    const twice = encodeCountryPublicInputs({
      ...sample,
      signalHash: sample.scope,
      merkleRoot: sample.scope,
      countries: ["DE", "DE"],
      isIncluded: true,
    });
    expect(() => decodePublicInputs("partner_country_attestation", twice)).toThrow(/repeat/);
    fails(encoders.network_eligibility(), 32, 1n, "action_hash", "network_eligibility");
    fails(encoders.network_eligibility(), 64, 1n, "action_hash", "network_eligibility");
  });

  it("refuse the wrong number of words and what is not hex", () => {
    const words = encoders.oidc_domain_attestation();
    const decode = (input: string | string[]) => () => decodePublicInputs("oidc_domain_attestation", input);
    expect(decode(words.slice(1))).toThrow(PublicInputError);
    expect(decode([...words, `0x${"00".repeat(32)}`])).toThrow(PublicInputError);
    expect(decode(words.slice(0, 148))).toThrow(PublicInputError);
    expect(decode(words.slice(0, 214))).toThrow(PublicInputError);
    expect(decode(words.with(0, "0x01"))).toThrow(PublicInputError);
    expect(decode(words.with(0, `0x${"zz".repeat(32)}`))).toThrow(PublicInputError);
    expect(decode(concat(words).slice(2))).toThrow(PublicInputError);
    expect(decode(`${concat(words)}00`)).toThrow(PublicInputError);
    expect(decode("")).toThrow(PublicInputError);
  });

  it("name the first field that is not what was asked for", () => {
    const words = encodeOidcPublicInputs(sample);
    expect(assertOidcPublicInputs(words, sample)).toEqual(sample);
    const others: Partial<OidcPublicInputs>[] = [
      { domain: "example.org" },
      { scope: sample.nullifier },
      { nullifier: sample.scope },
      { provider: "provider_b" },
      { nonce: null },
      { iat: 1 },
      { audience: "other.example" },
    ];
    for (const other of others) {
      expect(() => assertOidcPublicInputs(words, other)).toThrow(
        expect.objectContaining({ field: Object.keys(other)[0] }),
      );
    }
    expect(() => assertOidcPublicInputs(words, { modulus: 1n })).toThrow(/pubkey_modulus_limbs/);
  });
});

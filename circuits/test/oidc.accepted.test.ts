import { describe, expect, it } from "vitest";
import { committedCircuit } from "./circuit";
import { sha256Hex, sha256State } from "./sha256";
import { issuerKey, payloadA, payloadB, signData, signToken } from "./token";
import { witnessOf } from "./witness";

const run = committedCircuit("oidc_domain_attestation");
const key = issuerKey();
const longNonce = "n".repeat(64);
const email128 = `${"L".repeat(63)}@${"d".repeat(60)}.org`;

describe("the test's own SHA-256", () => {
  it("agrees with the platform's", () => {
    const block = Buffer.alloc(128, "ab");
    const padding = Buffer.alloc(64);
    padding[0] = 0x80;
    padding.writeUInt32BE(128 * 8, 60);
    const words = sha256State(Buffer.concat([block, padding]));
    expect(words.map((word) => word.toString(16).padStart(8, "0")).join("")).toBe(sha256Hex(block));
  });
});

describe("an honest token is accepted", () => {
  it.each([
    ["provider_a without a nonce", payloadA()],
    ["provider_a with a nonce of 43 bytes", payloadA({ nonce: "x".repeat(43) })],
    ["provider_a with a nonce of 64 bytes", payloadA({ nonce: longNonce })],
    ["provider_b without a nonce", payloadB()],
    ["provider_b with a nonce of 1 byte", payloadB({ nonce: "x" })],
    ["provider_b with a nonce of 64 bytes", payloadB({ nonce: longNonce })],
    ["provider_b, xms_edov 1", payloadB({ verified: '"xms_edov":1' })],
    ['provider_b, xms_edov "1"', payloadB({ verified: '"xms_edov":"1"' })],
    ['provider_b, xms_edov "true"', payloadB({ verified: '"xms_edov":"true"' })],
    ["provider_b, xms_edov in the middle", payloadB({ verified: '"xms_edov":1,"z":"}"' })],
    ["a name in another script", payloadA({ filler: "Žižek 李 🎓" })],
    ["a name full of escapes", payloadA({ filler: '\\\\\\",\\"email\\":\\"x@y.z\\\\' })],
    ["the shortest address", payloadA({ email: "a@b" })],
    ["an address with every special character", payloadA({ email: "a!#$%&'*+/=?^_`{|}~.-Z@example.org" })],
    [
      "claims that nest arrays and objects",
      payloadB({ verified: '"xms_edov":true,"o":{"a":[{"email":"x@y.z"}]}' }),
    ],
    ["email first, aud last", '{"email":"a@b.c","email_verified":true,"iat":1760000000,"aud":"c"}'],
    ["aud first, email last", '{"aud":"c","iat":1760000000,"email_verified":true,"email":"a@b.c"}'],
    ["aud between", '{"iat":1760000000,"email":"a@b.c","aud":"c","email_verified":true,"nonce":"n"}'],
    ["provider_a, an audience of 96 bytes", payloadA({ audience: `"${"c".repeat(96)}"` })],
    ["provider_b, an audience of 1 byte", payloadB({ audience: '"c"', nonce: "n" })],
    ["an aud that nests elsewhere", payloadA({ verified: '"email_verified":true,"o":{"aud":"x"}' })],
    ["a text that looks like another aud", payloadA({ filler: '\\",\\"aud\\":\\"x' })],
  ])("%s", async (_name, payload) => {
    expect(await run(witnessOf(signToken(key, payload)))).toBe("accepted");
  });

  // A header's length moves the payload against the hash blocks. No base64url text has a length of 1 modulo
  // 4, so that issuers never produce offset 2; the circuit does not care.
  it.each([0, 1, 2, 3])("at decode offset %i", async (offset) => {
    const payload = payloadA({ nonce: "abc" });
    const header = "h".repeat((offset + 3) % 4 || 4);
    const data = `${header}.${Buffer.from(payload).toString("base64url")}`;
    const witness = witnessOf(signData(key, data, payload, header.length + 1));
    expect(witness.decodeOffset % 4).toBe(offset);
    expect(await run(witness)).toBe("accepted");
  });

  it.each([0, 1, 2])("with a payload of %i bytes modulo 3", async (rest) => {
    const payload = ["", "x", "xx"]
      .map((filler) => payloadA({ filler }))
      .find(({ length }) => length % 3 === rest);
    if (!payload) throw new Error("no filler gives this length");
    expect(await run(witnessOf(signToken(key, payload)))).toBe("accepted");
  });

  // 640 bytes do not hold the longest address, nonce and audience all at once.
  it("with the longest address and domain", async () => {
    expect(email128).toHaveLength(128);
    const payload = payloadA({ email: email128, nonce: longNonce, audience: '"client"' });
    const witness = witnessOf(signToken(key, payload));
    expect(witness.domain.len).toBe(64);
    expect(await run(witness)).toBe("accepted");
  });

  it("with the longest data, starting anywhere from the header on", async () => {
    const lengths = Array.from({ length: 400 }, (_, i) =>
      signToken(key, payloadA({ filler: "f".repeat(i) })),
    );
    const token = lengths.find((candidate) => witnessOf(candidate).data.len === 640);
    if (!token) throw new Error("no filler gives 640 bytes");
    expect(await run(witnessOf(token))).toBe("accepted");
    const short = signToken(key, payloadA());
    for (const earlier of [0, 1, 2, 3]) expect(await run(witnessOf(short, { earlier }))).toBe("accepted");
  });

  it("when the whole text, header included, is the data", async () => {
    const witness = witnessOf(signToken(key, payloadB({ nonce: "abc" })), { earlier: 9 });
    expect(witness.data.len).toBe(witness.fullLength);
    expect(await run(witness)).toBe("accepted");
  });

  it("in any scope, and with the quotient constant shifted as the caller likes", async () => {
    const token = signToken(key, payloadA());
    expect(await run(witnessOf(token, { scope: "another" }))).toBe("accepted");
    for (const shift of [4096n, 4100n]) {
      const witness = witnessOf(token);
      witness.redc = witnessOf({ ...token, signature: (1n << shift) / token.modulus }).signature;
      expect(await run(witness)).toBe("accepted");
    }
  });
});

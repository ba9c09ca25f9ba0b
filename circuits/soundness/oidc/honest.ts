import type { Case } from "../case";
import { accepted, key } from "./make";
import { issuerKey, payloadA, payloadB, signData, signToken, type Token } from "./token";
import { toInputs, witnessOf } from "./witness";

const longNonce = "n".repeat(64);
const email128 = `${"L".repeat(63)}@${"d".repeat(60)}.org`;

const payloads: readonly (readonly [string, string])[] = [
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
  ["brackets six deep", payloadB({ verified: '"xms_edov":true,"o":[[[[[1]]]]]' })],
  ["email first, aud last", '{"email":"a@b.c","email_verified":true,"iat":1760000000,"aud":"c"}'],
  ["aud first, email last", '{"aud":"c","iat":1760000000,"email_verified":true,"email":"a@b.c"}'],
  ["aud between", '{"iat":1760000000,"email":"a@b.c","aud":"c","email_verified":true,"nonce":"n"}'],
  ["provider_a, an audience of 96 bytes", payloadA({ audience: `"${"c".repeat(96)}"` })],
  ["provider_b, an audience of 1 byte", payloadB({ audience: '"c"', nonce: "n" })],
  ["an aud that nests elsewhere", payloadA({ verified: '"email_verified":true,"o":{"aud":"x"}' })],
  ["a text that looks like another aud", payloadA({ filler: '\\",\\"aud\\":\\"x' })],
  // 640 bytes do not hold the longest address, nonce and audience all at once.
  ["the longest address and domain", payloadA({ email: email128, nonce: longNonce, audience: '"client"' })],
];

/**
 * A header's length moves the payload against the hash blocks. No base64url text has a length of 1 modulo
 * 4, so that issuers never produce offset 2; the circuit does not care.
 */
function atOffset(offset: number): Case {
  const payload = payloadA({ nonce: "abc" });
  const header = "h".repeat((offset + 3) % 4 || 4);
  const data = `${header}.${Buffer.from(payload).toString("base64url")}`;
  const witness = witnessOf(signData(key, data, payload, header.length + 1));
  if (witness.decodeOffset % 4 !== offset) throw new Error("the header has another length");
  return { name: `decode offset ${offset}`, inputs: toInputs(witness) };
}

function withRest(rest: number): Case {
  const found = ["", "x", "xx"]
    .map((filler) => payloadA({ filler }))
    .find(({ length }) => length % 3 === rest);
  if (!found) throw new Error("no filler gives this length");
  return accepted(`a payload of ${rest} bytes modulo 3`, signToken(key, found));
}

/** A token whose data fill all 640 bytes. `kid` moves the groups of four characters against them. */
export function longestToken(kid = "k1"): Token {
  for (let length = 0; length < 400; length++) {
    const token = signToken(key, payloadA({ filler: "f".repeat(length) }), kid);
    if (witnessOf(token).data.len === 640) return token;
  }
  throw new Error("no filler gives 640 bytes");
}

/** A signature whose highest limb is zero: the token's iat is varied until it has one. */
function shortSignature(): Case {
  for (let iat = 1_760_000_000; ; iat++) {
    const token = signToken(key, payloadA({ iat: String(iat), nonce: "n" }));
    if (token.signature >> 2040n === 0n) return accepted("a signature with a leading zero byte", token);
  }
}

function withRedc(shift: bigint): Case {
  const token = signToken(key, payloadA());
  const witness = witnessOf(token);
  witness.redc = witnessOf({ ...token, signature: (1n << shift) / token.modulus }).signature;
  return { name: `quotient constant 2^${shift} / modulus`, inputs: toInputs(witness) };
}

/** Must be accepted. */
export function honestCases(): Case[] {
  const short = signToken(key, payloadA());
  return [
    ...payloads.map(([name, payload]) => accepted(name, signToken(key, payload))),
    ...[0, 1, 2, 3].map(atOffset),
    ...[0, 1, 2].map(withRest),
    accepted("the longest data", longestToken()),
    ...[1, 2, 3].map((earlier) => accepted(`data from ${earlier} blocks earlier on`, short, { earlier })),
    accepted("the whole text, header included", signToken(key, payloadB({ nonce: "abc" })), { earlier: 9 }),
    accepted("another scope", short, { scope: "another" }),
    accepted("another issuer's key", signToken(issuerKey("another issuer"), payloadA())),
    shortSignature(),
    withRedc(4096n),
    withRedc(4100n),
  ];
}

import type { Case } from "../case";
import { addToByte, honest, key, refused, refusedToken, text } from "./make";
import { decoded } from "./refused-decoding";
import { CLIENT, payloadA, payloadB, signToken } from "./token";
import { bounded, toInputs, witnessOf } from "./witness";

/** Times as written, and what the ten characters would come to if they were digits. */
const badTimes: readonly (readonly [string, bigint])[] = [
  ["176000000", 0n],
  ["17600000000", 1_760_000_000n],
  ["1760000000.5", 1_760_000_000n],
  ["1760000000e1", 1_760_000_000n],
  ["1760000.00", 1_760_000_000n],
  ["17600:0000", 1_760_100_000n],
  ["176000000/", 1_759_999_999n],
  ["17600000:0", 1_760_000_100n],
  ['"1760000000"', 0n],
  ["-760000000", 0n],
];

function tailCases(): Case[] {
  return (["nonce", "domain", "audience"] as const).flatMap((of) => [
    refused(
      `a last byte after the ${of}`,
      (witness) => addToByte(witness, of, witness[of].storage.length - 1, 1),
      new RegExp(`oidc: ${of}`),
    ),
    refused(
      `a byte right after the ${of}`,
      (witness) => addToByte(witness, of, witness[of].len, 1),
      new RegExp(`oidc: ${of}`),
    ),
    refused(`${of}: a length of one more`, (witness) => (witness[of].len += 1), /json|oidc|assert_max/),
    refused(`${of}: a length of one less`, (witness) => (witness[of].len -= 1), /json|oidc|assert_max/),
    refused(`${of}: a length beyond its storage`, (witness) => (witness[of].len = 200), /./),
    refused(`${of}: a length of 2^32 - 1`, (witness) => (witness[of].len = 0xffffffff), /./),
  ]);
}

/** A length that is shown beside a text of another one: the hint says which bytes the text has, as for the right length. */
function lengthCases(): Case[] {
  // With texts of other lengths, so that what is said is a lie.
  const base = toInputs(witnessOf(signToken(key, payloadA({ nonce: "x", audience: '"c"' }))));
  return (
    [
      ["nonce", 2],
      ["audience", 3],
    ] as const
  ).flatMap(([of, call]) =>
    [-1, 1].map((by): Case => {
      const one = refused(
        `${of}: a length of ${by} more, read as it is`,
        (witness) => (witness[of].len += by),
        /json: string length/,
      );
      const { len, storage } = witnessOf(honest)[of];
      const bits = storage.map((_, i) => (i < len ? 1n : 0n));
      return { ...one, base, lies: [{ hint: "first_of", call, change: () => bits }] };
    }),
  );
}

/** A token whose nonce begins with the first byte that is decoded: left of that the prover shows nothing. */
function nonceFirst(): Case {
  for (let length = 0; length < 192; length++) {
    const rest = `"nonce":"mine","aud":"${CLIENT}","email":"ada@example.org","email_verified":true,"iat":1760000000}`;
    const token = signToken(key, `{"iss":"${"i".repeat(length)}",${rest}`);
    const bytes = decoded(witnessOf(token, { nonce: "" })).map(Number);
    if (Buffer.from(bytes).toString("latin1").startsWith('"nonce":'))
      return refusedToken("a nonce at the first decoded byte denied", token, /json: the claim is there/, {
        nonce: "",
      });
  }
  throw new Error("no filler moves the nonce to the first byte");
}

/** The nonce, or that there is none; and iat. */
export function valueCases(): Case[] {
  const long = signToken(key, payloadA({ nonce: "n".repeat(65) }));
  return [
    ...[payloadA, payloadB].map((payload, provider) =>
      refusedToken(
        `a nonce in sight denied, provider ${provider}`,
        signToken(key, payload({ nonce: "someone else's challenge" })),
        /json: the claim is there/,
        { nonce: "" },
      ),
    ),
    nonceFirst(),
    refusedToken(
      "a token with an empty nonce as one without",
      signToken(key, payloadA({ nonce: "" })),
      /json: the claim is there/,
      { nonce: "" },
    ),
    refusedToken(
      "a nonce in a nested object denied",
      signToken(key, payloadA({ verified: '"email_verified":true,"o":{"nonce":"x"}' })),
      /json: the claim is there/,
      { nonce: "" },
    ),
    ...["challengd", "challeng", "challenge1", ""].map((nonce) =>
      refused(
        `the nonce shown as "${nonce}"`,
        (witness) => (witness.nonce = bounded(text(nonce), 64)),
        /oidc: nonce|json|assert_max/,
      ),
    ),
    refused(
      "a nonce that spans into the next claim",
      (witness) => (witness.nonce = bounded(text('challenge","name":"Ada '), 64)),
      /assert_max_bit_size|Cannot/,
    ),
    refused(
      "a nonce that spans out of its claim's end",
      (witness) => (witness.nonce = bounded(text('challenge",'), 64)),
      /assert_max_bit_size|Cannot/,
    ),
    ...tailCases(),
    ...lengthCases(),
    refused(
      "bytes of a nonce that is not there",
      (witness) => addToByte(witness, "nonce", 0, 1),
      /oidc: nonce/,
      signToken(key, payloadA()),
    ),
    refusedToken("a nonce of 65 bytes", long, /./, { nonce: "n".repeat(65) }),
    refusedToken("64 bytes of a nonce of 65", long, /json: string end/, { nonce: "n".repeat(64) }),
    refused("iat one second later", (witness) => (witness.iat += 1n), /oidc: iat/),
    refused("iat 2^63 seconds later", (witness) => (witness.iat += 1n << 63n), /oidc: iat/),
    ...badTimes.map(([iat, seconds]) =>
      refused(
        `an iat of ${iat}`,
        (witness) => (witness.iat = seconds),
        /json|assert_max_bit_size|oidc: iat/,
        signToken(key, payloadA({ iat, nonce: "n" })),
      ),
    ),
  ];
}

import type { Case } from "../case";
import { addToByte, key, RANGE, refused, refusedToken, text } from "./make";
import { CLIENT, payloadA, payloadB, signToken } from "./token";
import { bounded } from "./witness";

/** What another client of the provider holds, and what it would like to show. */
const foreign = signToken(key, payloadA({ nonce: "challenge", audience: '"another-client"' }));
const pretend = { audience: CLIENT };
/** A check of the circuit, which one depends on where the bytes fall. */
const REFUSED = /json|oidc|assert_max_bit_size|Index|Cannot/;

const shown = [
  ["one byte shorter", CLIENT.slice(0, -1)],
  ["one byte longer", `${CLIENT}m`],
  ["with the closing quote", `${CLIENT}"`],
  ["without its first byte", CLIENT.slice(1)],
] as const;

const notTexts = [
  ["a list of one", `["${CLIENT}"]`],
  ["a list of two", `["other","${CLIENT}"]`],
  ["an object", `{"aud":"${CLIENT}"}`],
  ["an object after text", `{"z":1,"aud":"${CLIENT}"}`],
  ["a number", "1234567890"],
  ["null", "null"],
  ["a spaced text", ` "${CLIENT}"`],
] as const;

function foreignCases(): Case[] {
  const same = signToken(key, payloadA({ nonce: "challenge", audience: `"${CLIENT.replace("1", "2")}"` }));
  return [
    refusedToken("another client's token as ours", foreign, REFUSED, pretend),
    refusedToken("a token of a client with an id as long as ours", same, /oidc: audience/, pretend),
    refused("a byte of the audience changed", (w) => addToByte(w, "audience", 3, 1), /oidc: audience/),
    refusedToken("azp taken for aud", foreign, /json: not the claim/, {
      ...pretend,
      positions: { audience: foreign.payload.indexOf('"azp"') },
    }),
    ...shown.map(([name, audience]) =>
      refused(`the audience ${name}`, (w) => (w.audience = bounded(text(audience), 96)), REFUSED),
    ),
    refused("an empty audience", (w) => (w.audience = bounded(text(""), 96)), /oidc: audience is empty/),
    refusedToken(
      "a token for nobody",
      signToken(key, payloadA({ nonce: "n", audience: '""' })),
      /oidc: audience is empty/,
      { audience: "" },
    ),
    refused("an audience of length zero with bytes", (w) => (w.audience.len = 0), /oidc: audience is empty/),
  ];
}

function shapeCases(): Case[] {
  return notTexts.flatMap(([name, audience]) => {
    const token = signToken(key, payloadA({ nonce: "challenge", audience }));
    const inner = token.payload.lastIndexOf('"aud"');
    const value = token.payload.indexOf(`"${CLIENT}"`, token.payload.indexOf('"aud"')) - 6;
    return [
      refusedToken(`an audience that is ${name}`, token, REFUSED, pretend),
      refusedToken(`${name}, by its last key`, token, REFUSED, {
        ...pretend,
        positions: { audience: inner },
      }),
      refusedToken(`${name}, by its value`, token, REFUSED, { ...pretend, positions: { audience: value } }),
    ];
  });
}

function keyCases(): Case[] {
  const bare = payloadA({ nonce: "challenge" }).replace(`"aud":"${CLIENT}",`, "");
  const verified = `"email_verified":true,"o":{"z":1,"aud":"${CLIENT}"},"a":[{"aud":"${CLIENT}"}]`;
  const nested = signToken(key, payloadA({ nonce: "n", audience: '"another-client"', verified }));
  const inText = `\\",\\"aud\\":\\"${CLIENT}\\",\\"z\\":\\"`;
  const escaped = payloadA({ nonce: "n" }).replace('"aud":', '"\\u0061ud":');
  return [
    refusedToken("a token without aud", signToken(key, bare), REFUSED, {
      ...pretend,
      positions: { audience: bare.indexOf('"sub"') },
    }),
    ...[nested.payload.indexOf(`"aud":"${CLIENT}`), nested.payload.lastIndexOf('"aud":')].map((audience, i) =>
      refusedToken(`aud in a nested object ${i}`, nested, /json: not a key/, {
        ...pretend,
        positions: { audience },
      }),
    ),
    ...[payloadA, payloadB].flatMap((payload, provider) => {
      const token = signToken(key, payload({ nonce: "n", audience: '"another-client"', filler: inText }));
      const at = token.payload.indexOf(`aud\\":\\"${CLIENT}`);
      return [-2, -1, 0, 1].map((by) =>
        refusedToken(`aud in the text of another claim, provider ${provider}, ${by}`, token, REFUSED, {
          ...pretend,
          positions: { audience: at + by },
        }),
      );
    }),
    refusedToken("aud under an escaped key", signToken(key, escaped), /json: not the claim/, {
      ...pretend,
      positions: { audience: escaped.indexOf('"\\u0061ud"') },
    }),
    ...["audience", "aud_", "au", "Aud", "xaud"].flatMap((name) => {
      const token = signToken(
        key,
        payloadA({
          nonce: "n",
          audience: '"another-client"',
          verified: `"email_verified":true,"${name}":"${CLIENT}"`,
        }),
      );
      const at = token.payload.indexOf(`"${name}"`);
      return [0, 1, name.length - 3].map((by) =>
        refusedToken(`the claim ${name} taken for aud, ${by}`, token, REFUSED, {
          ...pretend,
          positions: { audience: at + by },
        }),
      );
    }),
  ];
}

/** The client the token was made for, which is public. */
export function audienceCases(): Case[] {
  // The last fills the storage, as no JSON can be signed: its closing quote would be escaped.
  const escapes = ["a\\\\b", "a\\u0062", `${"c".repeat(95)}\\`];
  const quoted = signToken(key, payloadA({ nonce: "n", audience: `"${CLIENT}\\",\\"x"` }));
  const long = signToken(key, payloadA({ nonce: "n", audience: `"${"c".repeat(97)}"` }));
  const hidden = signToken(key, payloadB({ nonce: "n", filler: "f".repeat(80) }));
  const positions = { audience: hidden.payload.indexOf('"email"') };
  return [
    ...foreignCases(),
    ...shapeCases(),
    ...keyCases(),
    ...escapes.map((audience) =>
      refusedToken(
        `an audience of ${audience}`,
        signToken(key, payloadA({ nonce: "n", audience: `"${audience}"` })),
        /json: a backslash/,
        { audience },
      ),
    ),
    refused(
      "an audience that spans into the next claim",
      (w) => (w.audience = bounded(text(`${CLIENT}","sub":"1234567890`), 96)),
      /assert_max_bit_size|Cannot/,
    ),
    // As the walk's cells read when all but their low eight bits is cut off: `#` is the closing quote.
    refused(
      "an audience that spans to the end of the next key, its cells cut to bytes",
      (w) => (w.audience = bounded(text(`${CLIENT}#,"sub`), 96)),
      /assert_max_bit_size|Cannot/,
    ),
    refusedToken("an audience with an escaped quote, before it", quoted, REFUSED, pretend),
    refusedToken("an audience with an escaped quote, past it", quoted, REFUSED, { audience: `${CLIENT}\\"` }),
    refusedToken("an audience of 97 bytes", long, REFUSED, { audience: "c".repeat(97) }),
    refusedToken("96 bytes of an audience of 97", long, /json: string end/, { audience: "c".repeat(96) }),
    refused("aud left of where decoding begins", (w) => (w.audienceIndex = 0xffffffff), RANGE, hidden, {
      positions,
    }),
    refused("aud at the first decoded byte", (w) => (w.audienceIndex = 0), REFUSED, hidden, { positions }),
  ];
}

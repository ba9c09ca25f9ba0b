import type { Case } from "../case";
import { longestToken } from "./honest";
import { claimAddress, key, refused, refusedToken, text } from "./make";
import { CLIENT, payloadA, signToken, type Token } from "./token";
import { bounded, type Choices, type Witness, witnessOf } from "./witness";

/** What the circuit decodes of a witness: 480 bytes, whole groups, zero after the text. */
export function decoded({ data, decodeOffset }: Witness): bigint[] {
  const chars = Buffer.from(data.storage).subarray(decodeOffset % 4);
  const bytes = Buffer.from(chars.toString("latin1").replaceAll("\0", "A"), "base64url");
  return Array.from({ length: 480 }, (_, i) => BigInt(bytes[i] ?? 0));
}

interface Rewritten {
  what: string;
  /** What the issuer signed, and what the prover reads instead: of the same length. */
  signed: string;
  read: string;
  token?: Token;
  claim?: (witness: Witness) => void;
  choices?: Choices;
}

const nonce = "challenge";
const honest = signToken(key, payloadA({ nonce }));

/** A token whose last character is the last one of the last group that is decoded. */
function filledToken(): Token {
  const kid = ["k1", "k12", "k123"].find((one) => signToken(key, "{}", one).payloadStart % 4 === 0);
  return longestToken(kid);
}

const rewritten: readonly Rewritten[] = [
  { what: "another expiry, in the last group", signed: "00}", read: "10}", token: filledToken() },
  {
    what: "another domain",
    signed: "ada@example.org",
    read: "ada@victim1.org",
    claim: (witness) => claimAddress(witness, "ada@victim1.org"),
  },
  {
    what: "another local part",
    signed: "ada@example.org",
    read: "eve@example.org",
    claim: (witness) => claimAddress(witness, "eve@example.org"),
  },
  {
    what: "another nonce",
    signed: `"nonce":"${nonce}"`,
    read: '"nonce":"mine00000"',
    claim: (witness) => (witness.nonce = bounded(text("mine00000"), 64)),
  },
  {
    what: "another iat",
    signed: '"iat":1760000000',
    read: '"iat":1770000000',
    claim: (witness) => (witness.iat = 1_770_000_000n),
  },
  {
    what: "another audience",
    signed: `"aud":"${CLIENT}"`,
    read: `"aud":"${"c".repeat(CLIENT.length)}"`,
    claim: (witness) => (witness.audience = bounded(text("c".repeat(CLIENT.length)), 96)),
  },
  {
    what: "email_verified true where it was null",
    signed: '"email_verified":null',
    read: '"email_verified":true',
    token: signToken(key, payloadA({ nonce, verified: '"email_verified":null', filler: "null" })),
  },
];

/**
 * Rule 3: the decoded text is what the signed characters spell. The prover answers the decoding hint with a text of its own, at the
 * place in the window where the claim stands, and shows the public inputs that go with it.
 */
export function decodingCases(): Case[] {
  return rewritten.map(({ what, signed, read, token = honest, claim }) => {
    const one = refused(
      `the decoded text says ${what}`,
      (witness) => claim?.(witness),
      /base64url: not a group/,
      token,
    );
    const honestBytes = decoded(witnessOf(token));
    const spelled = Buffer.from(honestBytes.map(Number)).toString("latin1");
    if (!spelled.includes(signed) || signed.length !== read.length)
      throw new Error(`${what}: nothing to rewrite`);
    const said = [...Buffer.from(spelled.replace(signed, read), "latin1")].map(BigInt);
    return { ...one, lies: [{ hint: "split", change: () => said }] };
  });
}

/** Texts that an issuer would have to sign for the walk to be misled: a NUL in a text, and an object before the last. */
export function walkCases(): Case[] {
  const nul = "ada\0@example.org";
  return [
    refusedToken(
      "a NUL in a text right of every claim but iat",
      signToken(key, payloadA({ nonce, filler: "\0" })),
      /json: not (a key|the claim)/,
    ),
    refusedToken(
      "a NUL in the address",
      signToken(key, payloadA({ nonce, email: nul })),
      /json: not (a key|the claim)|assert_max/,
    ),
    refusedToken(
      "an address in an object before the last",
      signToken(key, `{"email":"ada@victim.com"}${payloadA({ nonce })}`),
      /json: not (a key|the claim)/,
    ),
    refusedToken(
      "every claim in an object before the last",
      signToken(
        key,
        `{"aud":"client","email":"ada@victim.com","email_verified":true,"iat":1770000000,"nonce":"mine"}{"z":1}`,
      ),
      /json: not (a key|the claim)/,
    ),
  ];
}

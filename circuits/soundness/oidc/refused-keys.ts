import type { Case } from "../case";
import { claimAddress, honest, key, RANGE, refused, refusedToken } from "./make";
import { payloadA, payloadB, signToken, type Token } from "./token";
import { bounded, type Choices, type Witness } from "./witness";

const utf8 = (value: string) => new TextEncoder().encode(value);

/** Claims in nested objects, in texts, and at places where there is none. */
function placeCases(): Case[] {
  const nested = signToken(
    key,
    payloadA({ verified: '"email_verified":true,"o":{"email":"ada@victim.com"}' }),
  );
  const escaped = signToken(key, payloadA({ filler: '\\",\\"email\\":\\"ada@victim.com\\",\\"' }));
  const inText = escaped.payload.indexOf('email\\":\\"ada@victim');
  const victim = (witness: Witness) => claimAddress(witness, "ada@victim.com");
  const others = signToken(
    key,
    payloadA({
      nonce: "challenge",
      verified: '"email_verified":true,"o":{"z":1,"nonce":"mine","iat":1770000000}',
    }),
  );
  const nonce = others.payload.indexOf('"nonce":"mine"');
  const iat = others.payload.indexOf('"iat":177');
  return [
    refused("email in a nested object", victim, /json: not a key/, nested, {
      positions: { email: nested.payload.indexOf('"email":"ada@victim') },
    }),
    ...[-2, -1, 0, 1].map((by) =>
      refused(`email in the text of another claim, ${by}`, victim, /json/, escaped, {
        positions: { email: inText + by },
      }),
    ),
    refusedToken("nonce in a nested object", others, /json: not a key/, {
      nonce: "mine",
      positions: { nonce },
    }),
    refusedToken("iat in a nested object", others, /json: not a key/, {
      nonce: "challenge",
      positions: { iat },
    }),
    refusedToken("exp taken for iat", honest, /json: not the claim/, {
      positions: { iat: honest.payload.indexOf('"exp"') },
    }),
  ];
}

function indexCases(): Case[] {
  return (["nonce", "verified", "iat", "email", "audience"] as const).flatMap((name) => {
    const field = `${name}Index` as const;
    return [
      ...[-1, 1, 8].map((by) =>
        refused(`${name} ${by} bytes off`, (witness) => (witness[field] += by), /json|Index|Cannot/),
      ),
      refused(`${name} at the first byte`, (witness) => (witness[field] = 0), /json|Index|Cannot|assert_max/),
      refused(`${name} at byte 2^32 - 1`, (witness) => (witness[field] = 0xffffffff), RANGE),
      refused(`${name} beyond the text`, (witness) => (witness[field] = 500), RANGE),
      refused(`${name} 512 bytes off`, (witness) => (witness[field] += 512), RANGE),
    ];
  });
}

function otherClaimCases(): Case[] {
  return (["email", "nonce", "iat", "email_verified"] as const).map((name) => {
    const stem = name.slice(0, -1);
    const others = `"${stem}X":"ada@victim.com","${stem}Y":1770000000,"${stem}Z":true`;
    const token = signToken(
      key,
      payloadA({ verified: `"email_verified":true,${others}`, nonce: "challenge" }),
    );
    const letter = name === "iat" ? "Y" : name === "email_verified" ? "Z" : "X";
    const position = token.payload.indexOf(`"${stem}${letter}"`);
    const lie = (witness: Witness) => {
      if (name === "email") claimAddress(witness, "ada@victim.com");
      if (name === "nonce") witness.nonce = bounded(utf8("ada@victim.com"), 64);
    };
    return refused(`another claim taken for ${name}`, lie, /json: not the claim/, token, {
      nonce: "challenge",
      positions: { [name === "email_verified" ? "verified" : name]: position },
    });
  });
}

const notVerified = [
  ['"email_verified":false', 0],
  ['"email_verified":"true"', 0],
  ['"email_verified":1', 0],
  ['"email_verified":truer', 0],
  ['"emailverified":true', 0],
  ['"xms_edov":true', 0],
  ['"xms_edov":false', 1],
  ['"xms_edov":0', 1],
  ['"xms_edov":10', 1],
  ['"xms_edov":"0"', 1],
  ['"xms_edov":"false"', 1],
  ['"xms_edov":"11"', 1],
  ['"xms_edov":"trues"', 1],
  ['"email_verified":true', 1],
] as const;

/** The issuer's word that the address is its holder's. */
function verifiedCases(): Case[] {
  const tokenOf = (verified: string, provider: number) =>
    signToken(key, provider === 0 ? payloadA({ verified }) : payloadB({ verified }));
  const bare = tokenOf('"z":1', 0);
  const b = signToken(key, payloadB());
  const nested = [
    ["email_verified", '"o":{"email_verified":true},"email_verified":false', 0],
    ["xms_edov", '"o":{"xms_edov":true},"xms_edov":false', 1],
  ] as const;
  return [
    ...notVerified.map(([verified, provider]) => {
      const token = tokenOf(verified, provider);
      const positions = { verified: token.payload.indexOf(verified) };
      return refusedToken(`${verified} for provider ${provider}`, token, /json: (not the claim|value end)/, {
        provider,
        positions,
      });
    }),
    ...nested.map(([name, verified, provider]) => {
      const token = tokenOf(verified, provider);
      const positions = { verified: token.payload.indexOf(`"${name}":true`) };
      return refusedToken(`${name} in a nested object`, token, /json: not a key/, { positions });
    }),
    refusedToken("a token without email_verified", bare, /./, {
      positions: { verified: bare.payload.indexOf('"z"') },
    }),
    refused("provider_a's token as provider_b's", (w) => (w.provider = 1), /json: not the claim/),
    refused("provider_b's token as provider_a's", (w) => (w.provider = 0), /json: not the claim/, b),
    refused("a provider 2", (witness) => (witness.provider = 2), /oidc: provider/, b),
  ];
}

/**
 * Claims whose *name* ends like the text that is looked for: `"x\",\"email":"…"` is the claim `x","email`. Left of the quote that the
 * reader takes for the key's first one stands a backslash; nothing else is in its way.
 */
function quotedCases(): Case[] {
  const nonce = "challenge";
  const named = (claim: string) => `"x\\",\\${claim}`;
  const tokenOf = (claim: string, verified = '"email_verified":true') =>
    signToken(key, payloadA({ nonce, verified: `${verified},${named(claim)}` }));
  const at = (token: Token, claim: string) => token.payload.indexOf(claim, token.payload.indexOf('"x'));
  const one = (
    name: keyof NonNullable<Choices["positions"]>,
    claim: string,
    choices: Choices = {},
    change: (witness: Witness) => void = () => undefined,
    token = tokenOf(claim),
  ) =>
    refused(`${claim} as the end of a claim's name`, change, /json: not a key/, token, {
      nonce,
      ...choices,
      positions: { [name]: at(token, claim) },
    });
  const edov = '"xms_edov":true';
  const provider_b = signToken(key, payloadB({ nonce, verified: `"xms_edov":false,${named(edov)}` }));
  return [
    one("email", '"email":"ada@victim.com"', {}, (witness) => claimAddress(witness, "ada@victim.com")),
    one("nonce", '"nonce":"mine"', { nonce: "mine" }),
    one("iat", '"iat":1770000000'),
    one("audience", '"aud":"client"', { audience: "client" }),
    one(
      "verified",
      '"email_verified":true',
      {},
      undefined,
      tokenOf('"email_verified":true', '"email_verified":false'),
    ),
    one("verified", edov, { provider: 1 }, undefined, provider_b),
  ];
}

/** Rule 2: a claim is a key of the outermost object. */
export function keyCases(): Case[] {
  return [...placeCases(), ...indexCases(), ...otherClaimCases(), ...quotedCases(), ...verifiedCases()];
}

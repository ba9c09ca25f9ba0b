import type { Case, Family } from "../case";
import type { Lie } from "../circuit";
import { key, refused, refusedToken } from "./make";
import { initialStateCases } from "./refused-hash";
import { payloadA, payloadB, signToken } from "./token";

const CLAIMS = "lib/json_claims/src/claims.nr";
const MAIN = "bin/oidc_domain_attestation/src/main.nr";

/** A public text that differs from the token's in one byte of its storage, whether its length reaches there or not. */
function storageFamily(of: "domain" | "nonce" | "audience", bytes: number): Family {
  return {
    file: MAIN,
    statement: `assert(read.bytes == ${of}.storage()`,
    cases: Array.from({ length: bytes }, (_, i) =>
      refused(
        `${of}: byte ${i} of its storage`,
        // Another letter of the alphabet that domains are made of.
        ({ [of]: { storage } }) => (storage[i] = storage[i] === 0x7a ? 0x79 : 0x7a),
        new RegExp(`oidc: ${of}`),
      ),
    ),
  };
}

const nullifierFamily: Family = {
  file: MAIN,
  statement: "assert(digest == to_lanes(nullifier)",
  cases: Array.from({ length: 32 }, (_, i) =>
    refused(
      `nullifier: byte ${i}`,
      ({ nullifier }) => (nullifier[i] = (nullifier[i] ?? 0) ^ 1),
      /oidc: nullifier/,
    ),
  ),
};

/** A text with each of its bytes replaced in turn, but for the quotes: without one, every state left of it is another. */
function misspelt(claim: string): [string, number][] {
  return [...claim].flatMap((char, i) =>
    char === '"' ? [] : [[`${claim.slice(0, i)}${char === "x" ? "y" : "x"}${claim.slice(i + 1)}`, i]],
  );
}

/** Claims of which one byte is another, signed by the issuer. */
function claimCases(): Case[] {
  const honest = payloadA({ nonce: "challenge" });
  return (
    [
      ["email", '"email":'],
      ["nonce", '"nonce":'],
      ["iat", '"iat":'],
      ["audience", '"aud":'],
    ] as const
  ).flatMap(([name, claim]) =>
    misspelt(claim).map(([other, i]) => {
      const position = honest.indexOf(claim);
      const payload = honest.slice(0, position) + other + honest.slice(position + claim.length);
      return refusedToken(`${claim} with another byte ${i}`, signToken(key, payload), /json: not the claim/, {
        email: "ada@example.org",
        nonce: "challenge",
        audience: /"aud":"([^"]*)"/.exec(honest)?.[1] ?? "",
        positions: { [name]: position },
      });
    }),
  );
}

const forms = [
  ['"email_verified":true', 0],
  ['"xms_edov":true', 1],
  ['"xms_edov":1', 1],
  ['"xms_edov":"1"', 1],
  ['"xms_edov":"true"', 1],
] as const;

/** What the hint says when it sees a form; without the comparison it may say so of a misspelt one, too. */
const chosen = (form: number): Lie => ({
  hint: "form",
  change: () => forms.map((_, v) => (v === form ? 1n : 0n)),
  mayBeHonest: true,
});

/** The issuer's word, likewise. The hint answers as it would for the right text. */
function verifiedCases(): Case[] {
  return forms.flatMap(([claim, provider], form) =>
    misspelt(claim).map(([other, i]) => {
      const token = signToken(key, (provider === 0 ? payloadA : payloadB)({ verified: other, nonce: "n" }));
      return {
        ...refusedToken(`${claim} with another byte ${i}`, token, /json: not the claim/, {
          provider,
          positions: { verified: token.payload.indexOf(other) },
        }),
        lies: form === 0 ? [] : [chosen(form)],
      };
    }),
  );
}

/** One case for every byte that the circuit compares. */
export function families(): Family[] {
  return [
    storageFamily("domain", 64),
    storageFamily("nonce", 64),
    storageFamily("audience", 96),
    nullifierFamily,
    { file: CLAIMS, statement: "assert((found - expected[i])", cases: claimCases() },
    { file: CLAIMS, statement: "assert(tape[before + 1 + i] * counts == wanted", cases: verifiedCases() },
    {
      file: "lib/sha256_tail/src/lib.nr",
      statement: "assert(state == INITIAL_STATE",
      cases: initialStateCases(),
    },
  ];
}

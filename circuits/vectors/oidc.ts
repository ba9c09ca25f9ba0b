import { keccak_256 } from "@noble/hashes/sha3.js";
import { type Hex, toHex } from "viem";
import {
  type Case,
  Circuit,
  CLIENT,
  ISSUER_SEED,
  limbs,
  nullifierOf,
  oidc,
  payloadA,
  payloadB,
  primesOf,
  signToken,
  type Token,
  witnessOf,
} from "../soundness";
import { ABOUT, type OidcVectors, vectorOf } from "./schema";

const { accepted, claimAddress, honest, key, refused, refusedToken } = oidc;
const utf8 = (text: string) => new TextEncoder().encode(text);
const word = (bytes: ArrayLike<number>): Hex => toHex(Uint8Array.from(bytes));

const tokens: readonly (readonly [string, Token])[] = [
  ["provider_a with a nonce", honest],
  ["provider_a without a nonce", signToken(key, payloadA())],
  ["provider_b with a nonce", signToken(key, payloadB({ nonce: "challenge" }))],
  ["provider_b, xms_edov 1", signToken(key, payloadB({ verified: '"xms_edov":1' }))],
  ["the shortest address", signToken(key, payloadA({ email: "a@b", nonce: "n" }))],
  [
    "a name full of escapes",
    signToken(key, payloadA({ filler: '\\\\\\",\\"email\\":\\"x@y.z\\\\', nonce: "n" })),
  ],
];

function refusals(): Case[] {
  const token = (claims: Parameters<typeof payloadA>[0]) => signToken(key, payloadA(claims));
  const nested = token({ verified: '"email_verified":true,"o":{"email":"ada@victim.com"}' });
  const spanning = token({ nonce: "@victim.com" });
  const unverified = token({ verified: '"email_verified":false' });
  const foreign = token({ nonce: "challenge", audience: '"another-client"' });
  const challenged = token({ nonce: "someone else's challenge" });
  const changed = (name: string, change: Parameters<typeof refused>[1]) => refused(name, change, /./);
  return [
    refused(
      "an address that spans into the nonce",
      (w) => claimAddress(w, /"email":"(.*?@victim\.com)/.exec(spanning.payload)?.[1] ?? ""),
      /./,
      spanning,
    ),
    refused("an address in a nested object", (w) => claimAddress(w, "ada@victim.com"), /./, nested, {
      positions: { email: nested.payload.indexOf('"email":"ada@victim') },
    }),
    refusedToken("an address that is not verified", unverified, /./),
    refusedToken("another client's token as ours", foreign, /./, { audience: CLIENT }),
    refusedToken("a nonce in sight denied", challenged, /./, { nonce: "" }),
    changed(
      "another address's nullifier",
      (w) => (w.nullifier = nullifierOf("eve@example.org", Uint8Array.from(w.scope))),
    ),
    changed("another scope", (w) => (w.scope[5] = (w.scope[5] ?? 0) ^ 1)),
    changed("iat one second later", (w) => (w.iat += 1n)),
    changed("a byte after the domain", (w) => (w.domain.storage[60] = 1)),
    changed("the signature n - s", (w) => (w.signature = limbs(key.modulus - honest.signature))),
    changed("another provider", (w) => (w.provider = 1)),
  ];
}

function limbsOf(what: string, value: bigint) {
  return { what, value: toHex(value), limbs: limbs(value).map((limb) => toHex(limb)) };
}

function partialHashOf(token: Token) {
  const { data, partialHash, fullLength } = witnessOf(token);
  return { blocks: toHex(token.signed.subarray(0, fullLength - data.len)), state: partialHash };
}

/** circuits/vectors/oidc_domain_attestation.json */
export async function oidcVectors(): Promise<OidcVectors> {
  const circuit = Circuit.committed("oidc_domain_attestation");
  const { p, q } = primesOf(ISSUER_SEED);
  const scopes = ["scope:1", "zk-community", "", "Žižek 李 🎓"].map((text) => ({
    text,
    word: word(keccak_256(utf8(text))),
  }));
  const [{ word: scope } = { word: "0x" as const }] = scopes;
  const emails = ["ada@example.org", "a@b", "Ada.Lovelace+tag@mail.example.org", "ada@EXAMPLE.org"];
  const cases = [];
  for (const [name, token] of tokens) cases.push(await vectorOf(circuit, accepted(name, token), "accepted"));
  for (const one of refusals()) cases.push(await vectorOf(circuit, one, "refused"));
  return {
    about: ABOUT,
    circuit: "oidc_domain_attestation",
    issuer: { seed: ISSUER_SEED, modulus: toHex(key.modulus), exponent: 65537, p: toHex(p), q: toHex(q) },
    derivations: {
      scopes,
      nullifiers: emails.map((email) => ({
        email,
        domain: email.slice(email.indexOf("@") + 1),
        scope,
        nullifier: word(nullifierOf(email, keccak_256(utf8("scope:1")))),
      })),
      limbs: [
        limbsOf("modulus", key.modulus),
        limbsOf("signature of the first token", honest.signature),
        limbsOf("the largest number of 2048 bits", (1n << 2048n) - 1n),
        limbsOf("2^120", 1n << 120n),
      ],
      partialHashes: tokens.slice(0, 3).map(([, token]) => partialHashOf(token)),
      redc: { modulus: toHex(key.modulus), value: toHex((1n << 4100n) / key.modulus) },
    },
    tokens: tokens.map(([name, token]) => ({
      name,
      jwt: `${Buffer.from(token.signed)}.${Buffer.from(token.signature.toString(16).padStart(512, "0"), "hex").toString("base64url")}`,
      payload: token.payload,
    })),
    cases,
  };
}

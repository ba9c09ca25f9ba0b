import { keccak_256 } from "@noble/hashes/sha3.js";
import type { Inputs } from "../abi";
import { sha256State } from "./sha256";
import type { Token } from "./token";

/** Everything the circuit takes; the tests change single fields. */
export interface Witness {
  modulus: bigint[];
  domain: Bounded;
  scope: number[];
  nullifier: number[];
  provider: number;
  nonce: Bounded;
  iat: bigint;
  audience: Bounded;
  data: Bounded;
  partialHash: number[];
  fullLength: number;
  decodeOffset: number;
  redc: bigint[];
  signature: bigint[];
  emailIndex: number;
  emailLength: number;
  verifiedIndex: number;
  nonceIndex: number;
  iatIndex: number;
  audienceIndex: number;
}

/** A BoundedVec: its storage in full, and its length. */
export interface Bounded {
  storage: number[];
  len: number;
}

/** What a prover may choose freely. `positions` are those of the keys' quotes in the payload. */
export interface Choices {
  provider?: 0 | 1;
  scope?: string;
  email?: string;
  nonce?: string;
  audience?: string;
  /** Start the data this many blocks before the last possible block. */
  earlier?: number;
  positions?: { email?: number; verified?: number; nonce?: number; iat?: number; audience?: number };
}

/** 18 limbs of 120 bits, least significant first. */
export function limbs(value: bigint): bigint[] {
  return Array.from({ length: 18 }, (_, i) => (value >> BigInt(120 * i)) & ((1n << 120n) - 1n));
}

/** Bytes in a BoundedVec of `max`. */
export function bounded(bytes: Uint8Array, max: number): Bounded {
  return { storage: Array.from({ length: max }, (_, i) => bytes[i] ?? 0), len: bytes.length };
}

const utf8 = (text: string) => new TextEncoder().encode(text);

/** The nullifier of an address in a scope (prover-api, Derivations). */
export function nullifierOf(email: string, scope: Uint8Array): number[] {
  return [...keccak_256(new Uint8Array([...keccak_256(utf8(email)), ...scope]))];
}

/** The honest witness of a token, but for what `choices` say. */
export function witnessOf(token: Token, choices: Choices = {}): Witness {
  const { payload, payloadStart, signed } = token;
  const provider = choices.provider ?? (payload.includes('"xms_edov"') ? 1 : 0);
  const email = choices.email ?? /"email":"([^"]*)"/.exec(payload)?.[1] ?? "";
  const nonce = choices.nonce ?? /"nonce":"([^"]*)"/.exec(payload)?.[1] ?? "";
  const audience = choices.audience ?? /"aud":"([^"]*)"/.exec(payload)?.[1] ?? "";
  const find = (key: string) => Buffer.from(payload).indexOf(`"${key}":`);
  const at = {
    email: find("email"),
    verified: find(provider === 0 ? "email_verified" : "xms_edov"),
    nonce: find("nonce"),
    iat: find("iat"),
    audience: find("aud"),
    ...choices.positions,
  };

  const needed = [at.email, at.verified, at.iat, at.audience, ...(nonce === "" ? [] : [at.nonce])];
  const first = Math.max(0, Math.min(...needed) - 1); // with the byte left of the key
  const firstChar = payloadStart + 4 * Math.floor(first / 3);
  const start = 64 * Math.max(0, Math.floor(firstChar / 64) - (choices.earlier ?? 0));
  const offset = start <= payloadStart ? payloadStart - start : (4 - ((start - payloadStart) % 4)) % 4;
  const origin = (3 * (start + offset - payloadStart)) / 4;
  const index = (position: number) => Math.max(0, position - origin);

  const scope = keccak_256(utf8(choices.scope ?? "scope:1"));
  return {
    modulus: limbs(token.modulus),
    domain: bounded(utf8(email.slice(email.lastIndexOf("@") + 1)), 64),
    scope: [...scope],
    nullifier: nullifierOf(email, scope),
    provider,
    nonce: bounded(utf8(nonce), 64),
    iat: BigInt(
      /^\d+/.exec(
        Buffer.from(payload)
          .subarray(at.iat + 6)
          .toString(),
      )?.[0] ?? "0",
    ),
    audience: bounded(utf8(audience), 96),
    data: bounded(signed.subarray(start), 640),
    partialHash: sha256State(signed.subarray(0, start)),
    fullLength: signed.length,
    decodeOffset: offset,
    redc: limbs((1n << 4102n) / token.modulus),
    signature: limbs(token.signature),
    emailIndex: index(at.email),
    emailLength: utf8(email).length,
    verifiedIndex: index(at.verified),
    nonceIndex: index(at.nonce),
    iatIndex: index(at.iat),
    audienceIndex: index(at.audience),
  };
}

const vec = ({ storage, len }: Bounded) => ({ storage: [...storage], len });

/** The witness under the names of the circuit's parameters. */
export function toInputs(witness: Witness): Inputs {
  return {
    pubkey_modulus_limbs: [...witness.modulus],
    domain: vec(witness.domain),
    scope: [...witness.scope],
    nullifier: [...witness.nullifier],
    provider: witness.provider,
    nonce: vec(witness.nonce),
    iat: witness.iat,
    audience: vec(witness.audience),
    partial_data: vec(witness.data),
    partial_hash: [...witness.partialHash],
    full_data_length: witness.fullLength,
    base64_decode_offset: witness.decodeOffset,
    redc_params_limbs: [...witness.redc],
    signature_limbs: [...witness.signature],
    email_index: witness.emailIndex,
    email_length: witness.emailLength,
    email_verified_index: witness.verifiedIndex,
    nonce_index: witness.nonceIndex,
    iat_index: witness.iatIndex,
    audience_index: witness.audienceIndex,
  };
}

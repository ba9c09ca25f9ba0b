import type { Inputs } from "../abi";
import type { Case } from "../case";
import { issuerKey, payloadA, signToken, type Token } from "./token";
import { bounded, type Choices, nullifierOf, toInputs, type Witness, witnessOf } from "./witness";

/** UTF-8. */
export const text = (value: string) => new TextEncoder().encode(value);

/** The issuer's key. */
export const key = issuerKey();

/** A token of provider_a that most cases start from. */
export const honest = signToken(key, payloadA({ nonce: "challenge" }));

/** The witness of that token. */
export const honestInputs: Inputs = toInputs(witnessOf(honest));

/** What the circuit says when a value is out of the range it is checked for. */
export const RANGE = /assert_max_bit_size|Index out of bounds|Cannot satisfy|overflow/;

/** A witness that must be accepted. */
export function accepted(name: string, token: Token, choices: Choices = {}): Case {
  return { name, inputs: toInputs(witnessOf(token, choices)) };
}

/** The witness of `token` with one change, which must be refused for the reason given. */
export function refused(
  name: string,
  change: (witness: Witness) => unknown,
  reason: RegExp,
  token = honest,
  choices: Choices = {},
): Case {
  const witness = witnessOf(token, choices);
  change(witness);
  return { name, inputs: toInputs(witness), base: honestInputs, reason };
}

/** A token that must be refused as it is, with what `choices` claim of it. */
export function refusedToken(name: string, token: Token, reason: RegExp, choices: Choices = {}): Case {
  return refused(name, () => undefined, reason, token, choices);
}

/** Sets the revealed address to one that the prover makes up, with everything that follows from it. */
export function claimAddress(witness: Witness, email: string): void {
  witness.domain = bounded(text(email.slice(email.lastIndexOf("@") + 1)), 64);
  witness.nullifier = nullifierOf(email, Uint8Array.from(witness.scope));
  witness.emailLength = text(email).length;
}

/** Adds to one byte of a BoundedVec's storage. */
export function addToByte(
  witness: Witness,
  of: "data" | "domain" | "nonce" | "audience",
  index: number,
  by: number,
): void {
  const { storage } = witness[of];
  storage[index] = ((storage[index] ?? 0) + by + 256) % 256;
}

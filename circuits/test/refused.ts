import { expect } from "vitest";
import { committedCircuit } from "./circuit";
import { issuerKey, payloadA, signToken } from "./token";
import { bounded, type Choices, nullifierOf, type Witness, witnessOf } from "./witness";

const run = committedCircuit("oidc_domain_attestation");

/** UTF-8. */
export const text = (value: string) => new TextEncoder().encode(value);

/** The issuer's key. */
export const key = issuerKey();

/** A token of provider_a that every test may start from. */
export const honest = signToken(key, payloadA({ nonce: "challenge" }));

/** The reason when a value is out of the range it is checked for. */
export const RANGE = /assert_max_bit_size|Index out of bounds|add with overflow/;

/** Asserts that the witness of `token` with one change is refused, for the reason given. */
export async function refused(
  change: (witness: Witness) => void,
  reason: RegExp,
  token = honest,
  choices: Choices = {},
): Promise<void> {
  const witness = witnessOf(token, choices);
  change(witness);
  const answer = await run(witness);
  expect(answer).not.toBe("accepted");
  expect(answer).toMatch(reason);
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

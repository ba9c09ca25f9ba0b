/**
 * Faults that nothing notices, and why that is right: what an assertion refuses is refused by another one, too, or the constant may
 * be another without a false statement being accepted. A survivor that is not named here fails the harness and `npm test`.
 */
interface Redundant {
  /** Circuits it is redundant in; all when left out. */
  circuits?: readonly string[];
  file: string;
  /** The statement, or the line whose constant is changed. */
  text: string;
  /** What is done to it; default that it is taken out. */
  changes?: readonly string[];
  why: string;
}

const TAKEN_OUT = "taken out";

const eligibility = ["network_eligibility", "regional_attestation"];

export const redundant: readonly Redundant[] = [
  {
    file: "lib/base64url/src/lib.nr",
    text: 'assert(offset < N, "base64url: offset");',
    why: "Positions count from the character at the offset. One of 640 or more puts every position beyond the 480 bytes, where the memory argument refuses it.",
  },
  {
    file: "lib/json_claims/src/claims.nr",
    text: "at.assert_max_bit_size::<9>();",
    why: "Whatever the low 32 bits of a position name, the memory argument refuses it beyond the text, and every cell is read by the same rule. The bound only spares the cast a division.",
  },
  {
    file: "lib/json_claims/src/claims.nr",
    text: 'assert(is_in * (1 - before) == 0, "json: a gap");',
    why: "Where a bit is 0 the position stays, and the cell there is outside strings; a later 1 would need the same cell to be inside one.",
  },
  {
    file: "lib/json_claims/src/claims.nr",
    text: 'assert(sum == 1, "json: one choice");',
    why: "With no choice the value would have to end where its key begins, which is no key's start. With several, cells would have to be the mean of those of different texts: at some place no byte and state are.",
  },
  {
    file: "lib/json_claims/src/tape.nr",
    text: "step.assert_max_bit_size::<8>();",
    why: "A state is an entry of the table, at most 152, and a class is at most 6. The bound only spares the cast a division.",
  },
  {
    file: "lib/sha256_tail/src/lib.nr",
    text: "(total as Field).assert_max_bit_size::<29>();",
    why: "The word that takes eight times the length is zero before, and has 32 bits: a length of 2^29 does not fit.",
  },
  {
    file: "lib/sha256_tail/src/lib.nr",
    text: "word.assert_max_bit_size::<32>();",
    why: "A word is four bytes by their type; 0x80 is added where they are zero, and eight times the length, which has 29 bits, to a zero. The bound only spares the cast a division.",
  },
  {
    file: "lib/eip1559_payload/src/lib.nr",
    text: "at.assert_max_bit_size::<8>();",
    why: "A position is a sum of sizes that are range-checked, at most 151. The bound only spares the cast a division.",
  },
  {
    file: "lib/keccak256/src/lib.nr",
    text: "value.assert_max_bit_size::<64>();",
    why: "A lane is eight bytes by their type, and the end is added where they are zero. The bound only spares the cast a division.",
  },
  {
    circuits: eligibility,
    file: "lib/keccak256/src/lib.nr",
    text: 'assert(length <= N, "keccak: too many bytes");',
    why: "The payload may have 135 bytes, 7 modulo 8: a longer one would end in a lane that the hint does not have. partner_country_attestation needs it for its scope.",
  },
  {
    circuits: eligibility,
    file: "lib/keccak256/src/lib.nr",
    text: 'assert(sum == 1, "keccak: one end");',
    why: "The last byte of a payload is not zero, so that no end can be left of its lane; two ends there add up to more than the spot, none to less. partner_country_attestation needs it for its scope.",
  },
];

/** Why a fault may survive, or undefined when it may not. */
export function whyRedundant(
  circuit: string,
  file: string,
  text: string,
  change: string,
): string | undefined {
  return redundant.find(
    (one) =>
      one.file === file &&
      one.text === text &&
      (one.changes ?? [TAKEN_OUT]).includes(change) &&
      (one.circuits?.includes(circuit) ?? true),
  )?.why;
}
